import Core
import Text

/// A table for people: each column as wide as its widest cell, two spaces between columns.
package enum Table {
    private static let gap = 2
    /// A column is not made narrower than this, nor than its header: ids, states and times are never cut.
    private static let least = 12

    /// - Parameters:
    ///   - columns: Those of the terminal: the widest cells are cut in the middle, so that a row is one line there. `nil`
    ///     cuts nothing.
    ///   - style: The cell as it is written, in its colour; true for a cell of the header.
    package static func text(
        _ header: [String], _ rows: [[String]], columns: Int? = nil,
        style: (String, Bool) -> String = { cell, _ in cell }
    ) -> String {
        let lines = [header] + rows
        var widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        if let columns { fit(&widths, header, into: columns - gap * (widths.count - 1)) }
        return lines.enumerated().map { row, line in
            zip(line, widths).map { cell, width in
                let text = cell.count > width ? cell.shown(width) : cell
                return style(text, row == 0) + String(repeating: " ", count: max(0, width - text.count))
            }.joined(separator: String(repeating: " ", count: gap)).trimmed + "\n"
        }.joined()
    }

    /// Takes from the widest column, one character after the other, until all have room or none can be narrower.
    private static func fit(_ widths: inout [Int], _ header: [String], into room: Int) {
        while widths.reduce(0, +) > room {
            let wide = widths.indices.filter { widths[$0] > max(least, header[$0].count) }
            guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }

    /// The text on one line, hidden characters escaped. If it has more than `limit` Unicode scalars (a character may
    /// have any number), the middle is left out and counted, because the important part of a long command may be its
    /// end.
    package func shown(_ limit: Int = 100) -> String {
        let line = onOneLine
        guard line.count > limit else { return String(line) }
        let kept = limit < 60 ? limit - 1 : limit - 20
        let mark = limit < 60 ? "…" : "…(\(line.count - kept) more)…"
        return String(line.prefix(kept - kept / 2)) + mark + String(line.suffix(kept / 2))
    }

    /// True if `shown` leaves nothing out.
    package func isShownWhole(_ limit: Int) -> Bool { onOneLine.count <= limit }

    private var onOneLine: String.UnicodeScalarView {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == "\n" {
                text.append("⏎")
            } else if scalar.isHidden || scalar == "\t" {
                text += "\\u{\(scalar.number)}".unicodeScalars
            } else {
                text.append(scalar)
            }
        }
        return text
    }
}
