import Core
import Host
import Loop
import Platform
import Services
import Transport

/// The world around the broker.
final class DaemonEnvironment: BrokerEnvironment {
    private let clock: any TimeSource
    private let processes: ProcessTable
    private let notifier: Notifier
    private let press: EventPress
    private let waits = DiskWaits()
    private let log: ServerLog
    private let timer = Locked<(any Cancellable)?>(nil)

    init(
        loop: EventLoop, clock: any TimeSource, processes: ProcessTable, persistence: any Persistence,
        subscribers: Subscribers<WebSocketClient>, polls: EventPolls, notifier: Notifier, log: ServerLog
    ) {
        press = EventPress(loop: loop) { event, encoded in
            let text = String(decoding: encoded, as: UTF8.self)
            persistence.append([.event(sequence: event.sequence, at: event.at, text: text)])
            subscribers.send(encoded)
            polls.published(event.sequence)
        }
        self.clock = clock
        self.processes = processes
        self.notifier = notifier
        self.log = log
    }

    /// Nobody is woken any more.
    func stop() { timer.withLock { $0 }?.cancel() }

    func now() -> Instant { clock.now() }

    /// 80 random bits, which are what a person types the first letters of, and the time, by which the database can lay
    /// what comes together side by side.
    func makeID(_ prefix: String) -> String {
        prefix + RandomText.base32(bits: 80) + RandomText.base32(now().wall.milliseconds, letters: 10)
    }

    func wake(at time: Uptime, _ body: @escaping @Sendable () async -> Void) {
        let next = clock.call(at: time) { Task { await body() } }
        let earlier = timer.withLock { timer in
            defer { timer = next }
            return timer
        }
        earlier?.cancel()
    }

    func publish(_ event: Event) {
        press.publish(event)
        notifier.note(event, at: now())
        note(event)
    }

    func beside<Value: Sendable>(root: String, _ body: @escaping @Sendable () -> Value) async -> Value? {
        await waits.run(root: root, clock: clock, body)
    }

    /// Returns once every event is with the store and the clients.
    func drain() async { await press.drain() }

    func startTime(ofProcess pid: Int32) -> UInt64? { processes.startTime(of: pid) }

    private func note(_ event: Event) {
        switch event.body {
        case .agentNotHeld(let bystander):
            log.warning("an agent runs our hooks and is not held", ["agent": bystander.agent.name])
        case .denyIgnored(let deny):
            log.warning(
                "a call ran though it was denied",
                [
                    "agent": deny.agent.name, "request": deny.requestID, "session": deny.sessionID,
                    "tool": deny.toolName, "denied_by": deny.deniedBy.spelling,
                ])
        case .agentRefused(let method, let pid):
            log.warning("a process inside an agent was refused", ["method": method, "pid": "\(pid)"])
        case .permission(let request):
            log.info(
                "permission request held",
                [
                    "request": request.id, "session": request.sessionID, "tool": request.toolName,
                    "event": request.event.spelling, "deadline": request.deadline.rfc3339,
                ])
        case .permissionResolved(let request, let resolution, let corrects):
            if resolution.resolver == .timeout {
                log.info(
                    "permission request timed out - returning '\(resolution.decision.rawValue)'",
                    ["request": request.id])
            }
            log.info(
                corrects ? "permission request corrected" : "permission request ended",
                ["request": request.id, "decision": resolution.decision.rawValue, "by": resolution.resolver.spelling])
        case .sessionStart: log.info("session started", ["session": event.sessionID])
        case .sessionEnd: log.info("session ended", ["session": event.sessionID])
        default: log.debug("event", ["type": event.body.wireName, "session": event.sessionID])
        }
    }
}
