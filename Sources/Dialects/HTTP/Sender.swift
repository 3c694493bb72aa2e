package import Core

/// Who sent a request, as the authenticator found before any handler saw it. A class: a call that is held keeps one
/// pointer.
package final class Sender: Sendable {
    package let caller: Caller
    /// Numeric, or `local` for the Unix socket; for limits and for people to read, never a reason to trust it.
    package let address: String
    /// Whether it came over the Unix socket.
    package let isLocal: Bool
    /// Of the connection; unique while the server runs.
    package let connection: UInt64

    package init(caller: Caller, address: String, isLocal: Bool, connection: UInt64) {
        self.caller = caller
        self.address = address
        self.isLocal = isLocal
        self.connection = connection
    }

    /// What limits count by: of an IPv6 address the first four groups, for whoever has one has the rest of them too.
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
