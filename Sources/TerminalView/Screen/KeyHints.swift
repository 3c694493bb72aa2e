/// The last row: the keys that act now, with the longest descriptions that fit.
enum KeyHints {
    struct Hint {
        let key, long, short: String
    }

    static func line(_ model: WatchModel, _ width: Int) -> Line {
        let hints = hints(model)
        let forms = [hints.map { ($0.key, $0.long) }, hints.map { ($0.key, $0.short) }, hints.map { ($0.key, "") }]
        let lines = forms.map(line)
        return lines.first { $0.width <= width } ?? lines[2]
    }

    private static func line(_ hints: [(String, String)]) -> Line {
        var spans: [Span] = []
        for (key, text) in hints {
            spans.append(Span(" " + key, .bold))
            spans.append(Span(text.isEmpty ? "" : " " + text + " ", .dim))
        }
        return Line(spans)
    }

    private static func hints(_ model: WatchModel) -> [Hint] {
        switch model.prompt {
        case .changed: [Hint("y", "allow as changed", "allow"), Hint("e", "edit again", "edit"), Hint("n", "no", "no")]
        case .help: [Hint("any key", "back", "back")]
        case .session: [Hint("y", "allow for the session", "allow"), Hint("n", "no", "no")]
        default: model.connection == .online ? card(model) : [Hint("q", "quit", "quit")]
        }
    }

    private static func card(_ model: WatchModel) -> [Hint] {
        let tail = [Hint("j/k", "cards", ""), Hint("?", "help", "help"), Hint("q", "quit", "quit")]
        guard let entry = model.selected, model.features.mayDecide else { return tail }
        guard entry.isOpen else { return tail }
        let no = [
            Hint("d", "deny", "deny"), Hint("m", "deny with a message", "say"), Hint("p", "Claude's prompt", "prompt"),
        ]
        if entry.form != nil {
            return [Hint("1-9", "choose", ""), Hint("o", "own words", "own"), Hint("Enter", "send", "")] + no + tail
        }
        let session = entry.card.patterns.isEmpty ? [] : [Hint("s", "for session", "session")]
        let edit = entry.card.tool.kind == .shellCommand ? [Hint("e", "edit", "edit")] : []
        return [Hint("a", "allow", "allow")] + session + no + edit + tail
    }
}

extension KeyHints.Hint {
    fileprivate init(_ key: String, _ long: String, _ short: String) {
        self.init(key: key, long: long, short: short)
    }
}
