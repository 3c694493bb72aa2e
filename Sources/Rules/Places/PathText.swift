/// Operations on paths as text, byte for byte: Swift's `==` also equates differently encoded names.
package enum PathText {
    package static func same(_ one: String, _ other: String) -> Bool {
        // The count is free to compare and differs for most paths.
        guard one.utf8.count == other.utf8.count else { return false }
        let inOnePiece = one.utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                // Compare from the end, where paths and commands of one project differ.
                bytes.indices.reversed().allSatisfy { bytes[$0] == others[$0] }
            }
        }
        return (inOnePiece ?? nil) ?? one.utf8.elementsEqual(other.utf8)
    }

    /// The part of `path` after `directory`: empty for the directory itself, nil for a path outside. Both are absolute
    /// and normalised.
    static func remainder(of path: String, below directory: String) -> Substring.UTF8View? {
        let path = path.utf8
        if same(directory, "/") { return Substring(path.dropFirst()).utf8 }
        guard path.starts(with: directory.utf8) else { return nil }
        let rest = path.dropFirst(directory.utf8.count)
        guard let first = rest.first else { return Substring(rest).utf8 }
        return first == UInt8(ascii: "/") ? Substring(rest.dropFirst()).utf8 : nil
    }

    static func contains(_ directory: String, _ path: String) -> Bool {
        remainder(of: path, below: directory) != nil
    }

    package static func isAbsolute(_ path: some StringProtocol) -> Bool {
        path.utf8.first == UInt8(ascii: "/")
    }

    /// The bytes as an array: copied at once, and several times as fast to iterate as a text's.
    static func bytes(_ text: Substring.UTF8View) -> [UInt8] {
        text.withContiguousStorageIfAvailable { Array($0) } ?? Array(text)
    }

    static func components(_ path: Substring.UTF8View) -> [Substring.UTF8View] {
        path.split(separator: UInt8(ascii: "/"))
    }

    static func components(_ path: String) -> [Substring.UTF8View] {
        components(Substring(path).utf8)
    }

    /// The first `count` components, found without splitting the rest.
    static func first(_ count: Int, of path: String) -> [Substring.UTF8View] {
        Array(path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: count).prefix(count)).map {
            Substring($0).utf8
        }
    }

    /// The directory, and those above it up to `/`.
    static func upwards(from directory: String) -> some Sequence<String> {
        sequence(first: directory) { same($0, "/") ? nil : PathText.directory(of: $0) }
    }

    /// True if a component is `..`.
    static func holdsParent(_ path: String) -> Bool {
        var dots = 0
        var isDots = true
        for byte in path.utf8 {
            if byte == UInt8(ascii: "/") {
                if isDots, dots == 2 { return true }
                (dots, isDots) = (0, true)
            } else {
                dots += 1
                if byte != UInt8(ascii: ".") { isDots = false }
            }
        }
        return isDots && dots == 2
    }

    /// The absolute path with `.`, `..` and double slashes removed textually, as Claude Code's file tools do first.
    static func normalize(_ path: String, from directory: String) -> String {
        var parts: [Substring.UTF8View] = []
        let whole = isAbsolute(path) ? path : directory + "/" + path
        for part in components(whole) {
            if part.elementsEqual("..".utf8) {
                _ = parts.popLast()
            } else if !part.elementsEqual(".".utf8) {
                parts.append(part)
            }
        }
        return "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
    }

    static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    static func join(_ directory: String, _ name: String) -> String {
        same(directory, "/") ? "/" + name : directory + "/" + name
    }
}
