import Crypto

/// Where people find this daemon: the beginning of every link it gives out. An origin, so it has no path.
package struct BaseURL: Sendable, Hashable, CustomStringConvertible {
    package let isEncrypted: Bool
    /// A host name in lower case, or a numeric address without brackets.
    package let host: String
    package let port: UInt16

    package init(isEncrypted: Bool, host: String, port: UInt16) {
        self.isEncrypted = isEncrypted
        self.host = host
        self.port = port
    }

    /// `https://cdev.example`, `http://192.168.1.5:8766/`; nil for anything that is more or less than that.
    package init?(_ text: String) {
        guard let scheme = ["http", "https"].first(where: { text.lowercased().hasPrefix($0 + "://") }) else {
            return nil
        }
        isEncrypted = scheme == "https"
        var rest = text.dropFirst(scheme.count + 3)
        if rest.last == "/" { rest = rest.dropLast() }
        let isBracketed = rest.first == "["
        guard let end = isBracketed ? rest.firstIndex(of: "]") : rest.firstIndex(of: ":") ?? rest.endIndex,
            let name = CertificateName(String(isBracketed ? rest[rest.startIndex..<end].dropFirst() : rest[..<end])),
            name.text.contains(":") == isBracketed
        else { return nil }
        host = name.text
        let tail = isBracketed ? rest[end...].dropFirst() : rest[end...]
        guard !tail.isEmpty else {
            port = Self.defaultPort(isEncrypted)
            return
        }
        let digits = tail.dropFirst()
        guard tail.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits),
            number > 0
        else { return nil }
        port = number
    }

    /// As a browser writes the origin: no slash at its end, no port where it goes without saying.
    package var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let tail = port == Self.defaultPort(isEncrypted) ? "" : ":\(port)"
        return "\(isEncrypted ? "https" : "http")://\(name)\(tail)"
    }

    private static func defaultPort(_ isEncrypted: Bool) -> UInt16 { isEncrypted ? 443 : 80 }
}
