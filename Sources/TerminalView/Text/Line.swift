/// The look of a text.
package struct Style: Sendable, Hashable {
    package enum Color: Sendable, Hashable {
        case blue, cyan, gray, green, magenta, plain, red, yellow
    }

    package var color: Color
    package var isBold: Bool
    package var isReversed: Bool
    package var isUnderlined: Bool

    package init(_ color: Color = .plain, bold: Bool = false, reversed: Bool = false, underlined: Bool = false) {
        self.color = color
        isBold = bold
        isReversed = reversed
        isUnderlined = underlined
    }

    package static let plain = Style()
    static let dim = Style(.gray)
    static let bold = Style(bold: true)
    /// For a character that is shown by its number, so that it is not taken for the same text typed literally.
    static let escape = Style(.magenta, reversed: true)
    static let warning = Style(.yellow, bold: true)
    static let failure = Style(.red, bold: true)
    static let success = Style(.green, bold: true)
    static let bar = Style(reversed: true)
}

/// Text in one style. It must hold no control character: foreign text has been escaped by `VisibleText`.
package struct Span: Sendable, Hashable {
    package var text: String
    package var style: Style

    package init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}

/// One row of the screen.
package struct Line: Sendable, Hashable, ExpressibleByStringLiteral {
    package var spans: [Span]

    package init(_ spans: [Span] = []) {
        self.spans = spans
    }

    package init(stringLiteral text: String) {
        self.init([Span(text)])
    }

    /// Width in columns.
    package var width: Int { spans.reduce(0) { $0 + $1.text.columns } }

    /// The text without styles.
    package var text: String { spans.map(\.text).joined() }

    static func + (left: Line, right: Line) -> Line { Line(left.spans + right.spans) }

    /// The line cut to `limit` columns; if a part was left out, it ends in `mark`.
    func fitted(to limit: Int, mark: String) -> Line {
        guard width > limit else { return self }
        var left = limit - mark.columns
        var kept: [Span] = []
        for span in spans {
            var text = ""
            for character in span.text {
                left -= character.columns
                guard left >= 0 else { break }
                text.append(character)
            }
            kept.append(Span(text, span.style))
            guard left >= 0 else { break }
        }
        return Line(kept + [Span(mark, .dim)])
    }

    /// The line padded with blanks to `wanted` columns.
    func padded(to wanted: Int, _ style: Style) -> Line {
        let missing = wanted - width
        return missing > 0 ? self + Line([Span(String(repeating: " ", count: missing), style)]) : self
    }
}
