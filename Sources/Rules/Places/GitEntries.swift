/// The entries of a file of git's settings, in their order.
///
/// Where git would refuse the file, reading goes on with what may be meant: every entry counts that some version of git may
/// take. See "CONFIGURATION FILE" in git-config(1).
struct GitEntries {
    struct Entry {
        /// In lower case.
        let section: String
        /// The part in quotes: `origin` of `[remote "origin"]`; empty without one.
        let name: String
        /// In lower case.
        let key: String
        /// Without quotes, escapes and comments; empty for a key alone.
        let value: String
    }

    /// The file that a value names.
    /// - Parameter directory: from which the path counts, unless it begins with `~/`, or with another user's `~name/`.
    static func place(_ value: String, from directory: String, home: String) -> String {
        // Since git 2.52 a file so named may be missing.
        let path = value.utf8.starts(with: optional.utf8) ? String(value.dropFirst(optional.count)) : value
        guard path.utf8.first == UInt8(ascii: "~") else { return PathText.normalize(path, from: directory) }
        return path.utf8.dropFirst().first == UInt8(ascii: "/")
            ? PathText.normalize(String(path.dropFirst(2)), from: home)
            : PathText.normalize(String(path.dropFirst()), from: PathText.directory(of: home))
    }

    private static let optional = ":(optional)"

    private(set) var list: [Entry] = []
    private let bytes: [UInt8]
    private var position = 0
    private var section = ""
    private var name = ""

    init(_ text: String) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        bytes = Array(text.utf8.starts(with: mark) ? text.utf8.dropFirst(mark.count) : text.utf8[...])
        while let byte = next {
            switch byte {
            case UInt8(ascii: "#"), UInt8(ascii: ";"): skipLine()
            case UInt8(ascii: "["): header()
            case _ where Self.isOfKey(byte): entry()
            default: position += 1
            }
        }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipLine() {
        while let byte = next, byte != 0x0A { position += 1 }
    }

    /// `[section]`, `[section "name"]` or the old `[section.name]`. An entry may follow on the same line.
    private mutating func header() {
        position += 1
        let front = take { $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "\"") && $0 != 0x0A }
        let parts = front.filter { $0 > 0x20 }.split(separator: UInt8(ascii: "."), maxSplits: 1)
        section = parts.first.map(Self.lowered) ?? ""
        name = parts.count > 1 ? Self.lowered(parts[1]) : ""
        guard next == UInt8(ascii: "\"") else { return }
        position += 1
        var quoted: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\""), byte != 0x0A {
            if byte == UInt8(ascii: "\\") { position += 1 }
            if let byte = next { quoted.append(byte) }
            position += 1
        }
        name = String(decoding: quoted, as: UTF8.self)
        _ = take { $0 != UInt8(ascii: "]") && $0 != 0x0A }
    }

    private mutating func entry() {
        let key = take(while: Self.isOfKey)
        _ = take { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == 0x0D }
        var value: [UInt8] = []
        if next == UInt8(ascii: "=") {
            position += 1
            value = readValue()
        }
        list.append(
            Entry(section: section, name: name, key: Self.lowered(key), value: String(decoding: value, as: UTF8.self)))
    }

    /// The rest of the line, and of the next where a backslash ends it.
    private mutating func readValue() -> [UInt8] {
        var value: [UInt8] = []
        var isQuoted = false
        while let byte = next, byte != 0x0A {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\"): escape(&value)
            case UInt8(ascii: "#"), UInt8(ascii: ";"):
                guard isQuoted else {
                    skipLine()
                    return Self.trimmed(value)
                }
                value.append(byte)
            default: value.append(byte)
            }
        }
        return Self.trimmed(value)
    }

    private mutating func escape(_ value: inout [UInt8]) {
        if next == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A { position += 1 }
        guard let byte = next else { return }
        position += 1
        switch byte {
        case 0x0A: break
        case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "b"): value.append(UInt8(ascii: " "))
        default: value.append(byte)
        }
    }

    private mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, isTaken(byte) { position += 1 }
        return bytes[start..<position]
    }

    private static func trimmed(_ value: [UInt8]) -> [UInt8] {
        let isPlain = { (byte: UInt8) in byte > 0x20 }
        guard let first = value.firstIndex(where: isPlain), let last = value.lastIndex(where: isPlain) else {
            return []
        }
        return Array(value[first...last])
    }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || byte == UInt8(ascii: "-")
    }

    private static func lowered(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: SensitiveNames.folded(Array(bytes)), as: UTF8.self)
    }
}
