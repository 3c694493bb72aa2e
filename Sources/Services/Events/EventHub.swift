package import Core

/// A part of the daemon that gets every event.
package protocol EventListener: Sendable {
    /// Called on the loop, in the order of sequence numbers; never waits.
    func heard(_ event: PublishedEvent)
}

/// Writes each event to the replay and passes it to every listener. Nothing is encoded here: a dialect encodes an event
/// where it has subscribers for it.
package final class EventHub: Sendable {
    private let persistence: any Persistence
    private let listeners: [any EventListener]
    private let workspace: @Sendable (EventRecord) -> String

    /// - Parameters:
    ///   - listeners: Told in this order.
    ///   - workspace: Returns the id of the workspace that a record concerns, from memory; `""` for none.
    package init(
        persistence: any Persistence, listeners: [any EventListener],
        workspace: @escaping @Sendable (EventRecord) -> String = { $0.workspaceID }
    ) {
        self.persistence = persistence
        self.listeners = listeners
        self.workspace = workspace
    }

    /// To be called on the loop, in the order of sequence numbers.
    package func publish(_ record: EventRecord) {
        let record = record.inWorkspace(workspace(record))
        persistence.append([.event(record)])
        tell(.record(record))
    }

    /// To be called on the loop.
    package func publish(_ event: LiveEvent) { tell(.live(event)) }

    private func tell(_ event: PublishedEvent) {
        for listener in listeners { listener.heard(event) }
    }
}
