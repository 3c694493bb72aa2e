/// What becomes of a PreToolUse call: the first line of the list that applies.
enum PreToolUseVerdict: Hashable {
    case allow(by: [SessionRule])
    case deny(by: SessionRule)
    case hold
    /// Nobody can be asked.
    case noApprover
    /// Why there is no opinion, for the log.
    case pass(String)
}

extension BrokerState {
    /// AskUserQuestion and ExitPlanMode are questions to the user by themselves: they are asked at PermissionRequest,
    /// and no rule ever answers them.
    static let userQuestions: Set<String> = ["AskUserQuestion", "ExitPlanMode"]

    func verdict(on event: HookEvent, _ tool: ToolCall, _ source: HookSource) -> PreToolUseVerdict {
        let place = place(of: event, source)
        if let rule = denyRule(for: tool, event, source, at: place) { return .deny(by: rule) }
        if Self.userQuestions.contains(tool.name) { return .pass("asked at PermissionRequest") }
        if let reason = passedByMode(event) { return .pass(reason) }
        let rules = allowRules(for: tool, event, source, at: place)
        if !rules.isEmpty { return .allow(by: rules) }
        if let reason = passedUnasked(event, tool, at: place) { return .pass(reason) }
        return approvers > 0 || policy.noApprover == .hold ? .hold : .noApprover
    }

    func denyRule(for tool: ToolCall, _ event: HookEvent, _ source: HookSource, at place: RulePlace) -> SessionRule? {
        let rules = ruleBook.rules(session: event.sessionID, .deny)
        // What cannot be seen could be what was denied.
        if event.isInputCut { return rules.all.first }
        return rules.isEmpty ? nil : judge.denying(tool, at: place, among: rules)
    }

    /// No allow rule settles what anybody on this machine could have posted, nor what a person has to confirm.
    private func allowRules(
        for tool: ToolCall, _ event: HookEvent, _ source: HookSource, at place: RulePlace
    ) -> [SessionRule] {
        guard source.isVerified, event.agent.takesAllowRules else { return [] }
        let rules = ruleBook.rules(session: event.sessionID, .allow)
        guard !rules.isEmpty, policy.confirm.prompt(for: tool.name, input: tool.input) == nil else { return [] }
        return judge.allowing(tool, at: place, among: rules)
    }

    private func passedByMode(_ event: HookEvent) -> String? {
        let mode = event.permissionMode
        guard event.agent.takesMoreThanYesAndNo else { return passedWhereItAsks(event) }
        return switch mode {
        case .bypassPermissions: "mode bypassPermissions"
        case .auto, .dontAsk, .plan: policy.gate == .always ? nil : "mode \(mode.spelling)"
        default: nil
        }
    }

    /// No hook can answer for an agent that takes no grant: where it asks by itself, a card would be a second question
    /// to the same person. Where it asks nobody, ours is the only one.
    private func passedWhereItAsks(_ event: HookEvent) -> String? {
        guard policy.gate != .always, event.permissionMode != .bypassPermissions else { return nil }
        return "\(event.agent.name) asks by itself"
    }

    /// Calls Claude runs without asking, or asks about by itself.
    private func passedUnasked(_ event: HookEvent, _ tool: ToolCall, at place: RulePlace) -> String? {
        if policy.isPassthrough(tool.name) { return "passthrough tool" }
        if event.permissionMode == .acceptEdits, judge.editsUnderRoot(tool, at: place) { return "mode acceptEdits" }
        if claudeRules.allows(tool: tool.name, input: tool.input, root: place.root) { return "allowed by settings" }
        if policy.gate == .prompt { return "gate prompt" }
        if policy.gate == .toolCall, judge.onlyReads(tool, at: place) { return "only reads" }
        return nil
    }
}
