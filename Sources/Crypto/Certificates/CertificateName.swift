/// A subject alternative name: the address or host that a certificate is valid for.
package enum CertificateName: Sendable, Hashable, Comparable {
    /// Numeric IPv4 or IPv6 address.
    case address(String)
    /// Host name, lower case, without a dot at its end.
    case host(String)

    /// Nil for text that is neither a host name nor an address. Such text could add entries to OpenSSL's notation.
    package init?(_ text: String) {
        let lower = text.lowercased()
        let name = lower.hasSuffix(".") ? String(lower.dropLast()) : lower
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, !name.isEmpty else { return nil }
        if name.contains(":") {
            guard name.utf8.allSatisfy({ Self.isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { return nil }
            self = .address(name)
        } else if labels.count == 4, labels.allSatisfy(Self.isByte) {
            self = .address(name)
        } else {
            // A name whose last label consists of digits is a broken address.
            guard labels.allSatisfy(Self.isLabel), labels.last.map({ !$0.allSatisfy(Self.isDigit) }) ?? false else {
                return nil
            }
            self = .host(name)
        }
    }

    /// OpenSSL's notation of a subject alternative name.
    var notation: String {
        switch self {
        case .address(let text): "IP:\(text)"
        case .host(let text): "DNS:\(text)"
        }
    }

    var isHost: Bool {
        if case .host = self { true } else { false }
    }

    package var text: String {
        switch self {
        case .address(let text), .host(let text): text
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte) }

    private static func isByte(_ label: Substring.UTF8View) -> Bool {
        label.count <= 3 && label.allSatisfy(isDigit) && UInt8(String(decoding: label, as: UTF8.self)) != nil
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        guard (1...63).contains(label.count), label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else {
            return false
        }
        return label.allSatisfy { isDigit($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
