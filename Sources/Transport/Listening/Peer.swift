import CPlatform

/// The other end of a connection, as the kernel reports it.
package struct Peer: Sendable, Equatable {
    package enum Endpoint: Sendable, Equatable {
        /// The user and the process that connected. The process may have ended since, and another one may have its pid:
        /// see `acceptedAt`.
        case unix(uid: UInt32, pid: Int32)
        /// The numeric address without the port.
        case tcp(address: String, isLoopback: Bool)
    }

    package let endpoint: Endpoint
    /// Counts up from 1 in order of connection, over all listeners of one server.
    package let connectionID: UInt64
    /// True if the connection speaks TLS that ends in this process, so that nobody on the way can read it.
    package let isEncrypted: Bool
    /// The time at which the connection was accepted, in milliseconds since the machine was started. A process with the
    /// peer's pid that was started later is another process.
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
    /// Returns `nil` if the peer is already gone.
    static func ofUnixSocket(_ descriptor: Int32) -> Peer.Endpoint? {
        var uid: UInt32 = 0
        var pid: Int32 = 0
        guard cplatform_peer_credentials(descriptor, &uid, &pid) == 0 else { return nil }
        return .unix(uid: uid, pid: pid)
    }

    /// Returns `nil` if the peer is already gone.
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
