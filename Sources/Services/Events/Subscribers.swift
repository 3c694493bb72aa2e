package import Core
import Platform

/// A client that stays connected and is sent events.
package protocol Subscriber: AnyObject, Sendable {
    /// An event in the form that its dialect sends, made once for all clients.
    associatedtype Message: Sendable

    /// Unique among all connections.
    var number: UInt64 { get }
    var caller: Caller { get }
    /// It may answer requests, and is willing to.
    var isApprover: Bool { get }
    var filter: EventFilter { get }
    func receive(_ message: Message)
    func end(_ end: SubscriptionEnd)
}

/// The reason for which a subscriber is sent nothing more.
package enum SubscriptionEnd: Sendable, Hashable {
    /// More waits for it than may: it can connect again and ask for what it missed.
    case queueFull(EventQueueLimits)
    /// The caller may hear nothing any more, for this reason.
    case revoked(String)
}

/// The clients of one dialect that stay connected.
package final class Subscribers<Client: Subscriber>: Sendable {
    private let polls: EventPolls
    private let feed: EventFeed<Client>
    private let clients = Locked<[UInt64: Client]>([:])

    /// - Parameters:
    ///   - polls: Clients of the same devices without a connection that stays.
    ///   - encode: Makes the dialect's form of an event; called only where somebody is told of it.
    package init(
        polls: EventPolls, threads: any EventThreads, limits: EventQueueLimits = EventQueueLimits(),
        encode: @escaping @Sendable (PublishedEvent) -> Client.Message
    ) {
        self.polls = polls
        feed = EventFeed(threads: threads, limits: limits, encode: encode)
    }

    package func add(_ client: Client) {
        clients.withLock { $0[client.number] = client }
    }

    package func remove(_ client: Client) {
        clients.withLock { $0[client.number] = nil }
    }

    private var all: [Client] { clients.withLock { Array($0.values) } }
}

extension Subscribers: EventListener {
    package func heard(_ event: PublishedEvent) {
        let listening = all.filter { $0.filter.admits(event, for: $0.caller) }
        if !listening.isEmpty { feed.give(event, to: listening) }
    }
}

extension Subscribers: ApproverSource {
    package var approvers: Int { all.count { $0.isApprover } }
}

extension Subscribers: DeviceConnections {
    package var devices: Set<String> { Set(all.compactMap(\.caller.deviceID)) }

    package func close(device id: String, reason: String) {
        polls.close(device: id)
        for client in all where client.caller.deviceID == id { client.end(.revoked(reason)) }
    }
}
