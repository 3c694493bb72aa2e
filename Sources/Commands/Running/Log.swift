import Core
import Glibc
import OrderedJSON
import Platform

extension Command {
    static let log = Command(
        "log", summary: "show what was decided, and by whom",
        options: [
            CommandOption(
                "--follow", nil, "go on, and show each decision as it is made; it does not count as an approver"),
            .json,
            CommandOption("--limit", "N", "at most so many, the latest ones; 100 unless told, 1000 at most"),
            CommandOption("--session", "ID", "only one session's, by the beginning of its id"),
            CommandOption("--since", "T", "only since then: 2026-11-20T10:30:00Z, or 90s, 30m, 12h, 7d ago"),
        ]
    ) { invocation in
        let places = try Places(invocation)
        var params: JSONObject = ["limit": .number(JSONNumber(try limit(invocation)))]
        if let since = invocation["--since"] { params["since"] = .string(try instant(since, invocation.command)) }
        if let session = invocation["--session"] {
            params["session_id"] = .string(try sessionID(session, places.client))
        }
        guard invocation.has("--follow") else { return try list(invocation, places, params) }
        let asked = params
        var isListed = false
        // The stream is opened before the list is read, so that no event falls between the two.
        try Following.run(places, name: "cdev log", isApprover: false, invocation) {
            (stream: inout EventStream) throws(CommandFailure) in
            if !isListed {
                try list(invocation, places, asked)
                if !invocation.wantsJSON { Following.say("waiting for decisions; Ctrl-C ends") }
            }
            isListed = true
            try follow(invocation, asked["session_id"]?.stringValue ?? "", &stream)
        }
    }

    /// The id of the session that `typed` begins, as `cdev sessions` shows it; `typed` itself for one that is forgotten.
    private static func sessionID(_ typed: String, _ client: DaemonClient) throws(CommandFailure) -> String {
        try SessionChoice.find(typed, client)?.text("session_id") ?? typed
    }

    private static func limit(_ invocation: Invocation) throws(CommandFailure) -> Int {
        guard let text = invocation["--limit"] else { return 100 }
        guard let number = Int(text), (1...1000).contains(number) else {
            throw .usage("--limit is a number from 1 to 1000, not `\(text)`", invocation.command)
        }
        return number
    }

    /// The time `text` ago if it is a duration such as `30m`, else `text` itself.
    private static func instant(_ text: String, _ command: Command) throws(CommandFailure) -> String {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        if let unit = text.last.flatMap({ units[$0] }), let count = Double(text.dropLast()), (0...1e6).contains(count) {
            let now = Timestamp(milliseconds: SystemTime.wall)
            return (now + -count * unit).rfc3339
        }
        guard text.contains("T"), text.count >= 19 else {
            throw .usage("--since is a time such as 2026-11-20T10:30:00Z or 30m, not `\(text)`", command)
        }
        return text
    }

    private static func list(_ invocation: Invocation, _ places: Places, _ params: JSONObject) throws(CommandFailure) {
        let result = try pages(places, params)
        if invocation.wantsJSON, !invocation.has("--follow") { return Terminal.write(ListOutput.json(result)) }
        let entries = JSON.object(result).list("requests").reversed().filter { $0["open"]?.boolValue != true }
        if invocation.wantsJSON {
            for entry in entries { Terminal.write(ListOutput.json(entry.objectValue ?? [:])) }
        } else if entries.isEmpty, !invocation.has("--follow") {
            Terminal.write("nothing has been decided yet\n")
        } else {
            let paint = Paint(invocation.environment)
            Terminal.write(entries.map { line($0, paint) }.joined())
        }
    }

    /// Reads pages until there are as many entries as asked for: one page may hold fewer, and its `next` names the
    /// following.
    private static func pages(_ places: Places, _ params: JSONObject) throws(CommandFailure) -> JSONObject {
        let limit = params["limit"]?.intValue ?? 100
        var params = params
        var requests: [JSON] = []
        while true {
            let page = try places.client.call("permission/history", .object(params))
            requests += page.list("requests")
            let next = page["next"] ?? .null
            guard !next.isNull, requests.count < limit, !page.list("requests").isEmpty else {
                return [
                    "requests": .array(requests), "count": .number(JSONNumber(requests.count)), "next": next,
                ]
            }
            params["cursor"] = next
            params["limit"] = .number(JSONNumber(limit - requests.count))
        }
    }

    private static func follow(
        _ invocation: Invocation, _ session: String, _ stream: inout EventStream
    ) throws(CommandFailure) {
        let paint = Paint(invocation.environment)
        while let event = try stream.next() {
            guard event.name == "pty_permission_resolved" else { continue }
            if !session.isEmpty, event.params.text("session_id") != session { continue }
            Terminal.write(
                invocation.wantsJSON ? ListOutput.json(event.params.objectValue ?? [:]) : line(event.params, paint))
        }
    }

    private static func line(_ entry: JSON, _ paint: Paint) -> String {
        let what = entry.text("target").isEmpty ? "" : "  " + entry.text("target").shown(100)
        return "\(paint.dim(entry.clock("at")))  \(DecisionWords.text(entry, paint))  "
            + "\(entry.text("tool_name").shown(30))\(what)  \(DecisionWords.cause(entry))\(DecisionWords.reason(entry))\n"
    }
}
