import Core

/// The pages shown in place of a card while a prompt about it is open.
enum PromptDocument {
    /// The patterns that an allow for the session would grant, each with the number that leaves it out.
    static func patterns(_ entry: Entry, canLeaveOut: Bool, width: Int, charset: Charset) -> Document {
        var page = Document(width: width, charset: charset)
        page.say("", "Allow this call, and until the session ends every call that these cover:", .bold)
        if entry.leftOut.isEmpty, !entry.card.scopeWords.isEmpty { page.say("", entry.card.scopeWords) }
        page.blank()
        for (index, pattern) in entry.card.patterns.enumerated() {
            let isOut = entry.leftOut.contains(index)
            let label = canLeaveOut ? "\(index + 1) \(isOut ? "[ ]" : "[x]") " : "  "
            page.say(label, pattern, isOut ? .dim : .bold)
        }
        page.endSubject()
        page.blank()
        if canLeaveOut, entry.card.patterns.count > 1 { page.say("", "a number leaves one out", .dim) }
        page.say("the call: ", entry.card.summary, .dim)
        return page
    }

    /// A diff of the requested command and the edited one, and the rest of the input, which an edit leaves as it is.
    static func change(_ entry: Entry, width: Int, charset: Charset) -> Document {
        var page = Document(width: width, charset: charset)
        page.say("", "Changed here; the lines with + are what would run:", .bold)
        page.diff(LineDiff.lines(from: entry.command ?? "", to: entry.changed ?? ""))
        page.say("in  ", entry.card.cwd)
        var rest = entry.card.input.objectValue ?? [:]
        for role in [ToolRole.command, .note] { rest.remove(role, of: entry.card.tool) }
        if !rest.isEmpty { TreeWriter.write(.object(rest), to: &page) }
        page.endSubject()
        return page
    }

    static func help(width: Int, charset: Charset) -> Document {
        var page = Document(width: width, charset: charset)
        for (keys, text) in helpLines {
            let pad = String(repeating: " ", count: max(1, 14 - keys.count))
            page.say(" " + keys + pad, text)
        }
        page.endSubject()
        return page
    }

    /// The rows of a view; `nil` while they have not come.
    static func view(_ view: WatchView, _ rows: [ViewRow]?, width: Int, charset: Charset) -> Document {
        var page = Document(width: width, charset: charset)
        guard let rows else {
            page.say("", "asking the daemon…", .dim)
            return page
        }
        if rows.isEmpty {
            page.say(
                "",
                view == .history
                    ? "Nothing has been decided yet." : "No rules: nothing is allowed or denied for a session.")
        }
        for (index, row) in rows.enumerated() {
            let number = row.ruleID != nil && index < 9 ? "\(index + 1)  " : ""
            page.say(number + row.time + "  ", row.words, Entry.Outcome(row.decision).style)
            page.say("  ", row.text, .bold)
            if !row.note.isEmpty { page.say("  ", row.note, .dim) }
        }
        return page
    }

    private static let helpLines = [
        ("a", "allow this call once"),
        ("s", "allow it for the session: shows what that covers, then asks"),
        ("d", "deny"),
        ("m", "deny, and tell Claude why (for a plan: keep planning)"),
        ("e", "edit the command, see the change, allow it so"),
        ("p", "answer in terminal: leave it to Claude's own prompt"),
        ("1 - 9", "choose an answer to Claude's question"),
        ("o", "answer it in your own words"),
        ("Tab", "the next question"),
        ("Enter", "send the answers"),
        ("j k", "the next card, the one before (also the arrows)"),
        ("space b", "page through the card (also PgDn, PgUp, Home, End)"),
        ("J K", "the same by one line"),
        ("t", "the transcript of the card's session, as it goes on; End goes to the newest"),
        ("h", "the history: what was decided, by whom and why"),
        ("r", "the rules in force; there a number, and then y, revokes one"),
        ("Ctrl-L", "draw everything again"),
        ("q", "quit; Ctrl-Z suspends, and nobody is asked here meanwhile"),
        ("", ""),
        (
            "!",
            "A key counts only for a card that has stood here unchanged for half a second; held keys and pastes do not count."
        ),
    ]
}
