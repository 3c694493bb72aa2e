/// Encodes frames for a terminal: only rows that changed are written, each at its place.
package struct FrameWriter: Sendable {
    private let hasColor: Bool
    private var shown: [Line] = []

    /// - Parameter hasColor: False under `NO_COLOR`; bold and reverse are still used.
    package init(hasColor: Bool) {
        self.hasColor = hasColor
    }

    /// Makes the next frame be written whole, because another program may have written to the screen.
    package mutating func forget() {
        shown = []
    }

    package mutating func bytes(for frame: Frame) -> [UInt8] {
        var text = ""
        let isWhole = shown.count != frame.lines.count
        if isWhole { text += "\u{1B}[0m\u{1B}[2J" }
        for (row, line) in frame.lines.enumerated() where isWhole || shown[row] != line {
            // Erased before it is written: after a row of full width, terminals disagree about where the cursor is.
            text += "\u{1B}[\(row + 1);1H\u{1B}[0m\u{1B}[2K"
            text += line.encoded(hasColor: hasColor)
        }
        shown = frame.lines
        return text.isEmpty ? [] : Array((text + "\u{1B}[0m").utf8)
    }

}

extension Line {
    /// The line with the codes of its styles, none of which ends behind it.
    func encoded(hasColor: Bool) -> String {
        var text = ""
        for span in spans where !span.text.isEmpty {
            text += Self.codes(span.style, hasColor) + Self.harmless(span.text)
        }
        return text
    }

    /// ECMA-48 section 8.3.117, select graphic rendition.
    private static func codes(_ style: Style, _ hasColor: Bool) -> String {
        var codes = ["0"]
        if style.isBold { codes.append("1") }
        if style.isUnderlined { codes.append("4") }
        if style.isReversed { codes.append("7") }
        if hasColor, let color = colors[style.color] { codes.append(color) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }

    private static let colors: [Style.Color: String] = [
        .blue: "34", .cyan: "36", .gray: "90", .green: "32", .magenta: "35", .red: "31", .yellow: "33",
    ]

    /// Replaces control characters. `VisibleText` has escaped them before; this is a second check.
    private static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { clean.append(isControl(scalar) ? "?" : scalar) }
        return String(clean)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}
