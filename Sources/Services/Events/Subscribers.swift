package import Core
import Platform

/// A connected client that events are sent to.
package protocol Subscriber: AnyObject, Sendable {
    /// An event in the form that its dialect sends, made once for all clients.
    associatedtype Message: Sendable

    /// Unique among all connections.
    var number: UInt64 { get }
    /// The id that the client was given, by which others see it.
    var id: String { get }
    var caller: Caller { get }
    /// True if the client may answer requests, and did not say that it will not.
    var isApprover: Bool { get }
    var filter: EventFilter { get }
    func receive(_ message: Message)
    func end(_ end: SubscriptionEnd)
}

extension Subscriber {
    package var id: String { "\(number)" }
}

/// The reason for which a subscription ends.
package enum SubscriptionEnd: Sendable, Hashable {
    /// Its queue is full: it can connect again and ask for the events it missed.
    case queueFull(EventQueueLimits)
    /// The caller was revoked, for this reason.
    case revoked(String)
}

/// The connected clients of one dialect.
package final class Subscribers<Client: Subscriber>: Sendable {
    private let polls: EventPolls
    private let feed: EventFeed<Client>
    private let clients = Locked<[UInt64: Client]>([:])

    /// - Parameters:
    ///   - polls: The polls of the same devices, which are closed with their connections.
    ///   - encode: Makes the dialect's form of an event; called only if a subscriber gets it.
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

    /// True while a client is connected.
    package var isHeard: Bool { clients.withLock { !$0.isEmpty } }

    /// The workspaces that clients subscribed to by their ids.
    package var subscribedWorkspaces: Set<String> {
        all.reduce(into: []) { $0.formUnion($1.filter.namedWorkspaces) }
    }

    private var all: [Client] { clients.withLock { Array($0.values) } }
}

extension Subscribers: EventListener {
    package func heard(_ event: PublishedEvent) {
        let listening = all.filter { event.isFor(client: $0.id) && $0.filter.admits(event, for: $0.caller) }
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
