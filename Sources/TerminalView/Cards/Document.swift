import Core

/// A card written out: rows for the screen, and which of them hold what would run.
package struct Document: Sendable {
    package private(set) var rows: [Line] = []
    /// The row after the last one of what would run; what stands before it must have been seen.
    package private(set) var subjectEnd = 0

    private let width: Int
    private let visible: VisibleText
    private let glyphs: Glyphs

    init(width: Int, charset: Charset) {
        self.width = max(width, 8)
        visible = VisibleText(charset: charset)
        glyphs = Glyphs(charset)
    }

    mutating func blank() {
        rows.append(Line())
    }

    mutating func endSubject() {
        subjectEnd = rows.count
    }

    /// Prose: words kept whole, further rows below the first. A label that would take half the width stands alone.
    mutating func say(_ label: String = "", _ text: String, _ style: Style = .plain) {
        guard label.columns <= width / 2 else {
            rows += Wrapping.anywhere.rows([Span(label, .dim)], width: width)
            return text.isEmpty ? () : say("  ", text, style)
        }
        let indent = String(repeating: " ", count: label.columns)
        for (index, line) in visible.lines(of: text, style).enumerated() {
            let wrapped = Wrapping.words.rows(line, width: width - label.columns)
            for (part, row) in wrapped.enumerated() {
                let isFirst = index == 0 && part == 0
                rows.append(Line([Span(isFirst ? label : indent, .dim)]) + row)
            }
        }
    }

    /// A line of our own that is styled already.
    mutating func say(_ line: Line, indent: Int = 0) {
        let indent = min(indent, width / 3)
        let margin = Line([Span(String(repeating: " ", count: indent))])
        for row in Wrapping.words.rows(line.spans, width: width - indent) { rows.append(margin + row) }
    }

    /// What runs or is written, character by character: a bar begins each of its own lines, a broken bar what had to
    /// be wrapped.
    mutating func code(_ text: String, _ style: Style = .plain, indent: Int = 0) {
        for line in visible.lines(of: text, style) {
            code(line, first: glyphs.bar, rest: glyphs.brokenBar, edge: .dim, indent: indent)
        }
    }

    mutating func diff(_ lines: [LineDiff.Line]) {
        for line in lines {
            let style: Style =
                switch line.operation {
                case .added: Style(.green)
                case .removed: Style(.red)
                case .kept: .plain
                }
            for part in visible.lines(of: line.text, style) {
                code(part, first: line.operation.rawValue + " ", rest: glyphs.brokenBar, edge: style, indent: 0)
            }
            if !line.isTerminated, line.operation != .kept { say("", "no line feed behind this line", .dim) }
        }
    }

    private mutating func code(_ line: [Span], first: String, rest: String, edge: Style, indent: Int) {
        let indent = min(indent, width / 3)
        let margin = Span(String(repeating: " ", count: indent))
        for (part, row) in Wrapping.anywhere.rows(line, width: width - indent - 2).enumerated() {
            rows.append(Line([margin, Span(part == 0 ? first : rest, edge)]) + row)
        }
    }
}

/// The few signs that are not ASCII where that can be.
struct Glyphs: Sendable {
    let bar, brokenBar, bullet, chosen, cut, down, fresh, full, empty, pointer, rule, up: String

    init(_ charset: Charset) {
        let isWide = charset == .utf8
        bar = isWide ? "│ " : "| "
        brokenBar = isWide ? "┆ " : ": "
        bullet = isWide ? "•" : "*"
        chosen = isWide ? "◉" : "x"
        cut = isWide ? "…" : "~"
        down = isWide ? "▼" : "v"
        fresh = isWide ? "●" : "*"
        full = isWide ? "█" : "#"
        empty = isWide ? "░" : "."
        pointer = isWide ? "▸" : ">"
        rule = isWide ? "─" : "-"
        up = isWide ? "▲" : "^"
    }
}
