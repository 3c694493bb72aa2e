import Core
import Text

/// A table for people: each column as wide as its widest cell, two spaces between columns.
package enum Table {
    private static let gap = 2
    /// A column is not made narrower than this, nor than its header.
    private static let least = 12
    /// Columns before the further lines of a row.
    private static let indent = 4

    /// Columns that stand beside each other, and how wide they are.
    private struct Block {
        var columns: [Int]
        var widths: [Int]
    }

    /// - Parameters:
    ///   - columns: Those of the terminal, which no line exceeds: cells are cut in the middle, or else a row has several
    ///     lines. `nil` cuts nothing.
    ///   - cutting: The headers of the columns that may be cut; `nil` if all may. Ids, states, times and sentences are
    ///     read whole or not at all.
    ///   - style: The cell as it is written, in its colour; true for a cell of the header.
    package static func text(
        _ header: [String], _ rows: [[String]], columns: Int? = nil, cutting: Set<String>? = nil,
        style: (String, Bool) -> String = { cell, _ in cell }
    ) -> String {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let lows = header.indices.map { column -> Int in
            let isCut = cutting?.contains(header[column]) ?? true
            return isCut ? min(widths[column], max(least, header[column].count)) : widths[column]
        }
        let blocks =
            columns.map { arranged(widths, lows, in: $0) } ?? [Block(columns: Array(header.indices), widths: widths)]
        return all.enumerated().map { number, row in
            blocks.enumerated().map { index, block in
                lines(row, block, isFirst: index == 0, columns) { style($0, number == 0) }
            }.joined()
        }.joined()
    }

    /// All columns beside each other where their least widths have room, else as many as have on each line.
    private static func arranged(_ widths: [Int], _ lows: [Int], in room: Int) -> [Block] {
        var lists: [[Int]] = [[]]
        var used = -gap
        for column in widths.indices {
            if used + gap + lows[column] > room, lists[lists.count - 1] != [] {
                lists.append([])
                used = indent - gap
            }
            used += gap + lows[column]
            lists[lists.count - 1].append(column)
        }
        return lists.enumerated().map { number, list in
            var block = Block(columns: list, widths: list.map { widths[$0] })
            let margin = (number == 0 ? 0 : indent) + gap * (list.count - 1)
            fit(&block.widths, list.map { lows[$0] }, into: room - margin)
            return block
        }
    }

    /// Takes from the widest column, one character after the other, until all have room or none can be narrower.
    private static func fit(_ widths: inout [Int], _ lows: [Int], into room: Int) {
        while widths.reduce(0, +) > room {
            let wide = widths.indices.filter { widths[$0] > lows[$0] }
            guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
        }
    }

    private static func lines(
        _ row: [String], _ block: Block, isFirst: Bool, _ room: Int?, _ style: (String) -> String
    ) -> String {
        let margin = String(repeating: " ", count: isFirst ? 0 : indent)
        if let room, block.columns.count == 1, block.widths[0] > room - margin.count {
            return Prose.lines(row[block.columns[0]], width: room - margin.count).map { margin + style($0) + "\n" }
                .joined()
        }
        let cells = zip(block.columns, block.widths).map { column, width in
            let text = row[column].count > width ? row[column].shown(width) : row[column]
            return style(text) + String(repeating: " ", count: max(0, width - text.count))
        }
        let line = cells.joined(separator: String(repeating: " ", count: gap)).trimmed
        return line.isEmpty && !isFirst ? "" : margin + line + "\n"
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

    /// As a table shows it: whole, unless it is as long as only a stranger's text would be.
    package var cell: String { shown(1000) }

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
