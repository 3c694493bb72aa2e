import Core
import OrderedJSON
import Rules

// What the checks call the same, covered and granted; none of it asks the broker.

extension PermissionRequest {
    /// Whether this is the very call of a hook.
    func asks(_ posting: Posting) -> Bool {
        let (event, source) = (posting.event, posting.source)
        return sessionID == event.sessionID && self.event == event.name && toolName == event.tool?.name
            && input == event.tool?.kept && cwd == event.cwd && promptID == event.promptID && agentID == event.agentID
            && isUnverified == !source.isVerified && relayToken == source.relayToken
    }

    /// Whether people cannot tell it from another card of the same id of Claude's.
    func isSameCall(as other: PermissionRequest) -> Bool {
        toolName == other.toolName && input == other.input && cwd == other.cwd
    }
}

extension ToolCall {
    /// The word an allow needs.
    var confirmed: String? {
        let words = input["command"]?.stringValue?.split(separator: " ") ?? []
        return words.contains { $0 == Record.confirmed } ? Record.confirmed : nil
    }
}

extension Posting {
    /// What a rule has to say to cover this call, as `PrefixEvaluator` makes rules.
    var pattern: String? {
        guard let line = event.tool?.input["command"]?.stringValue, !line.contains("&&") else { return nil }
        return "Bash(\(line.split(separator: " ")[0]))"
    }
}

extension Saying {
    /// The input that this allow puts in the place of the card's; `nil` where it leaves it.
    func input(for card: PermissionRequest) -> KeptJSON? {
        guard let answers = response.answers, var input = card.toolInput.objectValue else { return response.update }
        input["answers"] = answers
        return KeptJSON(.object(input))
    }

    /// A change needs the word of what will run; else it is that of the card.
    func neededWord(for card: PermissionRequest) -> String? {
        let changed = response.update.map { ToolCall(tool: card.tool, kept: $0, useID: nil) }
        return changed?.confirmed ?? ToolCall(tool: card.tool, kept: card.input, useID: nil).confirmed
    }

    /// `ask` is no opinion where nobody sits, and a deny where the agent cannot ask.
    func decision(on card: PermissionRequest) -> Decision {
        guard response.decision == .ask else { return response.decision }
        return card.sessionID.hasPrefix("grok:") ? .deny : card.isAttended ? .ask : .pass
    }

    /// Whether this answer, of this card, makes the rule.
    func grants(_ rule: SessionRule, _ card: PermissionRequest?) -> Bool {
        guard let card, response.scope == .session, response.update == nil, response.answers == nil,
            !card.isUnverified, rule.requestID == card.id, rule.sessionID == card.sessionID,
            rule.deviceID == caller.deviceID, rule.effect.rawValue == response.decision.rawValue
        else { return false }
        let offered = response.decision == .allow ? card.patterns : card.denyPatterns
        return offered.contains(rule.pattern) && response.patterns?.contains(rule.pattern) != false
    }
}

extension HookAnswer {
    /// Whether a hook that hears this hears what a person said.
    func says(_ saying: Saying) -> Bool {
        switch (saying.response.decision, self) {
        case (.deny, .deny(let message)): saying.response.message.map { $0 == message } ?? true
        case (.ask, .ask), (.ask, .pass): true
        default: false
        }
    }
}
