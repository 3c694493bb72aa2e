package import Wire

/// The proxies whose `X-Forwarded-For` is believed. The client's address is used for rate limits and is shown to
/// people. The address proves nothing, and no request gains a right by it.
package struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    package init(ranges: [AddressRange]) {
        self.ranges = ranges
    }

    /// The number of addresses that are read from the field: more than any chain of proxies adds.
    private static let longest = 16

    /// The numeric address of the client, as far as it can be known; `local` on the Unix socket.
    package func client(of request: HTTPRequest, from peer: Peer) -> String {
        guard case .tcp(let address, _) = peer.endpoint else { return "local" }
        guard !ranges.isEmpty, trusts(address) else { return address }
        var client = address
        // Each proxy appends the address of its own client, so trusted proxies have written the end of the list.
        for hop in request.headers.list("x-forwarded-for").suffix(Self.longest).reversed() {
            guard let bytes = NumericAddress.bytes(hop) else { break }
            client = NumericAddress.text(bytes)
            guard trusts(client) else { break }
        }
        return client
    }

    private func trusts(_ address: String) -> Bool {
        guard let bytes = NumericAddress.bytes(address) else { return false }
        return ranges.contains { $0.contains(bytes) }
    }
}
