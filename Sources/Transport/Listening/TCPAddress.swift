/// A numeric address and a port of this machine.
package struct TCPAddress: Sendable, Equatable, CustomStringConvertible {
    /// Without brackets or zone: `127.0.0.1`, `::1`.
    package let host: String
    package let port: UInt16
    package let isLoopback: Bool

    /// The form of a `Host` field: `127.0.0.1:8766`, `[::1]:8766`.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
