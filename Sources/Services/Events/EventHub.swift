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

    /// - Parameter listeners: Told in this order.
    package init(persistence: any Persistence, listeners: [any EventListener]) {
        self.persistence = persistence
        self.listeners = listeners
    }

    /// To be called on the loop, in the order of sequence numbers.
    package func publish(_ record: EventRecord) {
        persistence.append([.event(record)])
        tell(.record(record))
    }

    /// To be called on the loop.
    package func publish(_ event: LiveEvent) { tell(.live(event)) }

    private func tell(_ event: PublishedEvent) {
        for listener in listeners { listener.heard(event) }
    }
}
