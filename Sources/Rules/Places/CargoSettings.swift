import Text

/// The parts of a `Cargo.toml`, or of cargo's own settings, that say where packages lie.
struct CargoSettings {
    struct Path {
        let text: String
        /// True for a text with escapes, or of several lines, which is not read here.
        let isUnknown: Bool
    }

    /// The paths of packages: members of a workspace, dependencies, replacements, and the workspace itself.
    private(set) var paths: [Path] = []
    /// True if a table `[workspace]` begins, which excludes no package: cargo searches no further.
    private(set) var isOfWorkspace = false
    private(set) var mayBeOfWorkspace: Bool

    private var rest: ArraySlice<UInt8>
    private var key: [UInt8] = []
    private var last = Path(text: "", isUnknown: false)

    init(_ text: String) {
        mayBeOfWorkspace = text.holds("workspace") || text.holds("\\")
        rest = Array(text.utf8)[...]
        let hasTable = text.pieces(at: "\n").contains { line in
            line.utf8.filter { $0 > 0x20 }.starts(with: "[workspace]".utf8)
        }
        // A text of several lines may look like a table.
        isOfWorkspace = hasTable && !text.holds("exclude") && !text.holds("\"\"\"") && !text.holds("'''")
        while let byte = rest.first { take(byte) }
    }

    private mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "#"): rest = rest.drop { $0 != 0x0A }
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            last = string(byte)
            if Self.namesPaths(key) { paths.append(last) }
        case UInt8(ascii: "="):
            // A name with escapes may be any.
            key = Array((last.isUnknown ? "path" : last.text).utf8)
            last = Path(text: "", isUnknown: false)
            rest.removeFirst()
        case _ where Self.isOfName(byte):
            let word = rest.prefix(while: Self.isOfName)
            last = Path(text: String(decoding: word, as: UTF8.self), isUnknown: false)
            rest = rest[word.endIndex...]
        default: rest.removeFirst()
        }
    }

    private mutating func string(_ quote: UInt8) -> Path {
        let isLong = rest.starts(with: [quote, quote, quote])
        let end = isLong ? [quote, quote, quote] : [quote]
        rest = rest.dropFirst(end.count)
        let isRaw = quote == UInt8(ascii: "'")
        var value: [UInt8] = []
        var hasEscape = false
        while let byte = rest.first, isLong || byte != 0x0A, !rest.starts(with: end) {
            value.append(byte)
            let isEscape = !isRaw && byte == UInt8(ascii: "\\")
            hasEscape = hasEscape || isEscape
            rest = rest.dropFirst(isEscape ? 2 : 1)
        }
        rest = rest.dropFirst(end.count)
        return Path(text: String(decoding: value, as: UTF8.self), isUnknown: isLong || hasEscape)
    }

    /// True for a key, also behind dots: `workspace.members`.
    private static func namesPaths(_ key: [UInt8]) -> Bool {
        let last = key.split(separator: UInt8(ascii: ".")).last ?? []
        return ["default-members", "members", "path", "paths", "workspace"].contains { last.elementsEqual($0.utf8) }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || "_-.".utf8.contains(byte)
    }
}
