/// `host [":" port]`, as in a Host field and between `//` and the path of an address (RFC 9112 section 3.2, RFC 3986
/// section 3.2).
package struct Authority: Sendable, Hashable {
    /// As it was written, without brackets. A host without brackets is never empty.
    package let host: String
    /// True if the host stood in brackets, as a numeric IPv6 address does.
    package let isBracketed: Bool
    /// The digits after the colon, perhaps none; nil without a colon.
    package let port: String?

    /// Nil unless the whole text is one host with an optional port. A port of more than 65535 is not refused.
    package init?(_ text: some StringProtocol) {
        let text = Substring(text)
        isBracketed = text.utf8.first == UInt8(ascii: "[")
        let rest: Substring
        if isBracketed {
            guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = String(text[text.utf8.index(after: text.startIndex)..<end])
            rest = text[text.utf8.index(after: end)...]
        } else {
            let name = text.prefix { $0 != ":" }
            guard !name.isEmpty else { return nil }
            host = String(name)
            rest = text[name.endIndex...]
        }
        guard !rest.isEmpty else {
            port = nil
            return
        }
        let digits = rest.dropFirst()
        guard rest.utf8.first == UInt8(ascii: ":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        port = String(digits)
    }

    /// True if the host is a numeric IPv4 or IPv6 address. Only a host in brackets can hold a colon, and no host name
    /// consists of four numbers: a name's last label is never a number.
    package var isNumericAddress: Bool { host.utf8.contains(UInt8(ascii: ":")) || isIPv4 }

    /// True if the host is `localhost`, `127.…` or `[::1]`. No name is resolved.
    package var isLoopback: Bool {
        isBracketed ? host == "::1" : host == "localhost" || isIPv4 && host.hasPrefix("127.")
    }

    private var isIPv4: Bool {
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && !$0.hasPrefix("+") }
    }
}
