package import Wire

/// The proxies whose word about a client's address is taken. It counts for rate limits and for what people are shown,
/// and proves nothing: no request gains a right by it.
package struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    package init(ranges: [AddressRange]) {
        self.ranges = ranges
    }

    /// More than any chain of proxies has.
    private static let longest = 16

    /// The numeric address of the client, as far as it can be known; `local` on the Unix socket.
    package func client(of request: HTTPRequest, from peer: Peer) -> String {
        guard case .tcp(let address, _) = peer.endpoint else { return "local" }
        guard !ranges.isEmpty, trusts(address) else { return address }
        var client = address
        // Each proxy adds whom it heard from at the end, so the end is the part that trusted ones have written.
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
