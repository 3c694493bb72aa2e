/// The places at which a long line may be broken.
enum Wrapping {
    /// At any character: for commands and code, where no blank may be lost.
    case anywhere
    /// Between words where possible: for prose.
    case words

    /// Rows of at most `width` columns; at least one. Nothing is left out except the blank at which a line is broken.
    func rows(_ spans: [Span], width: Int) -> [Line] {
        let width = max(width, 2)
        var rows: [Line] = []
        var row = Row()
        for span in spans {
            for character in span.text {
                let columns = character.columns
                if row.width + columns > width {
                    let next = self == .words ? row.splitAtBlank() : Row()
                    rows.append(row.line)
                    row = next
                    if self == .words, character == " ", row.isEmpty { continue }
                }
                row.append(character, columns, span.style)
            }
        }
        return rows + [row.line]
    }
}

/// A row under construction.
private struct Row {
    private var cells: [(character: Character, columns: Int, style: Style)] = []
    private(set) var width = 0

    var isEmpty: Bool { cells.isEmpty }

    mutating func append(_ character: Character, _ columns: Int, _ style: Style) {
        cells.append((character, columns, style))
        width += columns
    }

    /// Removes and returns the cells after the last blank; none if there is no blank.
    mutating func splitAtBlank() -> Row {
        guard let blank = cells.lastIndex(where: { $0.character == " " }), blank > 0 else { return Row() }
        var rest = Row()
        for cell in cells[(blank + 1)...] { rest.append(cell.character, cell.columns, cell.style) }
        width -= rest.width + 1
        cells.removeSubrange(blank...)
        return rest
    }

    var line: Line {
        var spans: [Span] = []
        for cell in cells {
            if spans.last?.style == cell.style {
                spans[spans.count - 1].text.append(cell.character)
            } else {
                spans.append(Span(String(cell.character), cell.style))
            }
        }
        return Line(spans)
    }
}
