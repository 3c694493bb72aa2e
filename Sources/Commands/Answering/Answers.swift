import Core
import OrderedJSON
import TerminalView

extension Command {
    private static let chosen = """
        ID is a request id as `cdev pending` shows it, or its beginning. Without ID, the one open request is shown and
        asked about at a terminal.
        """

    static let allow = Command(
        "allow", operands: "[ID]", 0...1, summary: "let Claude go on with a call", details: chosen,
        options: [
            CommandOption("--confirm", "TEXT", "the word that `cdev pending` asks for, where it does"),
            CommandOption("--session", nil, "also allow what the card's patterns cover, for this session"),
            CommandOption("--unseen", nil, "allow it although `cdev pending` does not show all of it"),
        ]
    ) { try answer($0, "allow") }

    static let deny = Command(
        "deny", operands: "[ID]", 0...1, summary: "refuse a call", details: chosen,
        options: [
            CommandOption("--message", "TEXT", "what Claude is told"),
            CommandOption("--session", nil, "also deny the same command for this session"),
        ]
    ) { try answer($0, "deny") }

    static let pass = Command(
        "pass", operands: "[ID]", 0...1, summary: "answer in terminal: leave a request to Claude's own prompt",
        details: chosen
    ) { try answer($0, "ask") }

    private static func answer(_ invocation: Invocation, _ decision: String) throws(CommandFailure) {
        let client = try Places(invocation).client
        var confirm = invocation["--confirm"]
        let card: JSON?
        if let typed = invocation.operands.first {
            card = try OpenRequest.find(typed, client)
            if decision == "allow", let card { try AnswerQuestions.requireSeen(card, invocation, client) }
        } else {
            card = try AnswerQuestions.chosen(invocation, client)
        }
        if decision == "allow", let card { confirm = try AnswerQuestions.word(card, confirm) }
        // If no open request has the id, the daemon answers: it knows who decided an ended request.
        let id = card?.text("request_id") ?? invocation.operands.first ?? ""
        var params: JSONObject = [
            "request_id": .string(id), "decision": .string(decision),
            "scope": invocation.has("--session") ? "session" : "once",
        ]
        // Another opening of the request may ask for something else than what was shown.
        if let opening = card?["opening"] { params["opening"] = opening }
        if let confirm { params["confirm"] = .string(confirm) }
        if let message = invocation["--message"] { params["message"] = .string(message) }
        let result = try client.call("permission/respond", .object(params))
        Terminal.write(AnswerReceipt.text(result, id, asked: invocation.has("--session")))
    }
}

/// The report of an answer that the daemon took.
enum AnswerReceipt {
    static func text(_ result: JSON, _ id: String, asked session: Bool) -> String {
        let decision = result.text("decision")
        let words = OutcomeWords.decision(decision).shown(60)
        let isPassed = Decision(rawValue: decision) == .pass
        let word = isPassed ? "\(words): nobody sits at its terminal" : words
        let rules = result.list("rules").map { $0.text("pattern").shown(200) }
        let sent =
            result["sent"]?.boolValue == true ? "; sent, not taken yet: `cdev log` shows what became of it\n" : "\n"
        let short = ShortID.text(id, among: [])
        if !rules.isEmpty { return "\(short) \(word), and for this session: \(rules.joined(separator: ", "))\(sent)" }
        return "\(short) \(word)" + (session ? " once: there is no safe pattern for this call" : "") + sent
    }
}
