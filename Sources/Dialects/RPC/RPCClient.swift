package import Core

/// The client that a call came from.
package protocol RPCClient: Sendable {
    var caller: Caller { get }
    /// An id that we gave the client, for the log.
    var id: String { get }
    /// True if answers travel in frames, which phone clients refuse above `FrameCeiling.bytes`.
    var isFramed: Bool { get }
    func introduce(_ introduction: ClientIntroduction) async
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
