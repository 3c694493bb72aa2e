import Core
import Platform

/// The most that may wait to be encoded for one subscriber.
package struct EventQueueLimits: Sendable, Hashable {
    package var events: Int
    package var bytes: Int

    package init(events: Int = 10_000, bytes: Int = 256 << 20) {
        self.events = events
        self.bytes = bytes
    }
}

/// Encodes events for the subscribers of one dialect, each event once, and delivers them in order. A small event is
/// encoded at once; a large one on a thread beside the loop, and later events wait behind it. A subscriber with a full
/// queue is closed; it can connect again and ask the replay for the events it missed.
final class EventFeed<Client: Subscriber>: Sendable {
    private struct Load {
        var events = 0
        var bytes = 0
    }

    private struct State {
        /// Events that are being encoded or wait for that.
        var underWay = 0
        /// The part of them that each subscriber waits for.
        var loads: [UInt64: Load] = [:]
    }

    private let threads: any EventThreads
    private let limits: EventQueueLimits
    private let encode: @Sendable (PublishedEvent) -> Client.Message
    private let state = Locked(State())

    init(
        threads: any EventThreads, limits: EventQueueLimits,
        encode: @escaping @Sendable (PublishedEvent) -> Client.Message
    ) {
        self.threads = threads
        self.limits = limits
        self.encode = encode
    }

    /// To be called on the loop.
    func give(_ event: PublishedEvent, to clients: [Client]) {
        guard event.size > WorkLane.bytesAtOnce || state.withLock({ $0.underWay > 0 }) else {
            return deliver(encode(event), to: clients)
        }
        let admitted = clients.filter { admit(event, for: $0) }
        guard !admitted.isEmpty else { return }
        state.withLock { $0.underWay += 1 }
        threads.beside(weight: event.size) { [self] in
            let message = encode(event)
            threads.onLoop {
                self.finish(event, for: admitted)
                self.deliver(message, to: admitted)
            }
        }
    }

    private func deliver(_ message: Client.Message, to clients: [Client]) {
        for client in clients { client.receive(message) }
    }

    /// Adds the event to the subscriber's queue. If the queue is full, returns false and closes the subscriber.
    private func admit(_ event: PublishedEvent, for client: Client) -> Bool {
        let isAdmitted = state.withLock { state in
            let load = state.loads[client.number] ?? Load()
            guard load.events < limits.events, load.events == 0 || load.bytes + event.size <= limits.bytes else {
                return false
            }
            state.loads[client.number] = Load(events: load.events + 1, bytes: load.bytes + event.size)
            return true
        }
        if !isAdmitted { client.end(.queueFull(limits)) }
        return isAdmitted
    }

    private func finish(_ event: PublishedEvent, for clients: [Client]) {
        state.withLock { state in
            state.underWay -= 1
            for client in clients {
                guard let load = state.loads[client.number] else { continue }
                state.loads[client.number] =
                    load.events > 1 ? Load(events: load.events - 1, bytes: load.bytes - event.size) : nil
            }
        }
    }
}
