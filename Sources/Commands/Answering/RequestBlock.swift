import Core
import OrderedJSON
import TerminalView

/// A request as a few lines, for lists of requests.
enum RequestBlock {
    /// The most Unicode scalars of a call's line, and of the rest of its input, hidden characters escaped.
    private static let line = 400
    private static let rest = 300

    /// True if the block shows all that would run: one line of a command or an address, and the rest of its input. A
    /// change of a file or a plan is read nowhere but in its own form.
    static func showsAll(of json: JSON) -> Bool {
        guard let card = Card(json), !card.isCut, card.tool.kind != .fileChanges, !card.tool.kind.isForUser else {
            return false
        }
        let line = RequestLine.what(json)
        guard line.isShownWhole(Self.line), !line.contains(where: \.isNewline) else { return false }
        return RequestLine.rest(of: json)?.isShownWhole(rest) ?? true
    }

    /// - Parameter ids: The ids beside which this one is shown, so that the short form is unique.
    static func text(_ card: JSON, among ids: [String], _ paint: Paint) -> String {
        let id = ShortID.text(card.text("request_id"), among: ids)
        let line = RequestLine.what(card).shown(Self.line)
        var text = "\(paint.bold(id))  \(paint.bold(card.text("tool_name").shown(30)))  \(line)\n"
        if let rest = RequestLine.rest(of: card) { text += "    with \(rest.shown(Self.rest))\n" }
        text += "    in \(card.text("cwd").shown(200)), \(card.left("deadline"))\(agent(card))\n"
        for note in notes(card, id) { text += "    \(note)\n" }
        for warning in warnings(card) { text += "    \(paint.warning(warning))\n" }
        return text
    }

    /// The agent in parentheses where it is not Claude Code.
    private static func agent(_ card: JSON) -> String {
        let agent = card.text("agent")
        return agent.isEmpty || agent == Agent.claude.rawValue ? "" : " (\(agent.shown(20)))"
    }

    private static func notes(_ card: JSON, _ id: String) -> [String] {
        var notes: [String] = []
        let patterns = card.list("patterns").compactMap(\.stringValue)
        let words = card.text("scope_words")
        if !patterns.isEmpty {
            let covered = patterns.joined(separator: ", ").shown(200)
            notes.append("--session allows \(words.isEmpty ? covered : "\(words.shown(200)) (\(covered))")")
        }
        if !card.text("rules_note").isEmpty { notes.append(card.text("rules_note").shown(200)) }
        if card.text("kind") == "question" { notes.append("answer its questions: cdev answer \(id)") }
        if let word = card["confirm"]?["prompt"]?.stringValue {
            notes.append("to allow it, type the word: cdev allow \(id) --confirm \(word.shown(64))")
        }
        return notes
    }

    private static func warnings(_ card: JSON) -> [String] {
        var warnings: [String] = []
        if let outside = card["outside"], outside != false {
            let sentence = "it changes a file outside the project"
            warnings.append(outside == true ? sentence : "cdev could not tell if \(sentence)")
        }
        if card["can_ask"] == false {
            warnings.append("\(card.text("agent").shown(20)) cannot ask by itself: unanswered it is denied")
        }
        if card["unverified"]?.boolValue == true { warnings.append("unverified: any process here could have sent it") }
        return warnings
    }
}
