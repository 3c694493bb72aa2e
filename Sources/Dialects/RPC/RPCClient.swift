package import Core
package import Services
package import Wire

/// The client that a call came from.
package protocol RPCClient: Sendable {
    var caller: Caller { get }
    /// An id that we gave the client, for the log and for other clients.
    var id: String { get }
    /// True if answers travel in frames, which phone clients refuse above `FrameCeiling.bytes`.
    var isFramed: Bool { get }
    /// The workspaces whose events the client gets; nil if it gets none, because it has no connection that stays.
    var subscriptions: WorkspaceSubscriptions? { get }
    func introduce(_ introduction: ClientIntroduction) async
    /// Takes the client's answer to a call of ours. Returns false if nothing was asked with its id.
    func take(_ answer: JSONRPCResponse) async -> Bool
    /// Called with each call in the order in which they came; they may be answered in another.
    func arrived(_ call: JSONRPCMessage)
    /// Called after an answer was sent.
    func answered()
}

extension RPCClient {
    package var subscriptions: WorkspaceSubscriptions? { nil }
    package func take(_ answer: JSONRPCResponse) async -> Bool { false }
    package func arrived(_ call: JSONRPCMessage) {}
    package func answered() {}
}

/// The client's description of itself in `initialize`.
package struct ClientIntroduction: Sendable, Hashable {
    package let name: String
    package let version: String
    /// False if the client will not answer requests though it may.
    package let isApprover: Bool

    package init(name: String, version: String, isApprover: Bool) {
        self.name = name
        self.version = version
        self.isApprover = isApprover
    }
}
