import Core
import Text

/// A table for people: each column as wide as its widest cell, two spaces between columns.
package enum Table {
    package static func text(_ header: [String], _ rows: [[String]]) -> String {
        let lines = [header] + rows
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
                .joined(separator: "  ").trimmed + "\n"
        }.joined()
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
