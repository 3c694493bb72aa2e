import Rules

/// A path in a workspace's repository: bytes, relative to the workspace's directory.
package struct GitPath: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The path that `text` stands for. `nil` for an empty one, for one that leads out of the workspace, and for a
    /// quoted one that is not well-formed.
    package init?(text: String) {
        let bytes = Array(text.utf8)
        guard let path = bytes.first == UInt8(ascii: "\"") ? QuotedPath.whole(bytes[...]) : bytes,
            !path.isEmpty, !path.contains(0), path.first != UInt8(ascii: "/")
        else { return nil }
        let components = path.split(separator: UInt8(ascii: "/"))
        guard !components.contains(where: { $0.elementsEqual("..".utf8) }) else { return nil }
        self.bytes = path
    }

    /// The path as text. Text that begins with `"` is a path in git's quoted form; a path gets that form if it is not
    /// UTF-8, or itself begins with `"`.
    package var text: String {
        guard bytes.first != UInt8(ascii: "\""), let text = String(validating: bytes, as: UTF8.self) else {
            return QuotedPath.text(of: bytes)
        }
        return text
    }

    /// True for `.git` and what lies below it, of this repository or of one inside.
    package var isGitsOwn: Bool { bytes.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(".git".utf8) } }

    /// True if its content is for callers with the right to drive only.
    package var isSensitive: Bool { SensitivePath.isSensitive(bytes) }

    /// The path without the directory `prefix`, which ends in `/`; `nil` if it is not below that directory.
    package func below(_ prefix: [UInt8]) -> GitPath? {
        guard bytes.starts(with: prefix), bytes.count > prefix.count else { return nil }
        return GitPath(bytes.dropFirst(prefix.count))
    }
}

/// A path in double quotes with the escapes of C, as git prints one that has special bytes.
enum QuotedPath {
    private static let letters: [(letter: UInt8, byte: UInt8)] = [
        (UInt8(ascii: "a"), 7), (UInt8(ascii: "b"), 8), (UInt8(ascii: "t"), 9), (UInt8(ascii: "n"), 10),
        (UInt8(ascii: "v"), 11), (UInt8(ascii: "f"), 12), (UInt8(ascii: "r"), 13), (UInt8(ascii: "\""), 34),
        (UInt8(ascii: "\\"), 92),
    ]

    static func text(of path: [UInt8]) -> String {
        var quoted = [UInt8(ascii: "\"")]
        for byte in path {
            if let escape = letters.first(where: { $0.byte == byte }) {
                quoted += [UInt8(ascii: "\\"), escape.letter]
            } else if byte < 0x20 || byte >= 0x7F {
                quoted += [UInt8(ascii: "\\"), 48 + byte >> 6, 48 + byte >> 3 & 7, 48 + byte & 7]
            } else {
                quoted.append(byte)
            }
        }
        return String(decoding: quoted + [UInt8(ascii: "\"")], as: UTF8.self)
    }

    /// The bytes of the quoted path that `text` is; `nil` if it is none, or more.
    static func whole(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard let quoted = bytes(of: text), quoted.rest.isEmpty else { return nil }
        return quoted.bytes
    }

    /// The bytes of a quoted path that `text` begins with, and what follows it. `nil` if it is not well-formed.
    static func bytes(of text: ArraySlice<UInt8>) -> (bytes: [UInt8], rest: ArraySlice<UInt8>)? {
        guard text.first == UInt8(ascii: "\"") else { return nil }
        var rest = text.dropFirst()
        var path: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return (path, rest)
            case UInt8(ascii: "\\"):
                guard let escaped = escaped(&rest) else { return nil }
                path.append(escaped)
            default: path.append(byte)
            }
        }
        return nil
    }

    private static func escaped(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        guard let first = rest.popFirst() else { return nil }
        if let escape = letters.first(where: { $0.letter == first }) { return escape.byte }
        let digits = [first] + rest.prefix(2)
        guard digits.count == 3, digits.allSatisfy({ 48...55 ~= $0 }), first < 52 else { return nil }
        rest = rest.dropFirst(2)
        return digits.reduce(0) { $0 << 3 | ($1 - 48) }
    }
}
