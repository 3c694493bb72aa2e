import Glibc

/// A numeric address, or a range in CIDR notation: `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`.
package struct AddressRange: Sendable, Hashable {
    private let bytes: [UInt8]
    private let bits: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let bytes = NumericAddress.bytes(String(parts[0])) else { return nil }
        var bits = bytes.count * 8
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]), number <= bits
            else { return nil }
            bits = number
        }
        self.bytes = bytes
        self.bits = bits
    }

    func contains(_ address: [UInt8]) -> Bool {
        guard address.count == bytes.count else { return false }
        return (0..<bits).allSatisfy { bit in
            (address[bit / 8] ^ bytes[bit / 8]) & (0x80 >> (bit % 8)) == 0
        }
    }
}

/// Converts numeric addresses to bytes and back, so that each address has one spelling.
enum NumericAddress {
    /// Returns 4 or 16 bytes; `nil` if the text is no address. An IPv4 address mapped into IPv6 counts as IPv4.
    static func bytes(_ text: String) -> [UInt8]? {
        var v4 = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, text, &v4) == 1 { return v4 }
        var v6 = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        let isMapped = v6[..<10].allSatisfy { $0 == 0 } && v6[10] == 0xFF && v6[11] == 0xFF
        return isMapped ? Array(v6[12...]) : v6
    }

    static func text(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
