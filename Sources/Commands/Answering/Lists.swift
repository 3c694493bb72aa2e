import Core
import OrderedJSON

extension Command {
    static let rules = Command(
        "rules", summary: "show what is allowed and denied for running sessions", options: [.json]
    ) { invocation in
        let result = try Places(invocation).client.call("permission/rules")
        ListOutput.print(
            invocation, result, ["ID", "EFFECT", "PATTERN", "SESSION", "GRANTED BY", "LAST MATCH"],
            result.list("rules").map { rule in
                [
                    rule.text("id"), rule.text("effect"), rule.text("pattern").shown(80),
                    String(rule.text("session_id").shown(40).prefix(8)), rule.text("granted_by").shown(30),
                    rule.text("last_match"),
                ]
            }, empty: "no rules: you are asked about every call")
    }

    static let rulesRevoke = Command(
        "rules revoke", operands: "ID", 1...1, summary: "revoke a rule",
        details: "ID is a rule id as `cdev rules` shows it, or the beginning of one."
    ) { invocation in
        let client = try Places(invocation).client
        let prefix = invocation.operands[0]
        guard !prefix.isEmpty else { throw CommandFailure(.usage, "ID is empty; give one that `cdev rules` shows") }
        let all = try client.call("permission/rules").list("rules").map { $0.text("id") }
        let found = all.filter { $0.hasPrefix(prefix) || $0.hasPrefix("rule_" + prefix) }
        if found.count > 1, !found.contains(prefix) {
            throw CommandFailure(.usage, "\(prefix) could be any of \(found.count) rules; give more of the id")
        }
        let id = found.contains(prefix) ? prefix : found.first ?? prefix
        let result = try client.call("permission/revoke", ["rule_id": .string(id)])
        Terminal.write("\(id) revoked: \(result["rule"]?.text("pattern").shown(200) ?? "")\n")
    }

    static let sessions = Command(
        "sessions", summary: "show the agents' sessions", options: [.json]
    ) { invocation in
        let result = try Places(invocation).client.call("hook/sessions")
        ListOutput.print(
            invocation, result, ["SESSION", "AGENT", "STATE", "TOOL", "WAITING", "DIRECTORY", "LAST ACTIVITY"],
            result.list("sessions").map { session in
                [
                    String(ownID(session).shown(40).prefix(8)), session.text("agent").shown(20), session.text("state"),
                    session.text("current_tool").shown(30), session.text("pending_requests"),
                    session.text("cwd").shown(60), session.text("last_activity"),
                ]
            }, empty: "no session has called a hook yet; start Claude Code, or see `cdev doctor`")
        guard !invocation.wantsJSON else { return }
        for bystander in result.list("bystanders") {
            let seen = "last heard of \(bystander.text("last_seen")) in \(bystander.text("cwd").shown(200))"
            Terminal.write("not held: \(bystander.text("reason").shown(400)); \(seen)\n")
        }
    }

    /// The session's id without the agent's name, which has a column of its own.
    private static func ownID(_ session: JSON) -> String {
        let id = session.text("session_id")
        let prefix = session.text("agent") + ":"
        return id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id
    }
}
