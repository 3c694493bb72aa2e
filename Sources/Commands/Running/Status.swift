import Agents
import Core
import OrderedJSON
import Text

extension Command {
    static let status = Command(
        "status", summary: "show the state of the daemon, of held requests and of the hooks",
        details: """
            Exit status 1 where something is wrong; the last line names it and its remedy. With --json it is `problem`,
            and the exit status is 0 if a daemon answers.
            """,
        options: [.json]
    ) { invocation in
        let places = try Places(invocation)
        let status = try places.client.call("status/get")
        let cards = try places.client.pending()
        let problem = StatusProblem.first(status)
        if invocation.wantsJSON {
            var members = members(status, cards)
            members["problem"] = problem?.json ?? .null
            return Terminal.write(ListOutput.json(members))
        }
        let sessions = (try? places.client.call("hook/sessions"))?.list("sessions") ?? []
        Terminal.write(colored(text(status, cards, sessions), Paint(invocation.environment)))
        if let problem { throw CommandFailure(.other, "\(problem.message) → \(problem.remedy)") }
    }

    /// The members of `--json`: `version` is that of the output, as in every listing; the daemon's is `daemon_version`.
    private static func members(_ status: JSON, _ cards: [JSON]) -> JSONObject {
        var members = JSONObject()
        for (key, value) in status.objectValue ?? [:] { members[key == "version" ? "daemon_version" : key] = value }
        let shown = ["request_id", "tool_name", "target", "deadline"]
        members["requests"] = .array(cards.map { card in .object(JSONObject(shown.map { ($0, card[$0] ?? .null) })) })
        return members
    }

    private static func approvers(_ status: JSON) -> String {
        let count = status["approvers"]?.intValue ?? 0
        return count == 1 ? "1 approver" : "\(count) approvers"
    }

    /// The held requests, one line each, at most 10.
    private static func held(_ cards: [JSON]) -> [String] {
        let ids = cards.map { $0.text("request_id") }
        let lines = cards.prefix(10).map { card in
            "            \(ShortID.text(card.text("request_id"), among: ids))  \(card.text("tool_name").shown(30))  "
                + "\(RequestLine.what(card).shown(80))  \(card.left("deadline"))"
        }
        return lines + (cards.count > 10 ? ["            and \(cards.count - 10) more; see `cdev pending`"] : [])
    }

    /// Lines about the socket's file; none if it was never deleted.
    private static func socket(_ status: JSON) -> [String] {
        let problem = status.text("socket_problem")
        guard problem.isEmpty else { return ["            PROBLEM: the socket: \(problem.shown(300))"] }
        let restored = status.text("socket_restored_at")
        return restored.isEmpty
            ? []
            : ["            the socket's file had been deleted; made anew at \(status.clock("socket_restored_at"))"]
    }

    /// Lines about TLS and addresses; none if only this machine can reach the daemon, and without TLS.
    private static func reach(_ status: JSON) -> [String] {
        var lines: [String] = []
        if let tls = status["tls"], !tls.text("valid_until").isEmpty {
            lines.append("  tls       \(tls.text("mode")), certificate until \(tls.clock("valid_until"))")
            if !tls.text("pin").isEmpty { lines.append("            pin \(tls.text("pin"))") }
            if !tls.text("problem").isEmpty { lines.append("            PROBLEM: \(tls.text("problem").shown(300))") }
        }
        if status["insecure"] == true { lines.append("  note      reached from other machines without encryption") }
        return lines
    }

    /// Characters. The sentence names the path of the old file, and a path has up to 4,096 bytes.
    private static let longestFailure = 5000

    /// The line about one notification channel.
    private static func channel(_ channel: JSON) -> String {
        let name = "  notify    \(channel.text("channel").shown(60)): "
        let failure = channel.text("failure")
        guard failure.isEmpty else { return name + "FAILING: \(failure.shown(200)); see `cdev doctor --notify`" }
        let obstacle = channel.text("obstacle")
        guard obstacle.isEmpty else {
            return name + "cannot be answered, so nothing is held for it: \(obstacle.shown(200)); set public_url"
        }
        let last = channel.text("last_delivery")
        return name + (last.isEmpty ? "nothing sent yet" : "last delivered \(channel.clock("last_delivery"))")
    }

    /// Lines about sessions whose mode asks less than usual.
    private static func modes(_ sessions: [JSON]) -> [String] {
        let told = sessions.filter { $0.text("state") != "ended" && !$0.text("mode_note").isEmpty }
        return told.prefix(5).map { session in
            "  note      session \(String(SessionChoice.ownID(session).shown(40).prefix(8))): "
                + session.text("mode_note").shown(300)
        }
    }

    /// The first line bold, and what is wrong in the colour of failures.
    private static func colored(_ text: String, _ paint: Paint) -> String {
        let lines = text.split(separator: "\n").map(String.init)
        let marks = ["PROBLEM:", "FAILING:", "  ALARM "]
        return lines.enumerated().map { number, line in
            if number == 0 { return paint.bold(line) + "\n" }
            if marks.contains(where: { line.holds($0) }) { return paint.bad(line) + "\n" }
            return (line.hasPrefix("  note ") ? paint.warning(line) : line) + "\n"
        }.joined()
    }

    private static func text(_ status: JSON, _ cards: [JSON], _ sessions: [JSON]) -> String {
        let address = status.text("address").isEmpty ? "" : ", \(status.text("base_url"))"
        let state = status["hooks"]?.text("state") ?? ""
        let hooks = state == SettingsStatus.State.notInstalled.rawValue ? "not installed" : state
        var lines = [
            "cdev \(status.text("version")) runs: pid \(status.text("pid")), up \(PeopleTime.span(status["uptime_seconds"]?.intValue ?? 0))",
            "  address   \(status.text("socket"))\(address)",
            "  waiting   \(status.text("pending_requests")) held, \(approvers(status)) connected",
            "  sessions  \(status.text("active_sessions")), rules \(status.text("total_patterns")), gate \(status.text("gate"))",
            "  hooks     \(hooks.isEmpty ? "unknown; see `cdev doctor`" : hooks)",
            "  log       \(status.text("log"))",
        ]
        lines.insert(contentsOf: held(cards), at: 3)
        lines.insert(contentsOf: socket(status), at: 2)
        lines += reach(status)
        lines += modes(sessions)
        lines += status.list("notify").map(channel)
        if let count = status["denies_ignored"]?.intValue, count > 0 {
            lines.append("  ALARM     \(count) denied calls ran all the same; see \"denied\" in the log")
        }
        if let last = status["last_agent_refusal"], !last.isNull {
            lines.append(
                "  refused   \(status.text("agent_refusals")) attempts from inside an agent, the last at "
                    + "\(last.clock("at")): \(last.text("method").shown(60)) by pid \(last.text("pid"))")
        }
        let failure = status.text("store_failure")
        if !failure.isEmpty { lines.append("  store     FAILING: \(failure.shown(longestFailure))") }
        if status.text("version") != Version.text {
            lines.append(
                "  note      this command is \(Version.text); restart the daemon with `cdev restart`")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
