import Core
import OrderedJSON
import TerminalView

/// The rows of views, made of the daemon's lists; their times are local.
enum WatchViewRows {
    static func rows(_ view: WatchView, _ result: JSON) -> [ViewRow] {
        switch view {
        case .history: result.list("requests").filter { $0["open"]?.boolValue != true }.map(decision)
        case .rules: result.list("rules").map(rule)
        }
    }

    private static func decision(_ entry: JSON) -> ViewRow {
        return ViewRow(
            time: entry.clock("at"), decision: entry.text("decision"),
            words: DecisionWords.text(entry, Paint(["NO_COLOR": "1"])),
            text: "\(entry.text("tool_name"))  \(entry.text("target"))",
            note: DecisionWords.cause(entry) + DecisionWords.reason(entry))
    }

    private static func rule(_ rule: JSON) -> ViewRow {
        let isUsed = rule["is_used"]?.boolValue != false
        let who = OutcomeWords.who(rule.text("granted_by"))
        return ViewRow(
            time: rule.clock("created_at"), decision: rule.text("effect"), words: rule.text("effect"),
            text: rule.text("pattern"),
            note: "by \(who), session \(rule.text("session_id").prefix(8)), "
                + (isUsed ? "last used \(rule.clock("last_match"))" : "not used yet")
                + "; cdev rules revoke \(ShortID.text(rule.text("id"), among: []))",
            ruleID: rule.text("id"))
    }
}
