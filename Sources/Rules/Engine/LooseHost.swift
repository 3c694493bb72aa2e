import Text

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
        if let address = numericAddress(known) { return address }
        return FetchRules.isHost(known.utf8) ? known : nil
    }

    /// An IPv4 address in any of its spellings, `127.1` or `0x7f000001`, as four numbers (URL Standard, "IPv4 parser").
    private static func numericAddress(_ host: String) -> String? {
        let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(number)
        guard (1...4).contains(parts.count), !parts.contains(nil) else { return nil }
        let numbers = parts.compactMap(\.self)
        let (last, before) = (numbers[numbers.count - 1], numbers.dropLast())
        guard before.allSatisfy({ $0 < 256 }), last < 1 << (8 * (5 - numbers.count)) else { return nil }
        let value = before.enumerated().reduce(last) { $0 | $1.element << (8 * (3 - $1.offset)) }
        return (0..<4).map { "\(value >> (8 * (3 - $0)) & 0xFF)" }.joined(separator: ".")
    }

    /// Decimal, octal behind `0`, or hexadecimal behind `0x`.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        let text = Substring(digits)
        if text.hasPrefix("0x") { return text.utf8.count == 2 ? 0 : Int(text.dropFirst(2), radix: 16) }
        guard digits.first != UInt8(ascii: "-"), digits.first != UInt8(ascii: "+") else { return nil }
        return digits.count > 1 && digits.first == UInt8(ascii: "0") ? Int(text, radix: 8) : Int(text)
    }

    /// True if the host has letters that are mapped to others: which, nothing here says.
    static func isUnknown(_ written: [UInt8]) -> Bool {
        scalars(written).contains { scalar in
            !scalar.isASCII && plain(scalar) == nil && !scalar.properties.isDefaultIgnorableCodePoint
                && scalar.properties.changesWhenNFKCCaseFolded
        }
    }

    /// True if a letter is none of ASCII, nor another form of one.
    static func hasForeignLetters(_ written: [UInt8]) -> Bool {
        scalars(written).contains { !$0.isASCII && plain($0) == nil }
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

extension String {
    /// True for a host of which a part stands for letters beyond ASCII.
    var hasPunycode: Bool { utf8.starts(with: "xn--".utf8) || holds(".xn--") }
}

extension Pattern {
    /// True if both are of one host: an older rule may have the number as it was written.
    func isSameHost(as rule: Pattern) -> Bool { LooseHost.name(Array(rule.subject.utf8)) == subject }
}
