/// Frames as bytes for a terminal: only rows that changed are written, each at its place.
package struct FrameWriter: Sendable {
    private let hasColor: Bool
    private var shown: [Line] = []

    /// - Parameter hasColor: False under `NO_COLOR`; bold and reversed stay.
    package init(hasColor: Bool) {
        self.hasColor = hasColor
    }

    /// What is on the screen is not known any more: the next frame is written whole.
    package mutating func forget() {
        shown = []
    }

    package mutating func bytes(for frame: Frame) -> [UInt8] {
        var text = ""
        let isWhole = shown.count != frame.lines.count
        if isWhole { text += "\u{1B}[0m\u{1B}[2J" }
        for (row, line) in frame.lines.enumerated() where isWhole || shown[row] != line {
            // Erased before it is written: a row that fills the screen's width leaves the cursor in doubt.
            text += "\u{1B}[\(row + 1);1H\u{1B}[0m\u{1B}[2K"
            for span in line.spans where !span.text.isEmpty { text += codes(span.style) + Self.harmless(span.text) }
        }
        shown = frame.lines
        return text.isEmpty ? [] : Array((text + "\u{1B}[0m").utf8)
    }

    /// ECMA-48 section 8.3.117, select graphic rendition.
    private func codes(_ style: Style) -> String {
        var codes = ["0"]
        if style.isBold { codes.append("1") }
        if style.isUnderlined { codes.append("4") }
        if style.isReversed { codes.append("7") }
        if hasColor, let color = Self.colors[style.color] { codes.append(color) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }

    private static let colors: [Style.Color: String] = [
        .blue: "34", .cyan: "36", .gray: "90", .green: "32", .magenta: "35", .red: "31", .yellow: "33",
    ]

    /// Everything foreign was escaped long before; this is for the day when somebody forgets.
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
