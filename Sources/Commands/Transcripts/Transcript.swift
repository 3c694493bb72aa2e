import Core
import OrderedJSON

extension Command {
    static let transcript = Command(
        "transcript", operands: "SESSION", 1...1, summary: "show what was said and done in a session",
        details: """
            SESSION is a session's id, or the beginning of one; sessions that have ended are found too. One that the daemon
            runs is found by the id that `cdev run` showed as well. A call of a tool is one line, with the size of its
            result and the time that it took. With --follow it goes on with what is added, until Ctrl-C. At a terminal
            that has too few rows it is shown by $PAGER or less.
            """,
        options: [
            CommandOption("--agent", "ID", "a subagent's part, as the line of its call names it"),
            CommandOption("--follow", nil, "go on with what is added, subagents' parts too; it is no approver"),
            .json,
            CommandOption("--last", "N", "only the last N messages"),
            CommandOption("--thoughts", nil, "show the agent's thoughts as well"),
        ]
    ) { invocation in
        let places = try Places(invocation)
        let session = try TranscriptChoice.find(invocation.operands[0], places.client)
        let reading = TranscriptReading(
            session: session, agent: invocation["--agent"], last: try last(invocation), client: places.client)
        guard invocation.has("--follow") else { return try show(invocation, reading) }
        guard invocation["--agent"] == nil else {
            throw CommandFailure.usage(
                "--follow shows the session itself, not one of its subagents", invocation.command)
        }
        try TranscriptFollowing(invocation, places, reading).run()
    }

    private static func last(_ invocation: Invocation) throws(CommandFailure) -> Int? {
        guard let text = invocation["--last"] else { return nil }
        guard let number = Int(text), number > 0 else {
            throw .usage("--last is a number from 1 on, not `\(text.shown(40))`", invocation.command)
        }
        return number
    }

    private static func show(_ invocation: Invocation, _ reading: TranscriptReading) throws(CommandFailure) {
        if invocation.wantsJSON {
            _ = try reading.pages { Terminal.write($0.list("messages").map(line).joined()) }
            return
        }
        var text = TranscriptText(invocation)
        var shown = ""
        try reading.pages { page in
            text.note(subagents: page.list("subagents"))
            for message in page.list("messages") { shown += text.add(message) }
        }
        shown += text.finish()
        Pager.write(shown.isEmpty ? "nothing was said yet\n" : shown, invocation.environment)
    }

    /// One message a line, so that a long transcript can be read line by line.
    static func line(_ message: JSON) -> String { ListOutput.json(message.objectValue ?? [:]) }
}

/// A session with a transcript, found by what a person types.
enum TranscriptChoice {
    /// Sessions of one page.
    private static let page = 500

    /// The id of the only session that `typed` begins, or of the conversation of the run session that it begins.
    static func find(_ typed: String, _ client: DaemonClient) throws(CommandFailure) -> String {
        // As `cdev sessions` shows it, with the agent's name in front.
        let typed = typed.split(separator: ":").last.map(String.init) ?? typed
        let known = try all(client)
        if let id = try ShortID.find(typed, among: known, "sessions") { return id }
        if let run = try RunSessionChoice.session(typed, client) { return try conversation(of: run, among: known) }
        throw CommandFailure(
            .other,
            "no session whose id begins with \(typed.shown(60)) has a transcript; `cdev search` finds words in them"
                + (typed.hasPrefix("s_") ? ", and `cdev sessions` lists those that have ended by other ids" : ""))
    }

    /// The sessions that have a transcript, with words about each.
    private static func all(_ client: DaemonClient) throws(CommandFailure) -> [(id: String, about: String)] {
        var known: [(id: String, about: String)] = []
        while true {
            let page = try client.call(
                "workspace/session/history",
                ["limit": .number(JSONNumber(Self.page)), "offset": .number(JSONNumber(known.count))])
            let sessions = page.list("sessions")
            known += sessions.map { ($0.text("session_id"), $0.text("summary").shown(40)) }
            guard sessions.count == Self.page else { return known }
        }
    }

    /// The id of a run session's conversation, which has a transcript from its first prompt on.
    private static func conversation(
        of run: JSON, among known: [(id: String, about: String)]
    ) throws(CommandFailure) -> String {
        let conversation = run.text("claude_session_id")
        guard !known.contains(where: { $0.id == conversation }) else { return conversation }
        let name = ShortID.text(run.text("id"), among: [])
        let more = run["status"] == "running" ? "; `cdev send \(name) PROMPT` prompts it" : ""
        throw CommandFailure(.other, "nothing was said in session \(name) yet, so it has no transcript\(more)")
    }
}

/// Reads a transcript page by page, the oldest message first.
struct TranscriptReading {
    let session: String
    let agent: String?
    let last: Int?
    let client: DaemonClient

    /// Calls `body` with each page. Returns the number of the last message.
    @discardableResult func pages(_ body: (JSON) throws(CommandFailure) -> Void) throws(CommandFailure) -> Int {
        var params: JSONObject = ["session_id": .string(session), "order": "asc", "limit": 500]
        if let agent { params["agent_id"] = .string(agent) }
        var offset = try first(params)
        while true {
            params["offset"] = .number(JSONNumber(offset))
            let page = try client.call("workspace/session/messages", .object(params))
            try body(page)
            offset += page.list("messages").count
            guard page["has_more"]?.boolValue == true else { return page["total"]?.intValue ?? offset }
        }
    }

    private func first(_ params: JSONObject) throws(CommandFailure) -> Int {
        guard let last else { return 0 }
        var params = params
        params["limit"] = 1
        let total = try client.call("workspace/session/messages", .object(params))["total"]?.intValue ?? 0
        return max(0, total - last)
    }
}
