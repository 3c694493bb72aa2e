import OrderedJSON

extension Command {
    static let allow = Command(
        "allow", operands: "ID", 1...1, summary: "let Claude go on with a call",
        details: "ID is a request id as `cdev pending` shows it, or the beginning of one.",
        options: [
            CommandOption("--confirm", "TEXT", "the word that `cdev pending` asks for, where it does"),
            CommandOption("--session", nil, "also allow what the card's patterns cover, for this session"),
        ]
    ) { try answer($0, "allow") }

    static let deny = Command(
        "deny", operands: "ID", 1...1, summary: "refuse a call",
        details: "ID is a request id as `cdev pending` shows it, or the beginning of one.",
        options: [
            CommandOption("--message", "TEXT", "what Claude is told"),
            CommandOption("--session", nil, "also deny the same command for this session"),
        ]
    ) { try answer($0, "deny") }

    static let pass = Command(
        "pass", operands: "ID", 1...1, summary: "leave a request to Claude's own prompt",
        details: "ID is a request id as `cdev pending` shows it, or the beginning of one."
    ) { try answer($0, "ask") }

    private static func answer(_ invocation: Invocation, _ decision: String) throws(CommandFailure) {
        let client = try Places(invocation).client
        let id = try requestID(invocation.operands[0], client)
        var params: JSONObject = [
            "request_id": .string(id), "decision": .string(decision),
            "scope": invocation.has("--session") ? "session" : "once",
        ]
        if let confirm = invocation["--confirm"] { params["confirm"] = .string(confirm) }
        if let message = invocation["--message"] { params["message"] = .string(message) }
        let result = try client.call("permission/respond", .object(params))
        Terminal.write(receipt(result, id, asked: invocation.has("--session")))
    }

    /// The least characters of an id after `r_`: 20 bits, so that an old id on the screen cannot match a newer request.
    private static let leastOfID = 4

    /// The id of the only open request whose id begins with `prefix`.
    private static func requestID(_ prefix: String, _ client: DaemonClient) throws(CommandFailure) -> String {
        let open = try client.pending().map { $0.text("request_id") }
        if open.contains(prefix) { return prefix }
        // `cdev allow "$ID"` with an empty variable, or `cdev allow r`, would answer any request that is open at this
        // moment.
        guard prefix.count - (prefix.hasPrefix("r_") ? 2 : 0) >= leastOfID else {
            throw CommandFailure(
                .usage, "\"\(prefix)\" is too short for an id: give at least \(leastOfID) characters after r_")
        }
        let found = open.filter { $0.hasPrefix(prefix) || $0.hasPrefix("r_" + prefix) }
        if found.count > 1 {
            throw CommandFailure(.usage, "\(prefix) could be any of \(found.count) open requests; give more of the id")
        }
        // If no open request has the id, the daemon answers: it knows who decided an ended request.
        return found.first ?? prefix
    }

    private static func receipt(_ result: JSON, _ id: String, asked session: Bool) -> String {
        let decision = ["allow": "allowed", "deny": "denied", "ask": "handed to Claude's prompt"]
        let word = decision[result.text("decision")] ?? "handed back to Claude (nobody sits at its terminal)"
        let rules = result.list("rules").map { $0.text("pattern") }
        let sent =
            result["sent"]?.boolValue == true ? "; sent, not taken yet: `cdev log` shows what became of it\n" : "\n"
        if !rules.isEmpty { return "\(id) \(word), and for this session: \(rules.joined(separator: ", "))\(sent)" }
        return "\(id) \(word)" + (session ? " once: there is no safe pattern for this call" : "") + sent
    }
}
