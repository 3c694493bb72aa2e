import Core
import Text

/// A text that is being typed, with a cursor. It may hold line breaks.
package struct LineEditor: Sendable, Hashable {
    private var before: [Character]
    private var after: [Character] = []

    private static let longest = 100_000

    package init(_ text: String = "") {
        before = Array(text)
    }

    package var text: String { String(before + after) }
    /// The number of characters before the cursor.
    package var cursor: Int { before.count }
    package var isEmpty: Bool { before.isEmpty && after.isEmpty }

    /// Applies the key; false if it means nothing here.
    package mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(text)
        case .control("j"): insert("\n")
        case .backspace: _ = before.popLast()
        case .delete, .control("d"): if !after.isEmpty { after.removeFirst() }
        case .left, .control("b"): if let last = before.popLast() { after.insert(last, at: 0) }
        case .right, .control("f"): if !after.isEmpty { before.append(after.removeFirst()) }
        case .home, .control("a"): (before, after) = ([], before + after)
        case .end, .control("e"): (before, after) = (before + after, [])
        case .control("k"): after = []
        case .control("u"): before = []
        case .control("w"): eraseWord()
        default: return false
        }
        return true
    }

    /// Inserts the text without hidden characters, which a clipboard may hold.
    private mutating func insert(_ text: String) {
        var clean = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            // Terminals send the line breaks of a paste as carriage returns.
            if scalar == "\r" || (scalar == "\n" && !isAfterReturn) { clean.append("\n") }
            if scalar != "\n", !scalar.isHidden { clean.append(scalar) }
            isAfterReturn = scalar == "\r"
        }
        before += Array(String(clean)).prefix(max(0, Self.longest - before.count - after.count))
    }

    private mutating func eraseWord() {
        while before.last == " " { before.removeLast() }
        while let last = before.last, last != " " { before.removeLast() }
    }

    /// The text as one row, the cursor as a reversed cell, scrolled so that the cursor is visible.
    func line(_ width: Int, _ visible: VisibleText) -> Line {
        var cells: [(Span, Bool)] = []
        for (index, character) in (before + after + [" "]).enumerated() {
            for span in visible.line(String(character)) { cells.append((span, index == before.count)) }
        }
        var start = 0
        let cursor = cells.firstIndex { $0.1 } ?? 0
        while cells[start...cursor].reduce(0, { $0 + $1.0.text.columns }) > width, start < cursor { start += 1 }
        var room = width
        var spans: [Span] = []
        for (span, isCursor) in cells[start...] {
            room -= span.text.columns
            guard room >= 0 else { break }
            spans.append(isCursor ? Span(span.text, Style(reversed: true)) : span)
        }
        return Line(spans)
    }
}
