import Glibc

/// Walks over the members of a line of JSON without building values: the texts of a transcript are wanted, and the other
/// nine tenths are stepped over. It checks no more than it needs, so a line that is not JSON may be read as far as it
/// looks like it.
///
/// Every function begins at the first byte of what it reads and ends behind the last byte.
struct LineScanner {
    // guard: the closure that lends the bytes runs longer than the scanner, and every access is compared with `end`.
    private let bytes: UnsafeBufferPointer<UInt8>
    private let end: Int
    private(set) var position: Int

    /// Nested deeper, nothing is looked for; `skip` counts levels and needs no stack.
    private static let deepest = 32

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        self.bytes = bytes
        position = max(0, range.lowerBound)
        end = min(bytes.count, range.upperBound)
    }

    /// The byte at the position; 0 at the end.
    var current: UInt8 {
        @inline(__always) get { position < end ? bytes[position] : 0 }
    }

    private mutating func skipSpace() {
        while position < end, bytes[position] <= 0x20 { position += 1 }
    }

    private func place(of byte: UInt8, from start: Int) -> Int? {
        guard start < end, let base = bytes.baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), end - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Reads a string and returns the range between its quotes; `nil` if it does not end.
    mutating func string() -> Range<Int>? {
        guard current == UInt8(ascii: "\"") else { return nil }
        let start = position + 1
        var from = start
        while let quote = place(of: UInt8(ascii: "\""), from: from) {
            // An odd number of backslashes before it makes the quote a part of the text.
            var before = quote
            while before > start, bytes[before - 1] == UInt8(ascii: "\\") { before -= 1 }
            if (quote - before) & 1 == 0 {
                position = quote + 1
                return start..<quote
            }
            from = quote + 1
        }
        return nil
    }

    /// Steps over a value. Returns false where the line ends before it.
    mutating func skip() -> Bool {
        switch current {
        case UInt8(ascii: "\""): return string() != nil
        case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested()
        case 0: return false
        default:
            while position < end {
                switch bytes[position] {
                case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0...0x20: return true
                default: position += 1
                }
            }
            return true
        }
    }

    private mutating func skipNested() -> Bool {
        var depth = 0
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard string() != nil else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 {
                    position += 1
                    return true
                }
            default: break
            }
            position += 1
        }
        return false
    }

    /// Reads `{ … }` and calls `member` with the range of each key at the start of its value, which `member` may read; if
    /// it does not, the value is stepped over. Returns false where the line is not such an object.
    mutating func object(_ member: (inout LineScanner, _ key: Range<Int>) -> Void) -> Bool {
        guard current == UInt8(ascii: "{") else { return false }
        position += 1
        while true {
            skipSpace()
            if current == UInt8(ascii: "}") {
                position += 1
                return true
            }
            guard let key = string() else { return false }
            skipSpace()
            guard current == UInt8(ascii: ":") else { return false }
            position += 1
            skipSpace()
            guard read({ member(&$0, key) }), next(UInt8(ascii: "}")) else { return false }
        }
    }

    /// Reads `[ … ]` likewise.
    mutating func array(_ element: (inout LineScanner) -> Void) -> Bool {
        guard current == UInt8(ascii: "[") else { return false }
        position += 1
        while true {
            skipSpace()
            if current == UInt8(ascii: "]") {
                position += 1
                return true
            }
            guard read(element), next(UInt8(ascii: "]")) else { return false }
        }
    }

    private mutating func read(_ body: (inout LineScanner) -> Void) -> Bool {
        let start = position
        body(&self)
        return position > start || skip()
    }

    /// Steps over a comma; or stays before the end of the list. False for anything else.
    private mutating func next(_ last: UInt8) -> Bool {
        skipSpace()
        if current == UInt8(ascii: ",") {
            position += 1
            return true
        }
        return current == last
    }

    /// Calls `found` with the range of each string among the values, at any depth.
    mutating func strings(depth: Int = 0, _ found: (Range<Int>) -> Void) {
        switch current {
        case UInt8(ascii: "\""): if let text = string() { found(text) }
        case UInt8(ascii: "{") where depth < Self.deepest:
            _ = object { scanner, _ in scanner.strings(depth: depth + 1, found) }
        case UInt8(ascii: "[") where depth < Self.deepest: _ = array { $0.strings(depth: depth + 1, found) }
        default: break
        }
    }

    /// The number of keys and values that a tree of the line would have; not counted further than `most`.
    static func values(in line: [UInt8], upTo most: Int) -> Int {
        line.withUnsafeBufferPointer { bytes in
            var scanner = LineScanner(bytes, bytes.indices)
            return scanner.countValues(upTo: most)
        }
    }

    private mutating func countValues(upTo most: Int) -> Int {
        var count = 1
        var isAtFirst = false
        while position < end, count < most {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard string() != nil else { return count }
                isAtFirst = false
                continue
            // A key or a value comes behind each of them, unless the list is empty.
            case UInt8(ascii: "{"), UInt8(ascii: "["): (count, isAtFirst) = (count + 1, true)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): (count, isAtFirst) = (isAtFirst ? count - 1 : count, false)
            case UInt8(ascii: ":"), UInt8(ascii: ","): (count, isAtFirst) = (count + 1, false)
            default: if bytes[position] > 0x20 { isAtFirst = false }
            }
            position += 1
        }
        return count
    }

    // MARK: What a range holds

    /// True if the range holds exactly these bytes.
    func holds(_ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
        return memcmp(base + range.lowerBound, text.utf8Start, range.count) == 0
    }

    /// True if the range holds exactly these bytes.
    func repeats(_ range: Range<Int>, _ known: [UInt8]) -> Bool {
        range.count == known.count && bytes[range].elementsEqual(known)
    }

    func begins(_ range: Range<Int>, with text: StaticString) -> Bool {
        range.count >= text.utf8CodeUnitCount
            && holds(range.lowerBound..<range.lowerBound + text.utf8CodeUnitCount, text)
    }

    /// The text of a string without escapes, such as an id; bytes that are not UTF-8 are replaced.
    func plain(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    /// Reads an id; `nil` where it is longer than any real one, because ids are kept, compared and told.
    mutating func id() -> String? {
        string().flatMap { $0.count <= Self.longestID ? plain($0) : nil }
    }

    /// Bytes.
    private static let longestID = 256

    /// Appends the text of a string, its escapes resolved, at most `limit` bytes of it.
    func append(_ range: Range<Int>, to text: inout [UInt8], limit: Int) {
        var start = range.lowerBound
        let full = text.count + limit
        while start < range.upperBound, text.count < full {
            let backslash = place(of: UInt8(ascii: "\\"), from: start).map { min($0, range.upperBound) }
            let stop = min(backslash ?? range.upperBound, start + full - text.count)
            text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<stop]))
            guard stop < range.upperBound, stop == backslash else { return }
            start = appendEscape(at: stop, in: range, to: &text)
        }
    }

    /// Returns the index behind the escape.
    private func appendEscape(at backslash: Int, in range: Range<Int>, to text: inout [UInt8]) -> Int {
        guard backslash + 1 < range.upperBound else { return range.upperBound }
        switch bytes[backslash + 1] {
        case UInt8(ascii: "n"), UInt8(ascii: "r"): text.append(0x0A)
        case UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): text.append(0x20)
        case UInt8(ascii: "u"): return appendUnit(at: backslash, in: range, to: &text)
        case let other: text.append(other)
        }
        return backslash + 2
    }

    /// Half a surrogate pair becomes U+FFFD.
    private func appendUnit(at backslash: Int, in range: Range<Int>, to text: inout [UInt8]) -> Int {
        guard let unit = unit(at: backslash, in: range) else { return min(backslash + 2, range.upperBound) }
        if unit & 0xFC00 == 0xD800, let second = self.unit(at: backslash + 6, in: range), second & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + ((unit & 0x3FF) << 10) + (second & 0x3FF))
        {
            text.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            return backslash + 12
        }
        text.append(contentsOf: UTF8.encode(Unicode.Scalar(unit) ?? "\u{FFFD}").map(Array.init) ?? [])
        return backslash + 6
    }

    private func unit(at backslash: Int, in range: Range<Int>) -> UInt32? {
        guard backslash + 6 <= range.upperBound, bytes[backslash] == UInt8(ascii: "\\"),
            bytes[backslash + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt32 = 0
        for byte in bytes[backslash + 2..<backslash + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// The whole number at the position, 0 for anything else. It stays to be stepped over.
    var number: Int64 {
        var value: Int64 = 0
        var index = position
        while index < end, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10, value < 1 << 56 {
            value = value * 10 + Int64(digit)
            index += 1
        }
        return value
    }

    /// The text of the value at the position, up to its end; for a number. It stays to be stepped over.
    var spelling: String {
        var scanner = self
        let start = position
        return scanner.skip() ? plain(start..<scanner.position) : ""
    }
}
