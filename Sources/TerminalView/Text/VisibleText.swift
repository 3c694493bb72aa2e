import Core
import Text

/// The characters that may be sent to the terminal.
package enum Charset: Sendable, Hashable {
    /// Nothing beyond ASCII: in another encoding the bytes of UTF-8 can be control characters (0x9B begins a sequence).
    case ascii
    case utf8

    /// The charset of the locale, by the variables in the order of POSIX.
    package init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        self = name.holds("utf-8") || name.holds("utf8") ? .utf8 : .ascii
    }
}

/// Escapes foreign text for the screen: a character that would control the terminal, is invisible, or changes the order
/// of letters is replaced by its number, as `\u{202E}`.
package struct VisibleText: Sendable, Hashable {
    package let charset: Charset

    package init(charset: Charset) {
        self.charset = charset
    }

    /// The most combining marks on one character. No language needs more, and many of them cover the rows around.
    private static let mostMarks = 4

    /// The text's lines, each in spans; escaped characters are in the style `escape`.
    func lines(of text: String, _ style: Style = .plain) -> [[Span]] {
        var lines: [[Span]] = []
        var builder = SpanBuilder(style)
        var marks = Self.mostMarks
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                lines.append(builder.finish())
                marks = Self.mostMarks
                continue
            }
            append(scalar, to: &builder, &marks)
        }
        lines.append(builder.finish())
        return lines
    }

    /// The whole text on one line, line feeds escaped.
    func line(_ text: String, _ style: Style = .plain) -> [Span] {
        var builder = SpanBuilder(style)
        var marks = Self.mostMarks
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                builder.append(charset == .utf8 ? "⏎" : "\\n", .escape)
            } else {
                append(scalar, to: &builder, &marks)
            }
        }
        return builder.finish()
    }

    /// The whole text on one line, without styles.
    package func plain(_ text: String) -> String { line(text).map(\.text).joined() }

    private func append(_ scalar: Unicode.Scalar, to builder: inout SpanBuilder, _ marks: inout Int) {
        if scalar == "\t" {
            builder.tab()
            marks = Self.mostMarks
            return
        }
        marks = scalar.isMark ? marks + 1 : 0
        guard scalar.isHidden || marks > Self.mostMarks || (charset == .ascii && scalar.value > 0x7E) else {
            return builder.append(scalar)
        }
        builder.append("\\u{\(scalar.number)}", .escape)
        marks = Self.mostMarks
    }

    /// True for letters that a terminal may draw in another order than a shell reads them.
    static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}

/// Collects text of equal style.
private struct SpanBuilder {
    private var spans: [Span] = []
    private var current = ""
    private var column = 0
    private let style: Style

    init(_ style: Style) {
        self.style = style
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        current.unicodeScalars.append(scalar)
        column += scalar.columns
    }

    mutating func append(_ text: String, _ other: Style) {
        flush()
        spans.append(Span(text, other))
        column += text.columns
    }

    mutating func tab() {
        let count = 4 - column % 4
        current += String(repeating: " ", count: count)
        column += count
    }

    private mutating func flush() {
        if !current.isEmpty { spans.append(Span(current, style)) }
        current = ""
    }

    mutating func finish() -> [Span] {
        flush()
        defer {
            spans = []
            column = 0
        }
        return spans
    }
}
