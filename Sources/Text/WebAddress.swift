/// The parts of an address with an authority, `https://host:port/path` (RFC 3986 section 3).
package struct WebAddress: Sendable, Hashable {
    package let text: String
    /// In lower case: `https`.
    package let scheme: String
    package let authority: Authority
    /// True if a user, perhaps with a password, stands before the host.
    package let hasUser: Bool
    /// Path, query and fragment with their separators.
    package let rest: String
    /// True if the text is visible ASCII without a backslash. All URL parsers split such a text alike.
    package let isPlain: Bool

    /// Nil without `://` and a host after it.
    package init?(_ text: String) {
        guard let sign = text.firstPlace(of: "://") else { return nil }
        let behind = text[sign.upperBound...]
        // Browsers read a backslash as a slash.
        let part = behind.prefix { !"/?#\\".contains($0) }
        let pieces = part.split(separator: "@", omittingEmptySubsequences: false)
        guard let authority = Authority(pieces.last ?? part) else { return nil }
        self.text = text
        scheme = text[..<sign.lowerBound].lowercased()
        self.authority = authority
        hasUser = pieces.count > 1
        rest = String(behind[part.endIndex...])
        isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
    }

    /// True if this is an http or https address of plain characters without a user.
    package var isOfWeb: Bool { isPlain && !hasUser && (scheme == "http" || scheme == "https") }

    package var isSecure: Bool { scheme == "https" }
}
