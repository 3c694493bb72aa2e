package import Core
package import OrderedJSON
import Platform

/// Feeds `NoticeState` and performs its effects. Events are only noted here and delivered by tasks, so that no decision
/// waits for a delivery.
package final class Notifier: ApproverSource {
    private struct Alarm {
        let at: Uptime
        let timer: any Cancellable
    }

    private let state: Locked<NoticeState>
    private let alarm = Locked<Alarm?>(nil)
    private let isOver = Locked(false)
    private let sender: any NoticeSender
    private let links: AnswerLinks
    package let pushes: PushSubscriptions
    let apps: PushRegistrations
    let clock: any TimeSource
    let log: any Log
    private let changed: ChangeSignal

    /// - Parameters:
    ///   - channels: The channels of the configuration; `pushes` and `apps` have the others.
    ///   - changed: Sent when `approvers` has changed.
    package init(
        policy: NoticePolicy, channels: [NoticeChannel], sender: any NoticeSender, links: AnswerLinks,
        pushes: PushSubscriptions, apps: PushRegistrations, changed: ChangeSignal, clock: any TimeSource, log: any Log
    ) {
        let channels = channels + pushes.all.map(\.noticeChannel) + apps.channels
        state = Locked(NoticeState(policy: policy, channels: channels))
        self.sender = sender
        self.links = links
        self.pushes = pushes
        self.apps = apps
        self.changed = changed
        self.clock = clock
        self.log = log
    }

    package var takesReports: Bool { state.withLock { $0.takesReports } }

    /// Number of channels through which an answer can come.
    package var approvers: Int { state.withLock { $0.reachable } }

    func presence(of client: String, isVisible: Bool, idleFor seconds: Double) {
        let now = clock.now()
        change {
            $0.presence(of: client, isVisible: isVisible, idleFor: seconds, at: now)
            return []
        }
    }

    func add(_ channel: NoticeChannel) {
        change {
            $0.add(channel)
            return []
        }
    }

    func remove(channel id: String) {
        change {
            $0.remove(channel: id)
            return []
        }
    }

    /// The state of each channel, for `status/get`.
    package var description: JSON {
        .array(
            state.withLock { $0.overview }.map { channel, health in
                [
                    "channel": .string(name(of: channel.id)), "answers": .bool(channel.answers),
                    "obstacle": channel.obstacle.map(JSON.string) ?? .null,
                    "reachable": .bool(channel.answers && health.failure == nil),
                    "delivered": .number(JSONNumber(health.delivered)), "failed": .number(JSONNumber(health.failed)),
                    "last_delivery": health.lastDelivery.map { .string($0.rfc3339) } ?? .null,
                    "failure": health.failure.map(JSON.string) ?? .null,
                    "failed_at": health.failedAt.map { .string($0.rfc3339) } ?? .null,
                ]
            })
    }

    /// The channel's name for people: for pushes with the name of the device.
    func name(of channel: String) -> String {
        pushes.subscription(channel: channel).map { "push \($0.deviceName)" } ?? apps.name(channel: channel) ?? channel
    }

    /// Sends a test notification to every channel at once, without the plan's delays. Returns why each failed, by the
    /// channel's id; nil for a delivery.
    func test() async -> [String: String?] {
        let ids = state.withLock { $0.overview }.map(\.channel.id)
        let notice = Notice(subject: .test, tag: "cdev-test", isSilent: false, expires: clock.now().wall + 60)
        return await withTaskGroup(of: (String, NoticeOutcome).self, returning: [String: String?].self) { group in
            for id in ids { group.addTask { (id, await self.sender.send(notice, number: 0, to: id)) } }
            var failures: [String: String?] = [:]
            for await (id, outcome) in group {
                let now = clock.now()
                change { $0.tested(id, outcome, at: now) }
                failures[id] = .some(outcome.failure)
            }
            return failures
        }
    }

    package func stop() {
        isOver.withLock { $0 = true }
        alarm.withLock { $0 }?.timer.cancel()
        sender.stop()
    }

    // MARK: Effects

    func change(_ body: (inout NoticeState) -> [NoticeEffect]) {
        let (effects, before, after, next) = state.withLock { state in
            let before = state.reachable
            let effects = body(&state)
            return (effects, before, state.reachable, state.nextWake)
        }
        for effect in effects { perform(effect) }
        if before != after { changed.send() }
        wake(at: next)
    }

    private func wake(at time: Uptime?) {
        guard let time, !isOver.withLock({ $0 }) else { return }
        let earlier = alarm.withLock { alarm -> (any Cancellable)? in
            if let set = alarm, set.at <= time { return nil }
            let timer = clock.call(at: time) { [weak self] in self?.ring(time) }
            defer { alarm = Alarm(at: time, timer: timer) }
            return alarm?.timer
        }
        earlier?.cancel()
    }

    private func ring(_ time: Uptime) {
        alarm.withLock { if $0?.at == time { $0 = nil } }
        let now = clock.now()
        change { $0.timePassed(at: now) }
    }

    private func perform(_ effect: NoticeEffect) {
        switch effect {
        case .deliver(let delivery): Task.detached { [self] in await deliver(delivery) }
        case .drop(let channel): drop(channel)
        }
    }

    private func deliver(_ delivery: NoticeDelivery) async {
        let outcome = await sender.send(delivery.notice, number: delivery.number, to: delivery.channel)
        if let failure = outcome.failure {
            log.warning("a notification did not arrive", ["channel": name(of: delivery.channel), "why": failure])
        }
        let now = clock.now()
        change { $0.ended(delivery.number, outcome, at: now) }
    }

    private func drop(_ channel: String) {
        guard let subscription = pushes.subscription(channel: channel) else { return dropApp(channel) }
        log.info("a push subscription ended at the push service", ["device": subscription.deviceName])
        Task { _ = try? await pushes.forget(device: subscription.deviceID) }
    }
}

extension Notifier: EventListener {
    package func heard(_ event: PublishedEvent) {
        guard case .record(let record) = event else { return }
        if case .permissionResolved(let request, _, _) = record.body { links.ended(request) }
        if case .devicePaired = record.body { adjustApps() }
        let now = clock.now()
        change { $0.note(record, at: now) }
    }
}

extension NoticeOutcome {
    /// The reason for a failure; nil for a delivery.
    var failure: String? {
        switch self {
        case .delivered: nil
        case .failed(let reason, _, _): reason
        case .gone: "the push service no longer knows this subscription"
        }
    }
}

extension PushSubscription {
    /// Its messages open the page of a device that may answer.
    var noticeChannel: NoticeChannel { NoticeChannel(id: channelID, answers: true, gathers: true) }
}
