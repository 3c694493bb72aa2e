/// A host as it may be written in an address: escaped, or in other forms of its letters, which URL parsers map to the plain
/// ones (UTS #46).
enum LooseHost {
    /// The plain host; `nil` where it is none.
    static func name(_ written: [UInt8]) -> String? {
        var host = String.UnicodeScalarView()
        for scalar in scalars(written) where !scalar.properties.isDefaultIgnorableCodePoint {
            host.append(plain(scalar) ?? scalar)
        }
        let name = String(host)
        let end = name.utf8.lastIndex { $0 != UInt8(ascii: ".") }.map(name.utf8.index(after:)) ?? name.startIndex
        let known = String(name[..<end])
        return FetchRules.isHost(known.utf8) ? known : nil
    }

    /// True if the host has letters that are mapped to others: which, nothing here says.
    static func isUnknown(_ written: [UInt8]) -> Bool {
        scalars(written).contains { scalar in
            !scalar.isASCII && plain(scalar) == nil && !scalar.properties.isDefaultIgnorableCodePoint
                && scalar.properties.changesWhenNFKCCaseFolded
        }
    }

    /// The characters, without escapes and in small letters.
    private static func scalars(_ written: [UInt8]) -> String.UnicodeScalarView {
        var bytes: [UInt8] = []
        var rest = written[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self).lowercased().unicodeScalars
    }

    /// The plain form of a full-width character, and of a full stop of another script.
    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
        case 0x3002, 0xFF61: "."
        default: nil
        }
    }
}
