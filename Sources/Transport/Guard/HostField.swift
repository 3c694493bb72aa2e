/// `host [":" port]` as in a Host field (RFC 9112 section 3.2).
package enum HostField {
    /// The name without brackets and the digits of the port, which may be empty; nil if it is neither.
    package static func split(_ text: String) -> (name: String, port: String)? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let name = String(text[text.index(after: text.startIndex)..<end])
            return port(text[text.index(after: end)...]).map { (name, $0) }
        }
        let name = text.prefix { $0 != ":" }
        guard !name.isEmpty else { return nil }
        return port(text[name.endIndex...]).map { (String(name), $0) }
    }

    private static func port(_ rest: Substring) -> String? {
        if rest.isEmpty { return "" }
        let digits = rest.dropFirst()
        guard rest.first == ":", digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return String(digits)
    }

    /// Whether the name is an IPv4 or IPv6 address. A colon only gets here in brackets, and nothing else is dotted
    /// digits: a name's last label is never a number.
    static func isNumericAddress(_ name: String) -> Bool {
        if name.contains(":") { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && !$0.hasPrefix("+") }
    }
}
