import Core
import OrderedJSON
import TerminalView

extension Command {
    static let pending = Command(
        "pending", summary: "show open requests",
        details: "With --follow it counts as an approver: while it runs, requests are held for you.",
        options: [CommandOption("--follow", nil, "go on, and show each as it comes and goes"), .json]
    ) { invocation in
        let places = try Places(invocation)
        guard invocation.has("--follow") else { return try list(invocation, places.client) }
        try follow(invocation, places)
    }

    private static func list(_ invocation: Invocation, _ client: DaemonClient) throws(CommandFailure) {
        let cards = try client.pending()
        let result: JSON = ["requests": .array(cards), "count": .number(JSONNumber(cards.count)), "more": 0]
        ListOutput.print(
            invocation, result, ["ID", "TOOL", "WHAT", "WHERE", "UNTIL", "--session REMEMBERS"],
            cards.map { card in
                [
                    card.text("request_id"), tool(card), what(card).shown(80),
                    card.text("cwd").shown(40), card.text("deadline"), remembers(card),
                ]
            }, empty: "nothing is waiting")
    }

    /// The rules that `--session` would add, or the word that an allow needs.
    private static func remembers(_ card: JSON) -> String {
        if let word = card["confirm"]?["prompt"]?.stringValue { return "(needs --confirm \(word.shown(64)))" }
        let patterns = card.list("patterns").compactMap(\.stringValue).joined(separator: ", ").shown(80)
        let note = card.text("rules_note")
        return note.isEmpty ? patterns : patterns.isEmpty ? note.shown(100) : "\(patterns) (\(note.shown(100)))"
    }

    private static func tool(_ card: JSON) -> String {
        card.text("tool_name").shown(30) + (card["can_ask"] == false ? " (\(card.text("agent").shown(20)))" : "")
            + (card["unverified"]?.boolValue == true ? " (unverified)" : "")
    }

    static func what(_ card: JSON) -> String {
        let target = card.text("target")
        return target.isEmpty ? card.text("description") : target
    }

    /// The members of the input that `what` does not show, as JSON: an MCP tool may do more than its one shown argument
    /// says.
    private static func rest(of card: JSON) -> String? {
        var input = card["tool_input"]?.objectValue ?? [:]
        for (key, value) in input where value.stringValue == what(card) { input[key] = nil }
        if card.text("kind") == ToolKind.shellCommand.rawValue {
            for role in [ToolRole.note, .timeout] {
                if let name = card["members"]?[role.rawValue]?.stringValue { input[name] = nil }
            }
        }
        return input.isEmpty ? nil : JSON.object(input).serialized()
    }

    private static func follow(_ invocation: Invocation, _ places: Places) throws(CommandFailure) {
        var stream = try EventStream(socketPath: places.socket, name: "cdev pending", isApprover: true)
        for card in try places.client.pending() { show(invocation, card) }
        while let event = try stream.next() {
            switch event.name {
            case "pty_permission": show(invocation, event.params)
            case "pty_permission_resolved": ended(invocation, event.params)
            default: announce(invocation, event.name, event.params)
            }
        }
        throw CommandFailure(.noDaemon, "the daemon has stopped; held calls wait for it for a few seconds")
    }

    private static func show(_ invocation: Invocation, _ card: JSON) {
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(["event": "pty_permission", "params": card])) }
        let patterns = card.list("patterns").compactMap(\.stringValue)
        var text = "\(card.text("request_id"))  \(card.text("tool_name").shown(30))  \(what(card).shown(400))\n"
        if let rest = rest(of: card) { text += "    with \(rest.shown(300))\n" }
        text += "    in \(card.text("cwd").shown(200)), until \(card.text("deadline"))\n"
        if !patterns.isEmpty { text += "    --session remembers \(patterns.joined(separator: ", ").shown(200))\n" }
        if !card.text("rules_note").isEmpty { text += "    \(card.text("rules_note").shown(200))\n" }
        if let word = card["confirm"]?["prompt"]?.stringValue {
            text += "    to allow it, add --confirm \(word.shown(64))\n"
        }
        if card["can_ask"] == false {
            text +=
                "    asked by \(card.text("agent").shown(20)), which cannot ask by itself: unanswered it is denied\n"
        }
        if card["unverified"]?.boolValue == true { text += "    unverified: any process here could have sent it\n" }
        Terminal.write(text)
    }

    /// Shows events besides requests that an approver should know of, such as an agent that tried to answer, or a new
    /// device.
    private static func announce(_ invocation: Invocation, _ name: String, _ params: JSON) {
        guard let announcement = Announcement(event: name, params) else { return }
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(["event": .string(name), "params": params])) }
        Terminal.write(announcement.text.shown(400) + "\n")
    }

    private static func ended(_ invocation: Invocation, _ end: JSON) {
        if invocation.wantsJSON {
            return Terminal.write(ListOutput.json(["event": "pty_permission_resolved", "params": end]))
        }
        Terminal.write("\(end.text("request_id"))  \(end.text("decision")) by \(end.text("resolved_by").shown(60))\n")
    }
}
