/// Cells of the terminal.
package struct TerminalSize: Sendable, Hashable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// Where less could be drawn than a decision needs.
    var isTooSmall: Bool { columns < 24 || rows < 10 }

    /// Rows of the list: the same however many cards there are, so that nothing below it moves.
    var listRows: Int { max(2, min(10, rows / 5)) }

    /// Title, heading, line below the card, notice, keys.
    var cardRows: Int { rows - listRows - 5 }
}

/// A whole screen, and what a key would now be about.
package struct Frame: Sendable {
    package let lines: [Line]
    let subject: Arming.Subject?
    let viewport: WatchModel.Viewport
    let seen: (Entry.Page, Entry.Seen)?
}
