/// `host [":" port]`, as in a Host field and between `//` and the path of an address (RFC 9112 section 3.2, RFC 3986 section 3.2).
package struct Authority: Sendable, Hashable {
    /// As it was written, without brackets. It may be empty in brackets only.
    package let host: String
    /// It stood in brackets, as a numeric IPv6 address does.
    package let isBracketed: Bool
    /// Digits, perhaps none; nil where no colon is.
    package let port: String?

    /// Nil for anything that is more or less than that.
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

    /// Whether the host is a numeric IPv4 or IPv6 address. A colon only gets here in brackets, and nothing else is dotted
    /// digits: a name's last label is never a number.
    package var isNumericAddress: Bool { host.utf8.contains(UInt8(ascii: ":")) || isIPv4 }

    /// It leads to this machine by its spelling alone.
    package var isLoopback: Bool {
        isBracketed ? host == "::1" : host == "localhost" || isIPv4 && host.hasPrefix("127.")
    }

    private var isIPv4: Bool {
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && !$0.hasPrefix("+") }
    }
}
