/// A request target in origin, absolute or asterisk form (RFC 9112 section 3.2). The authority form is refused: it
/// belongs to CONNECT, which is for proxies.
struct HTTPTarget: Sendable {
    let authority: String?
    let path: String
    let query: String?

    init(authority: String?, path: String, query: String?) {
        self.authority = authority
        self.path = path
        self.query = query
    }

    init?(_ target: String) {
        if target.utf8.first == UInt8(ascii: "/") {
            self.init(authority: nil, rest: target[...])
        } else if target == "*" {
            self.init(authority: nil, path: "*", query: nil)
        } else if let (authority, rest) = Self.splitAbsolute(target) {
            self.init(authority: authority, rest: rest)
        } else {
            return nil
        }
    }

    private init(authority: String?, rest: Substring) {
        let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
        let path = rest[..<(mark ?? rest.endIndex)]
        // An absolute target may have an empty path.
        self.path = path.isEmpty ? "/" : String(path)
        query = mark.map { String(rest[rest.utf8.index(after: $0)...]) }
        self.authority = authority
    }

    private static func splitAbsolute(_ target: String) -> (authority: String, rest: Substring)? {
        for scheme in ["http://", "https://"]
        where ByteClass.equalIgnoringCase(target.utf8.prefix(scheme.utf8.count), scheme.utf8) {
            let afterScheme = target[target.utf8.index(target.startIndex, offsetBy: scheme.utf8.count)...]
            let end = afterScheme.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            let authority = afterScheme[..<(end ?? afterScheme.endIndex)]
            guard !authority.isEmpty, authority.utf8.allSatisfy(ByteClass.isAuthority) else { return nil }
            return (String(authority), afterScheme[authority.endIndex...])
        }
        return nil
    }
}
