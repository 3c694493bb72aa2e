/// An address with an authority, `https://host:port/path`, taken apart (RFC 3986 section 3).
package struct WebAddress: Sendable, Hashable {
    package let text: String
    /// In lower case: `https`.
    package let scheme: String
    package let authority: Authority
    /// A user, perhaps with a password, stands before the host.
    package let hasUser: Bool
    /// Path, query and fragment, with what parts them.
    package let rest: String
    /// Of visible ASCII without a backslash: what all readers of addresses take apart alike.
    package let isPlain: Bool

    /// Nil where no host can be told.
    package init?(_ text: String) {
        guard let sign = text.firstPlace(of: "://") else { return nil }
        let behind = text[sign.upperBound...]
        // Browsers take a backslash for a slash.
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

    /// http or https, of plain characters and without a user.
    package var isOfWeb: Bool { isPlain && !hasUser && (scheme == "http" || scheme == "https") }

    package var isSecure: Bool { scheme == "https" }
}
