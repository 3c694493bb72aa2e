package import Core

/// Writes a line to the log for each event that is recorded.
package struct EventLog: EventListener {
    private let log: any Log
    private let name: @Sendable (EventKind) -> String

    /// - Parameter name: Returns the name of a kind for the log.
    package init(log: any Log, name: @escaping @Sendable (EventKind) -> String) {
        self.log = log
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
        default: log.debug("event", ["type": name(event.kind), "session": event.sessionID])
        }
    }
}
