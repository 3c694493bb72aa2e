import CPlatform

/// What is known about the other end of a connection, by proof of the kernel.
package struct Peer: Sendable, Equatable {
    package enum Endpoint: Sendable, Equatable {
        /// User and process that connected. The process may have ended since, and its number may be another's now: see `acceptedAt`.
        case unix(uid: UInt32, pid: Int32)
        /// Numeric address without port.
        case tcp(address: String, isLoopback: Bool)
    }

    package let endpoint: Endpoint
    /// Counts up from 1 in order of connection, over all listeners of one server.
    package let connectionID: UInt64
    /// Whether nobody on the way can read along: TLS, up to this process.
    package let isEncrypted: Bool
    /// When the connection was accepted, in milliseconds since the machine was started: who has the peer's pid and began
    /// later is another process.
    package let acceptedAt: Int64

    package init(
        endpoint: Endpoint, connectionID: UInt64, isEncrypted: Bool = false, acceptedAt: Int64 = 0
    ) {
        self.acceptedAt = acceptedAt
        self.endpoint = endpoint
        self.connectionID = connectionID
        self.isEncrypted = isEncrypted
    }
}

extension Peer.Endpoint {
    /// - Returns: nil if the peer has gone already.
    static func ofUnixSocket(_ descriptor: Int32) -> Peer.Endpoint? {
        var uid: UInt32 = 0
        var pid: Int32 = 0
        guard cplatform_peer_credentials(descriptor, &uid, &pid) == 0 else { return nil }
        return .unix(uid: uid, pid: pid)
    }

    /// - Returns: nil if the peer has gone already.
    static func ofTCPSocket(_ descriptor: Int32) -> Peer.Endpoint? {
        var address = cplatform_address()
        guard cplatform_peer_address(descriptor, &address) == 0 else { return nil }
        let (text, isLoopback) = TCPSockets.numeric(address)
        return .tcp(address: text, isLoopback: isLoopback)
    }
}

extension Peer {
    var isUnix: Bool { !isTCP }

    package var isTCP: Bool {
        if case .tcp = endpoint { true } else { false }
    }
}
