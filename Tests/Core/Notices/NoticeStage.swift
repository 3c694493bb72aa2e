import Agents
import Core
import OrderedJSON
import TestSupport

/// Drives `NoticeState` with a clock that the test sets, and keeps the deliveries.
struct NoticeStage {
    var state: NoticeState
    var now = Instant(milliseconds: 1_795_170_600_000)
    private(set) var deliveries: [NoticeDelivery] = []
    private(set) var dropped: [String] = []

    static let push = NoticeChannel(id: "push d_1", answers: true, gathers: true)
    static let ntfy = NoticeChannel(id: "ntfy", answers: true, gathers: false)
    static let app = NoticeChannel(id: "apns ab", answers: true, gathers: true, takesReports: true)
    static let webhook = NoticeChannel(id: "webhook", answers: false, gathers: false)

    init(_ channels: [NoticeChannel] = [push], _ change: (inout NoticePolicy) -> Void = { _ in }) {
        var policy = NoticePolicy()
        change(&policy)
        state = NoticeState(policy: policy, channels: channels)
    }

    mutating func perform(_ effects: [NoticeEffect]) {
        for effect in effects {
            switch effect {
            case .deliver(let delivery): deliveries.append(delivery)
            case .drop(let channel): dropped.append(channel)
            }
        }
    }

    private func event(_ body: EventBody, session: String) -> EventRecord {
        EventRecord(sequence: 1, at: now.wall, sessionID: session, body: body)
    }

    static func request(
        _ id: String, session: String = "s1", tool: String = "Bash", opening: Int = 1, deadline: Timestamp,
        isUnverified: Bool = false
    ) -> PermissionRequest {
        PermissionRequest(
            id: id, toolUseID: "t", sessionID: session, event: .preToolUse, tool: .claude(tool),
            input: KeptJSON(["command": "touch secret"]), cwd: "/home/u/work", createdAt: deadline + -60,
            deadline: deadline,
            isUnverified: isUnverified, opening: opening)
    }

    mutating func open(_ id: String, session: String = "s1", opening: Int = 1) {
        let request = Self.request(id, session: session, opening: opening, deadline: now.wall + 60)
        perform(state.note(event(.permission(request), session: session), at: now))
    }

    mutating func end(_ id: String, session: String = "s1", by resolver: Resolver = .local, corrects: Bool = false) {
        let request = Self.request(id, session: session, deadline: now.wall + 60)
        let resolution = Resolution(decision: .deny, resolver: resolver, reason: "", at: now.wall)
        let body = EventBody.permissionResolved(request, resolution, corrects: corrects)
        perform(state.note(event(body, session: session), at: now))
    }

    mutating func hear(_ name: HookEventName, _ raw: JSONObject = [:], session: String = "s1") {
        let hook = AgentEvent(name: name, sessionID: session, cwd: "/home/u/work", raw: raw)
        switch name {
        case .stop: perform(state.note(event(.stop(hook), session: session), at: now))
        case .notification: perform(state.note(event(.notification(hook), session: session), at: now))
        default: perform(state.note(event(.prompt(hook), session: session), at: now))
        }
    }

    static func report(
        _ id: String, _ name: String = "Stop", session: String = "s1", message: String? = nil, title: String = "fix it",
        card: ReportedCard? = nil
    ) -> ReportedNotice? {
        let report = SessionReport(
            machine: ReportingMachine(id: "m1", name: "box", platform: "linux"), sessionID: session, name: name,
            timestamp: "", cwd: "/home/u/work", message: message, toolName: name == "Stop" ? nil : "Bash", card: card)
        return ReportNotice(of: report).map { notice in
            let kept = KeptReportNotice(
                id: id, eventNumber: 1, sessionID: session, machineID: "m1", kind: notice.kind, title: title,
                body: notice.body, createdAt: Timestamp(milliseconds: 0), isAcknowledged: false)
            return ReportedNotice(kept, of: notice, in: report)
        }
    }

    mutating func report(_ notice: ReportedNotice?) {
        if let notice { state.reported(notice, at: now) }
    }

    /// The report of an open request.
    mutating func reportOpen(_ id: String, as notice: String) {
        let card = ReportedCard(requestID: id, deadline: now.wall + 60)
        report(Self.report(notice, "PermissionRequest", card: card))
    }

    /// Lets time pass, and calls `timePassed` at each `nextWake`.
    mutating func pass(_ seconds: Double) {
        let end = now + seconds
        while let next = state.nextWake, next <= end.uptime {
            now = now + max(0, next.seconds(since: now.uptime))
            perform(state.timePassed(at: now))
        }
        now = end
    }

    /// Reports the outcome of the latest delivery, or of an earlier one.
    mutating func outcome(_ outcome: NoticeOutcome, of index: Int? = nil) {
        perform(state.ended(deliveries[index ?? deliveries.count - 1].number, outcome, at: now))
    }

    /// The deliveries to a channel, each in a word or two.
    func told(_ channel: String = "push d_1") -> [String] {
        deliveries.filter { $0.channel == channel }.map { delivery in
            let sound = delivery.notice.isSilent ? "silent" : "loud"
            switch delivery.notice.subject {
            case .asked(let request): return "\(request.id) \(sound) \(delivery.notice.waiting)"
            case .ended(let request, _): return "\(request.id) ended \(sound)"
            case .denyIgnored(let deny): return "denied \(deny.requestID)"
            case .deviceEnds(let name): return "\(name) ends \(sound)"
            case .idle: return "idle \(sound)"
            case .reported(let reported): return "\(reported.kept.id) \(sound)"
            case .stopped: return "stopped \(sound)"
            case .test: return "test"
            }
        }
    }
}
