package import Core

/// The connection a call came from.
package protocol RPCClient: Sendable {
    var caller: Caller { get }
    /// Ours, for this connection.
    var id: String { get }
    /// Answers travel in frames, which phone clients refuse over `FrameCeiling.bytes`.
    var isFramed: Bool { get }
    func introduce(_ introduction: ClientIntroduction) async
}

/// What a client says of itself with `initialize`.
package struct ClientIntroduction: Sendable, Hashable {
    package let name: String
    package let version: String
    /// False where it will not answer questions though it may.
    package let isApprover: Bool

    package init(name: String, version: String, isApprover: Bool) {
        self.name = name
        self.version = version
        self.isApprover = isApprover
    }
}
