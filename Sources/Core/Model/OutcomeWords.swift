/// How a request ended, in words for people: the same in every command, notification and list. The page has them in
/// `web/js/text/words.js`. Of the wire's spellings, one that a later version brings is shown as it is.
package enum OutcomeWords {
    /// `allowed for the session by phone`, `left to Claude, as Claude stopped waiting`.
    package static func text(_ decision: String, scope: String = "", by resolver: String) -> String {
        Self.decision(decision, scope: scope) + clause(resolver)
    }

    /// A decision without its cause: `allowed`, `to be answered in terminal`.
    package static func decision(_ decision: String, scope: String = "") -> String {
        let words: String =
            switch Decision(rawValue: decision) {
            case .allow: "allowed"
            case .ask: "to be answered in terminal"
            case .deny: "denied"
            case .pass: "left to Claude"
            case nil: decision
            }
        return words + (scope == Scope.session.rawValue ? " for the session" : "")
    }

    /// The reason of an end, where it says more than the decision and its cause; else empty.
    package static func more(_ reason: String, than decision: String, by resolver: String) -> String {
        guard reason != text(decision, by: resolver) else { return "" }
        let circumstance = "nobody answered "
        guard case .timeout = Resolver(resolver), reason.hasPrefix(circumstance) else { return reason }
        let rest = String(reason.dropFirst(circumstance.count))
        return rest == "in time" ? "" : rest
    }

    /// `by phone`: the person or rule that decided; where nobody did, the circumstance: `as nobody answered in time`.
    package static func cause(_ spelling: String) -> String {
        circumstance(spelling) ?? "by \(who(spelling))"
    }

    /// The cause, to stand directly behind a decision.
    package static func clause(_ spelling: String) -> String {
        (circumstance(spelling) == nil ? " " : ", ") + cause(spelling)
    }

    private static func circumstance(_ spelling: String) -> String? {
        switch Resolver(spelling) {
        case .hookGone: "as Claude stopped waiting"
        case .lost: "as the connection to Claude was lost"
        case .noApprover: "as nobody was there to ask"
        case .sessionLimit: "as too many requests of its session were open"
        case .timeout: "as nobody answered in time"
        case .device, .link, .local, .rule, .terminal, nil: nil
        }
    }

    /// The name of the person or rule that `resolved_by` or `granted_by` spells.
    package static func who(_ spelling: String) -> String {
        switch Resolver(spelling) {
        case .device(let name): name
        case .link(let channel): "a link (\(channel))"
        case .local: "somebody at the computer"
        case .rule: "a session rule"
        case .terminal: "somebody in the terminal"
        default: spelling.isEmpty ? "somebody" : spelling
        }
    }
}
