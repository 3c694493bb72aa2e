package import Core
import Platform

/// A client that stays connected and is sent events.
package protocol Subscriber: AnyObject, Sendable {
    /// Unique among all connections.
    var number: UInt64 { get }
    var caller: Caller { get }
    /// It may answer requests, and is willing to.
    var isApprover: Bool { get }
    func close(reason: String)
}

/// The clients that stay connected.
package final class Subscribers<Client: Subscriber>: Sendable {
    private let polls: EventPolls
    private let clients = Locked<[UInt64: Client]>([:])

    /// - Parameter polls: Clients of the same devices without a connection that stays.
    package init(polls: EventPolls) {
        self.polls = polls
    }

    package func add(_ client: Client) {
        clients.withLock { $0[client.number] = client }
    }

    package func remove(_ client: Client) {
        clients.withLock { $0[client.number] = nil }
    }

    /// Those that may see events.
    package var readers: [Client] { all.filter { $0.caller.may(.read) } }

    private var all: [Client] { clients.withLock { Array($0.values) } }
}

extension Subscribers: ApproverSource {
    package var approvers: Int { all.count { $0.isApprover } }
}

extension Subscribers: DeviceConnections {
    package var devices: Set<String> { Set(all.compactMap(\.caller.deviceID)) }

    package func close(device id: String, reason: String) {
        polls.close(device: id)
        for client in all where client.caller.deviceID == id { client.close(reason: reason) }
    }
}
