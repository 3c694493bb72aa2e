import Core

/// The rows of a page for the screen, and the number of those that show the input.
package struct Document: Sendable {
    package private(set) var rows: [Line] = []
    /// The number of rows that show the input that would run: all of them must have been on the screen before an allow.
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

    /// Adds prose after a label: wrapped between words, further rows indented below the first. A label wider than half
    /// the page gets rows of its own.
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

    /// Adds a styled line, wrapped between words. The line must hold no foreign text.
    mutating func say(_ line: Line, indent: Int = 0) {
        let indent = min(indent, width / 3)
        let margin = Line([Span(String(repeating: " ", count: indent))])
        for row in Wrapping.words.rows(line.spans, width: width - indent) { rows.append(margin + row) }
    }

    /// Adds rows behind a broken bar, made by `body` on a page that is narrower.
    mutating func inside(_ body: (inout Document) -> Void) {
        var inner = Document(width: width - 2, charset: visible.charset)
        body(&inner)
        rows += inner.rows.map { Line([Span(glyphs.brokenBar, .dim)]) + $0 }
    }

    /// Adds text that would run or be written. Every character of it counts, so each line begins with a bar, and each
    /// row that continues a wrapped line with a broken bar.
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

/// The signs the screen draws with: outside ASCII if the charset allows.
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
