import OrderedJSON

extension Command {
    static let search = Command(
        "search", operands: "WORDS", 1...100, summary: "find words in what was said and done in all sessions",
        details: """
            Shows the messages that hold all the words, the newest first, each with the beginning of its session's id;
            `cdev transcript ID` shows the session. ASCII letters match either case. Of the results of tools the first
            8 KiB are searched.
            """,
        options: [.json, CommandOption("--limit", "N", "at most so many messages; 20 unless told, 200 at most")]
    ) { invocation in
        let result = try Places(invocation).client.call(
            "session/search",
            [
                "query": .string(invocation.operands.joined(separator: " ")),
                "limit": .number(JSONNumber(try limit(invocation))),
            ])
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(result.objectValue ?? [:])) }
        let hits = result.list("hits")
        Terminal.write(
            hits.isEmpty ? "nothing was found\n" : hits.map { hit($0, Paint(invocation.environment)) }.joined())
        if result["incomplete"]?.boolValue == true {
            Following.say("some transcripts are still being read; try again in a moment")
        } else if result["has_more"]?.boolValue == true, !hits.isEmpty {
            Following.say("there may be more; use --limit, or more words")
        }
    }

    private static func limit(_ invocation: Invocation) throws(CommandFailure) -> Int {
        guard let text = invocation["--limit"] else { return 20 }
        guard let number = Int(text), (1...200).contains(number) else {
            throw .usage("--limit is a number from 1 to 200, not `\(text.shown(40))`", invocation.command)
        }
        return number
    }

    private static func hit(_ hit: JSON, _ paint: Paint) -> String {
        let id = String(hit.text("session_id").shown(40).prefix(8))
        let who = hit.text("type") == "user" ? "to the agent" : "from the agent"
        let title = hit.text("summary").shown(60)
        let head = "\(paint.bold(id))  \(hit.clock("timestamp"))  \(paint.dim("\(who) · \(title)"))"
        return "\(head)\n    \(hit.text("snippet").shown(300))\n"
    }
}
