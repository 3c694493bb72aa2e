/// The header fields of a response that the relay uses.
struct Fields {
    private(set) var contentLength: Int?
    private(set) var deadline: Milliseconds?
    /// True for `Cdev-Words: none`: the answer will bring no words for the model.
    private(set) var isWithoutWords = false

    /// Parses the lines after the status line of a head that ends at `end`. Nil where a line is not a field,
    /// Content-Length is not one number of at most nine digits, or the body has a transfer coding (the daemon uses
    /// none).
    init?(_ text: Span<UInt8>, _ end: Int) {
        var line = Self.nextLine(text, 0, end)
        while line < end - 2 {
            let next = Self.nextLine(text, line, end)
            guard take(text, line, next - 2) else { return nil }
            line = next
        }
    }

    private static func nextLine(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        var at = start + 1
        while at < end, text[at] != 0x0A || text[at - 1] != 0x0D { at += 1 }
        return min(at + 1, end)
    }

    private mutating func take(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        var colon = start
        while colon < end, text[colon] != UInt8(ascii: ":") {
            // A name contains no white space, a line is not folded, and a line end is CR LF.
            guard text[colon] > 0x20, text[colon] < 0x7F else { return false }
            colon += 1
        }
        guard colon < end, colon > start else { return false }
        for at in colon..<end where text[at] < 0x20 && text[at] != 0x09 { return false }
        var first = colon + 1
        var last = end
        while first < last, text[first] == 0x20 || text[first] == 0x09 { first += 1 }
        while last > first, text[last - 1] == 0x20 || text[last - 1] == 0x09 { last -= 1 }
        if Self.matches(text, start, colon, "content-length") {
            guard contentLength == nil, let number = Self.number(text, first, last) else { return false }
            contentLength = number
        } else if Self.matches(text, start, colon, "cdev-deadline") {
            deadline = Self.seconds(text, first, last)
        } else if Self.matches(text, start, colon, "cdev-words") {
            isWithoutWords = Self.matches(text, first, last, "none")
        } else if Self.matches(text, start, colon, "transfer-encoding") {
            return false
        }
        return true
    }

    private static func matches(_ text: Span<UInt8>, _ start: Int, _ end: Int, _ name: StaticString) -> Bool {
        guard end - start == name.utf8CodeUnitCount else { return false }
        for at in start..<end {
            let upper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[at])
            if (upper ? text[at] + 32 : text[at]) != name.utf8Start[at - start] { return false }
        }
        return true
    }

    private static func number(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard start < end, end - start <= 9 else { return nil }
        var number = 0
        for at in start..<end {
            guard let digit = ResponseHead.digit(text[at]) else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads seconds and returns milliseconds. A fraction counts as one more second.
    private static func seconds(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Milliseconds? {
        var point = start
        while point < end, text[point] != UInt8(ascii: ".") { point += 1 }
        guard let whole = number(text, start, point) else { return nil }
        guard point < end else { return Milliseconds(whole) * 1000 }
        return number(text, point + 1, end).map { _ in Milliseconds(whole + 1) * 1000 }
    }
}
