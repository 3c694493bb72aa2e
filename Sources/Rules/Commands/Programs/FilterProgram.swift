/// A jq filter that can only rearrange its input.
///
/// jq and other programs with its language (gojq in `gh`, jaq) access the environment, files and further input only by
/// names: `env`, `$ENV`, `input`, `import` … So the filter need not be parsed: if all names are fields, keys of an
/// object or functions of the list below, and there is no `$`, the filter cannot access any of that, however it is
/// parsed. In a string a backslash occurs only in `\n`, `\t` and `\(.path)`, so every parser finds the same end of the
/// string.
struct FilterProgram {
    /// The longest filter in bytes.
    private static let limit = 1024

    private let bytes: [UInt8]
    private var position = 0
    private var open: [UInt8] = []
    /// The last byte outside strings that was not a space; 0 at the start and after a string, a number or a name.
    private var before: UInt8 = 0

    static func isPlain(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return false
        }
        var program = FilterProgram(bytes: Array(text.utf8))
        return program.run()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func run() -> Bool {
        while position < bytes.count {
            guard step(bytes[position]) else { return false }
        }
        return open.isEmpty
    }

    private func byte(at offset: Int) -> UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    private mutating func step(_ next: UInt8) -> Bool {
        switch next {
        case UInt8(ascii: " "): position += 1
        case UInt8(ascii: "\""): return text()
        case UInt8(ascii: "."): dot()
        case UInt8(ascii: "@"):
            position += 1
            return name(among: Self.formats)
        case _ where Self.isNameStart(next): return name()
        case _ where ShellCharacters.isDigit(next): return number()
        default: return mark(next)
        }
        return true
    }

    // MARK: - Names

    private static func isNameStart(_ byte: UInt8) -> Bool {
        ShellCharacters.isLetter(byte) || byte == UInt8(ascii: "_")
    }

    private mutating func takeName() -> String {
        let start = position
        while let next = byte(at: position), Self.isNameStart(next) || ShellCharacters.isDigit(next) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads `..`, `.name` or `.`. Every lexer takes the longest token, so `..` comes first. After `.` any name is a
    /// field.
    private mutating func dot() {
        position += 1
        before = UInt8(ascii: ".")
        if byte(at: position) == UInt8(ascii: ".") {
            position += 1
        } else if let next = byte(at: position), Self.isNameStart(next) {
            _ = takeName()
            before = 0
        }
    }

    /// Reads a name. Returns false unless it is a function of the list, or a key of an object: directly after `{` or
    /// `,`, and before `:`, `,` or `}`.
    private mutating func name() -> Bool {
        let mayBeKey =
            open.last == UInt8(ascii: "{") && (before == UInt8(ascii: "{") || before == UInt8(ascii: ","))
        let found = takeName()
        before = 0
        if Self.functions.contains(found) { return true }
        guard mayBeKey, let next = bytes[position...].first(where: { $0 != UInt8(ascii: " ") }) else { return false }
        return ":,}".utf8.contains(next)
    }

    private mutating func name(among names: Set<String>) -> Bool {
        before = 0
        return names.contains(takeName())
    }

    /// Functions that access nothing but their input.
    private static let functions: Set<String> = [
        "add", "all", "and", "any", "arrays", "ascii_downcase", "ascii_upcase", "booleans", "contains", "del", "empty",
        "endswith", "false", "first", "flatten", "floor", "from_entries", "fromjson", "group_by", "has",
        "index", "inside", "join", "keys", "keys_unsorted", "last", "length", "limit", "ltrimstr", "map", "map_values",
        "max", "max_by", "min", "min_by", "not", "nth", "null", "nulls", "numbers", "objects", "or", "paths", "reverse",
        "round", "rtrimstr", "scalars", "select", "sort", "sort_by", "split", "startswith", "strings", "sub", "test",
        "to_entries", "tojson", "tonumber", "tostring", "true", "type", "unique", "unique_by", "values",
        "with_entries",
    ]

    private static let formats: Set<String> = ["csv", "json", "text", "tsv"]

    // MARK: - Strings, numbers, punctuation

    private mutating func text() -> Bool {
        position += 1
        before = 0
        while let next = byte(at: position) {
            position += 1
            if next == UInt8(ascii: "\"") { return true }
            if next == UInt8(ascii: "\\"), !escape() { return false }
        }
        return false
    }

    /// Reads the rest of `\n`, `\t` or `\(.path)`; returns false for any other escape.
    private mutating func escape() -> Bool {
        guard let next = byte(at: position) else { return false }
        position += 1
        if next == UInt8(ascii: "n") || next == UInt8(ascii: "t") { return true }
        guard next == UInt8(ascii: "("), let close = bytes[position...].firstIndex(of: UInt8(ascii: ")")),
            Self.isPath(String(decoding: bytes[position..<close], as: UTF8.self))
        else { return false }
        position = close + 1
        return true
    }

    private static func isPath(_ text: String) -> Bool {
        WordShapes.isProjection(text) && isPlain(text)
    }

    /// Reads digits. Returns false if a letter or `_` follows. (A fraction is read as `.` and digits.)
    private mutating func number() -> Bool {
        while let next = byte(at: position), ShellCharacters.isDigit(next) { position += 1 }
        before = 0
        return byte(at: position).map { !Self.isNameStart($0) } ?? true
    }

    /// Reads an operator or a bracket. Excluded are `$` (variables), `#` (comments) and `*` (repeats strings).
    private mutating func mark(_ next: UInt8) -> Bool {
        switch next {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append(next)
        case UInt8(ascii: ")"): guard open.popLast() == UInt8(ascii: "(") else { return false }
        case UInt8(ascii: "]"): guard open.popLast() == UInt8(ascii: "[") else { return false }
        case UInt8(ascii: "}"): guard open.popLast() == UInt8(ascii: "{") else { return false }
        // `a::b` names a function of a module.
        case UInt8(ascii: ":"): guard byte(at: position + 1) != UInt8(ascii: ":") else { return false }
        case _ where "|,;?=!<>+-/%".utf8.contains(next): break
        default: return false
        }
        position += 1
        before = next
        return true
    }
}
