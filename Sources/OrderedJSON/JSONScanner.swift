/// Reads the grammar of RFC 8259 from a buffer of bytes. Callers build values or nodes from it.
///
/// Every function starts at the first byte of what it reads and stops behind the last byte.
struct JSONScanner {
    let bytes: [UInt8]
    var position = 0
    /// True if half a surrogate pair was read.
    var hasReadHalf = false
    private let depth: Int
    private var level = 0

    /// - Parameter depth: The deepest nesting of objects and arrays.
    init(_ bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        self.depth = depth
    }

    var isAtEnd: Bool {
        position >= bytes.count
    }

    /// The byte at the position; at the end 0, which is not valid anywhere in JSON.
    var current: UInt8 {
        @inline(__always) get { position < bytes.count ? bytes[position] : 0 }
    }

    @inline(__always)
    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// Reads `{ … }` and calls `member` with each key at the start of its value.
    mutating func object(
        _ member: (inout JSONScanner, _ key: String, _ keyRange: Range<Int>) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try list(until: UInt8(ascii: "}"), named: "object") { scanner throws(JSONSyntaxError) in
            guard scanner.current == UInt8(ascii: "\"") else {
                throw scanner.unexpected(wanted: "a key in double quotes")
            }
            let start = scanner.position
            let key = try scanner.string()
            let keyRange = start..<scanner.position
            scanner.skipSpace()
            guard scanner.current == UInt8(ascii: ":") else { throw scanner.unexpected(wanted: "':' after the key") }
            scanner.position += 1
            scanner.skipSpace()
            try member(&scanner, key, keyRange)
        }
    }

    /// Reads `[ … ]` and calls `element` at the start of each element.
    mutating func array(
        _ element: (inout JSONScanner) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try list(until: UInt8(ascii: "]"), named: "array", element)
    }

    @inline(__always)
    private mutating func list(
        until end: UInt8, named name: StaticString, _ item: (inout JSONScanner) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        guard level < depth else { throw failure("nested deeper than \(depth) levels") }
        level += 1
        position += 1
        skipSpace()
        if current != end {
            try items(until: end, named: name, item)
        }
        position += 1
        level -= 1
    }

    @inline(__always)
    private mutating func items(
        until end: UInt8, named name: StaticString, _ item: (inout JSONScanner) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        while true {
            try item(&self)
            skipSpace()
            if current == end { return }
            guard current == UInt8(ascii: ",") else {
                throw unexpected(wanted: "',' or '\(Character(UnicodeScalar(end)))' in the \(name)")
            }
            let comma = position
            position += 1
            skipSpace()
            if current == end { throw failure("a comma may not follow the last item of an \(name)", at: comma) }
        }
    }

    /// Reads a number and returns its range.
    mutating func number() throws(JSONSyntaxError) -> Range<Int> {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") {
            position += 1
            if isDigit(current) { throw failure("a number may not begin with 0", at: start) }
        } else {
            try digits()
        }
        if current == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if current | 0x20 == UInt8(ascii: "e") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return start..<position
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard isDigit(current) else { throw unexpected(wanted: "a digit") }
        while isDigit(current) { position += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    /// Reads exactly this word: `true`, `false` or `null`.
    mutating func word(_ word: StaticString) throws(JSONSyntaxError) {
        let start = position
        for expected in word.description.utf8 {
            guard current == expected else {
                position = start
                throw unexpected(wanted: "a value")
            }
            position += 1
        }
    }
}
