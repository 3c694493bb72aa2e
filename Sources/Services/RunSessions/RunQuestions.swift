package import Core

/// Tells the clients of a run session what its agent asks, behind the event of the card.
package final class RunQuestions: EventListener {
    private let processes: RunProcesses
    private let publish: @Sendable (LiveEvent) -> Void

    /// - Parameter publish: Passes an event to its subscribers.
    package init(_ processes: RunProcesses, publish: @escaping @Sendable (LiveEvent) -> Void) {
        self.processes = processes
        self.publish = publish
    }

    package func heard(_ event: PublishedEvent) {
        guard case .record(let record) = event, case .permission(let request) = record.body,
            let session = processes.session(of: record.sessionID)
        else { return }
        publish(
            LiveEvent(
                at: record.at, workspaceID: record.workspaceID, sessionID: session, body: .run(.asked(request))))
    }
}
