package import Core

/// The sender of a request, as the authenticator determined it before any handler ran. A class, so that a held request
/// keeps one pointer.
package final class Sender: Sendable {
    package let caller: Caller
    /// Numeric address, or `local` for the Unix socket. For rate limits and for people to read; never a reason to trust
    /// the sender.
    package let address: String
    /// True if the request came over the Unix socket.
    package let isLocal: Bool
    /// Number of the connection; unique while the server runs.
    package let connection: UInt64

    package init(caller: Caller, address: String, isLocal: Bool, connection: UInt64) {
        self.caller = caller
        self.address = address
        self.isLocal = isLocal
        self.connection = connection
    }

    /// The key by which rate limits count: the address, or the first four groups of an IPv6 address, because a sender
    /// with one address of such a network has all of them.
    package var network: String {
        guard address.contains(":"), !address.hasPrefix("::ffff:") else { return address }
        let groups = address.prefix { $0 != "%" }.split(separator: ":", omittingEmptySubsequences: false)
        // `::` stands for the missing zeros.
        guard let gap = groups.firstIndex(of: ""), gap > 0, gap < 4 else {
            return groups.prefix(4).joined(separator: ":")
        }
        return groups.prefix(gap).joined(separator: ":") + "::"
    }
}
