package import Core

/// Writes a line to the log for each event that is recorded.
package struct EventLog: EventListener {
    private let log: any Log
    /// For the lines that a process inside an agent, or a sender without a token, can cause at will.
    private let bounded: BoundedLog
    private let name: @Sendable (EventKind) -> String

    /// - Parameter name: Returns the name of a kind for the log.
    package init(log: any Log, clock: any TimeSource, name: @escaping @Sendable (EventKind) -> String) {
        self.log = log
        bounded = BoundedLog(log, clock: clock)
        self.name = name
    }

    package func heard(_ event: PublishedEvent) {
        if case .record(let record) = event { note(record) }
    }

    private func note(_ event: EventRecord) {
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
            bounded.warning("a process inside an agent was refused", ["method": method, "pid": "\(pid)"])
        case .permission(let request):
            log(of: request).info(
                "permission request held",
                [
                    "request": request.id, "session": request.sessionID, "tool": request.toolName,
                    "event": request.event.spelling, "deadline": request.deadline.rfc3339,
                ])
        case .permissionResolved(let request, let resolution, let corrects):
            if resolution.resolver == .timeout {
                log(of: request).info(
                    "permission request timed out - returning '\(resolution.decision.rawValue)'",
                    ["request": request.id])
            }
            log(of: request).info(
                corrects ? "permission request corrected" : "permission request ended",
                ["request": request.id, "decision": resolution.decision.rawValue, "by": resolution.resolver.spelling])
        case .sessionStart: bounded.info("session started", ["session": event.sessionID])
        case .sessionEnd: bounded.info("session ended", ["session": event.sessionID])
        default: log.debug("event", ["type": name(event.kind), "session": event.sessionID])
        }
    }

    private func log(of request: PermissionRequest) -> any Log { request.isUnverified ? bounded : log }
}
