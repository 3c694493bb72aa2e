/// The last row: the keys that act now, with the longest descriptions that fit.
enum KeyHints {
    struct Hint {
        let key, long, short: String
    }

    /// - Parameter isSeen: True once the whole call has been on the screen: only then a key allows it.
    static func line(_ model: WatchModel, isSeen: Bool, _ width: Int) -> Line {
        var hints = hints(model, isSeen)
        let long = line(hints.map { ($0.key, $0.long) })
        if long.width <= width { return long }
        // A key without its word tells nobody what it does: the least needed hints go first. `?` shows all.
        while hints.count > 1 {
            let short = line(hints.map { ($0.key, $0.short) })
            if short.width <= width { return short }
            let last = hints.lastIndex { $0.key != "?" } ?? hints.count - 1
            hints.remove(at: last)
        }
        return line(hints.map { ($0.key, $0.short) })
    }

    private static func line(_ hints: [(String, String)]) -> Line {
        var spans: [Span] = []
        for (key, text) in hints {
            spans.append(Span(" " + key, .bold))
            spans.append(Span(text.isEmpty ? "" : " " + text + " ", .dim))
        }
        return Line(spans)
    }

    private static func hints(_ model: WatchModel, _ isSeen: Bool) -> [Hint] {
        switch model.prompt {
        case .changed:
            [
                isSeen ? Hint("y", "allow as changed", "allow") : more, Hint("e", "edit again", "edit"),
                Hint("n", "no", "no"),
            ]
        case .help: [Hint("any key", "back", "back")]
        case .view(let view):
            (view == .rules ? [Hint("1-9", "revoke", "revoke")] : []) + [
                Hint("j/k", "scroll", "scroll"), Hint("h", "history", "history"), Hint("r", "rules", "rules"),
                Hint("t", "transcript", "transcript"), Hint("Esc", "back", "back"),
            ]
        case .transcript:
            [
                Hint("j/k", "scroll", "scroll"), Hint("End", "go on with what comes", "newest"),
                Hint("h", "history", "history"), Hint("r", "rules", "rules"), Hint("Esc", "back", "back"),
            ]
        case .session: [isSeen ? Hint("y", "allow for the session", "allow") : more, Hint("n", "no", "no")]
        default: model.connection == .online ? card(model, isSeen) : [Hint("q", "quit", "quit")]
        }
    }

    private static let more = Hint("space", "read on, then allow", "read on")

    private static func card(_ model: WatchModel, _ isSeen: Bool) -> [Hint] {
        let views = [
            Hint("t", "transcript", "transcript"), Hint("h", "history", "history"), Hint("r", "rules", "rules"),
        ]
        let tail = [Hint("j/k", "cards", "cards"), Hint("?", "help", "help"), Hint("q", "quit", "quit")] + views
        guard let entry = model.selected, model.features.mayDecide else { return tail }
        guard entry.isOpen else { return tail }
        let no = [
            Hint("d", "deny", "deny"), Hint("m", "deny with a message", "say"),
            Hint("p", "answer in terminal", "terminal"),
        ]
        if entry.form != nil {
            let send = isSeen ? Hint("Enter", "send", "send") : Hint("space", "read on, then send", "read on")
            return [Hint("1-9", "choose", "choose"), Hint("o", "own words", "own"), send] + no + tail
        }
        let session = entry.card.patterns.isEmpty ? [] : [Hint("s", "for session", "session")]
        let edit = entry.card.tool.kind == .shellCommand ? [Hint("e", "edit", "edit")] : []
        return (isSeen ? [Hint("a", "allow", "allow")] + session : [more]) + no + edit + tail
    }
}

extension KeyHints.Hint {
    fileprivate init(_ key: String, _ long: String, _ short: String) {
        self.init(key: key, long: long, short: short)
    }
}
