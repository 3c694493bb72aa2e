import Core
import OrderedJSON

extension Command {
    static let rules = Command(
        "rules", summary: "show what is allowed and denied for running sessions", options: [.json]
    ) { invocation in
        let result = try Places(invocation).client.call("permission/rules")
        let rules = result.list("rules")
        let ids = rules.map { $0.text("id") }
        ListOutput.print(
            invocation, result, ["ID", "EFFECT", "PATTERN", "SESSION", "GRANTED BY", "LAST USED"],
            rules.map { rule in
                [
                    ShortID.text(rule.text("id"), among: ids), rule.text("effect"), rule.text("pattern").cell,
                    String(rule.text("session_id").shown(40).prefix(8)),
                    OutcomeWords.who(rule.text("granted_by")).cell,
                    rule["is_used"]?.boolValue == false ? "not yet" : rule.clock("last_match"),
                ]
            }, cutting: ["PATTERN", "GRANTED BY"], empty: "no rules: nothing is allowed or denied for a session")
    }

    static let rulesRevoke = Command(
        "rules revoke", operands: "ID", 1...1, summary: "revoke a rule",
        details: "ID is a rule id as `cdev rules` shows it, or the beginning of one."
    ) { invocation in
        let client = try Places(invocation).client
        let all = try client.call("permission/rules").list("rules").map {
            (id: $0.text("id"), about: $0.text("pattern").shown(60))
        }
        let id = try ShortID.find(invocation.operands[0], among: all, "rules") ?? invocation.operands[0]
        let result = try client.call("permission/revoke", ["rule_id": .string(id)])
        let short = ShortID.text(id, among: all.map(\.id))
        Terminal.write("\(short) revoked: \(result["rule"]?.text("pattern").shown(200) ?? "")\n")
    }
}
