package import Core

/// A part of the daemon that is told of every event.
package protocol EventListener: Sendable {
    /// Called on the loop, in the order of sequence numbers; never waits.
    func heard(_ event: PublishedEvent)
}

/// Gives each event to the record, and then to everybody who listens. Nothing is encoded here: a listener that speaks a
/// dialect does so where it has subscribers that want the event.
package final class EventHub: Sendable {
    private let persistence: any Persistence
    private let listeners: [any EventListener]

    /// - Parameter listeners: Told in this order.
    package init(persistence: any Persistence, listeners: [any EventListener]) {
        self.persistence = persistence
        self.listeners = listeners
    }

    /// Call it on the loop, in the order of sequence numbers.
    package func publish(_ record: EventRecord) {
        persistence.append([.event(record)])
        tell(.record(record))
    }

    /// Call it on the loop.
    package func publish(_ event: LiveEvent) { tell(.live(event)) }

    private func tell(_ event: PublishedEvent) {
        for listener in listeners { listener.heard(event) }
    }
}
