/// Tells public addresses from special-purpose ones, by the registries of RFC 6890.
package enum PublicAddress {
    /// - Parameter bytes: 4 of IPv4 or 16 of IPv6, in network order; anything else is not public.
    package static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: !special4.contains { matches(bytes, $0.bytes, bits: $0.bits) }
        case 16: isPublic6(bytes)
        default: false
        }
    }

    private static func isPublic6(_ bytes: [UInt8]) -> Bool {
        // An IPv4 address within IPv6 (mapped, or NAT64) is treated as the IPv4 address that it reaches.
        let prefixes: [[UInt8]] = [
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0],
        ]
        if prefixes.contains(where: { bytes.starts(with: $0) }) { return isPublic(Array(bytes.suffix(4))) }
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        return !special6.contains { matches(bytes, $0.bytes, bits: $0.bits) }
    }

    private static func matches(_ address: [UInt8], _ prefix: [UInt8], bits: Int) -> Bool {
        let whole = bits / 8
        guard address.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
        let rest = bits % 8
        return rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0
    }

    private static let special4: [(bytes: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
        ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    /// Within 2000::/3: protocol assignments with Teredo, documentation, 6to4.
    private static let special6: [(bytes: [UInt8], bits: Int)] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF, 0x00], 20),
    ]
}
