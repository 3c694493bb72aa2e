/// The terminal's size in cells.
package struct TerminalSize: Sendable, Hashable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// True if the screen is too small for a decision.
    var isTooSmall: Bool { columns < 24 || rows < 10 }

    /// From this width on the list stands beside the card.
    private static let twoPanes = 120

    var hasTwoPanes: Bool { columns >= Self.twoPanes }

    var listColumns: Int { hasTwoPanes ? min(60, columns * 2 / 5) : columns }

    /// Columns of the card: beside the list, all but those of the list and of the line between them.
    var cardColumns: Int { hasTwoPanes ? columns - listColumns - 1 : columns }

    /// Rows of the list, independent of the number of cards, so that nothing below it moves.
    var listRows: Int { hasTwoPanes ? cardRows + 1 : max(2, min(10, rows / 5)) }

    /// Rows of the transcript below the list, its heading among them; 0 where there is no room for both.
    var transcriptRows: Int { hasTwoPanes && listRows >= Self.bothRows ? listRows - max(4, listRows / 3) : 0 }

    /// From so many rows on the transcript stands below the list.
    private static let bothRows = 16

    /// Rows of the card: all but those of the list above it, title, heading, line below the card, status line and keys.
    var cardRows: Int { hasTwoPanes ? rows - 5 : rows - max(2, min(10, rows / 5)) - 5 }
}

/// A whole screen, and the card that a key would act on while it is shown.
package struct Frame: Sendable {
    package let lines: [Line]
    let subject: Arming.Subject?
    let viewport: WatchModel.Viewport
    let seen: (Entry.Page, Entry.Seen)?
    /// True if it shows a transcript below the list.
    let showsTranscript: Bool
}
