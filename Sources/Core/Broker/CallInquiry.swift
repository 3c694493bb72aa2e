import OrderedJSON
import Rules

/// What rules and settings say of a call. They may ask the disk, so it is gathered before the state machine takes the
/// call.
package struct CallFacts: Sendable, Hashable {
    /// Nobody could say in time.
    var isUnknown = false
    /// A deny rule that could not be looked at, and may be the one that forbids the call.
    var mayDeny: SessionRule?
    var denying: SessionRule?
    var allowing: [SessionRule] = []
    /// Why Claude asks nobody, or by itself.
    var unasked: String?
    var offers = RuleOffers()
    /// The word that an allow has to carry.
    var confirm: String?
}

/// A question about one call to the rules: all they need, so that any thread can ask it.
package struct CallInquiry: Sendable {
    let name: HookEventName
    let agent: Agent
    /// The agent shows only the beginning of the input.
    let isInputCut: Bool
    let mode: PermissionMode
    let tool: ToolCall
    let place: RulePlace
    let isVerified: Bool
    let policy: Policy
    let allow: GrantedRules
    let deny: GrantedRules
    /// Somebody may be asked, so a card must say what it offers.
    let mayBeHeld: Bool

    /// Bytes of an input that is judged where others wait; a longer line or file is judged elsewhere.
    private static let judgedAtOnce = 8 << 10

    /// The facts, where they can be had without keeping others waiting; `nil`: ask `facts` elsewhere.
    func promptFacts(_ judge: any RuleJudge, _ settings: any ClaudeRules) -> CallFacts? {
        guard tool.kept.size <= Self.judgedAtOnce else { return nil }
        let hurried = judge.hurried()
        var isSure = true
        let facts = facts(hurried.judge) {
            let known = settings.allowsPromptly(tool: tool.name, input: tool.input, root: place.root)
            isSure = isSure && known != nil
            return known ?? false
        }
        return isSure && hurried.isSure() ? facts : nil
    }

    /// The facts, however long the disk takes for them.
    func facts(_ judge: any RuleJudge, _ settings: any ClaudeRules) -> CallFacts {
        facts(judge) { settings.allows(tool: tool.name, input: tool.input, root: place.root) }
    }

    /// The facts where the disk does not answer in time: a person is asked, and offered nothing.
    package var unknown: CallFacts {
        var facts = CallFacts()
        facts.isUnknown = true
        if isInputCut { facts.denying = deny.all.first }
        facts.mayDeny = deny.all.first { rule in rule.parsed.map { PathText.same($0.tool, tool.name) } ?? true }
        if policy.isPassthrough(tool.name) { facts.unasked = "passthrough tool" }
        if policy.gate == .prompt { facts.unasked = "gate prompt" }
        facts.confirm =
            tool.kept.size <= Self.judgedAtOnce
            ? policy.confirm.prompt(for: tool.tool, input: tool.input) : policy.confirm.promptUnseen(for: tool.tool)
        return facts
    }

    /// In the order in which they count: what comes first makes the rest worthless.
    private func facts(_ judge: any RuleJudge, _ settingsAllow: () -> Bool) -> CallFacts {
        var facts = CallFacts()
        // The part that is not shown could be what was denied.
        if isInputCut, let rule = deny.all.first {
            facts.denying = rule
            return facts
        }
        if !deny.isEmpty, let rule = judge.denying(tool, at: place, among: deny) {
            facts.denying = rule
            return facts
        }
        if name == .preToolUse {
            if tool.kind.isForUser || policy.passes(agent, mode) != nil { return facts }
            facts.allowing = allowing(judge)
            if !facts.allowing.isEmpty { return facts }
            facts.unasked = unasked(judge, settingsAllow)
            if facts.unasked != nil { return facts }
        }
        guard mayBeHeld else { return facts }
        facts.confirm = policy.confirm.prompt(for: tool.tool, input: tool.input)
        if isVerified { facts.offers = judge.offers(for: tool, at: place) }
        return facts
    }

    /// No allow rule settles what anybody on this machine could have posted, nor what a person has to confirm.
    private func allowing(_ judge: any RuleJudge) -> [SessionRule] {
        guard isVerified, agent.profile.takesAllowRules, !allow.isEmpty,
            policy.confirm.prompt(for: tool.tool, input: tool.input) == nil
        else {
            return []
        }
        return judge.allowing(tool, at: place, among: allow)
    }

    private func unasked(_ judge: any RuleJudge, _ settingsAllow: () -> Bool) -> String? {
        if policy.isPassthrough(tool.name) { return "passthrough tool" }
        if mode == .acceptEdits, judge.editsUnderRoot(tool, at: place) { return "mode acceptEdits" }
        if settingsAllow() { return "allowed by settings" }
        if policy.gate == .prompt { return "gate prompt" }
        if policy.gate == .toolCall, judge.onlyReads(tool, at: place) { return "only reads" }
        return nil
    }

    /// True where the answers to the other are those to this one: no rule came or went, and the session is where it was.
    func isSame(as other: CallInquiry) -> Bool {
        place == other.place && mayBeHeld == other.mayBeHeld && policy == other.policy
            && allow.all.map(\.id) == other.allow.all.map(\.id) && deny.all.map(\.id) == other.deny.all.map(\.id)
    }
}

extension BrokerState {
    /// Returns what has to be asked about a call before `receive` takes it; `nil` where nothing has.
    package func inquiry(_ call: HookCall) -> CallInquiry? {
        let event = call.event
        guard event.name.isBlocking, !event.agent.profile.isBystander, let tool = event.tool,
            repeatedID(tool, of: call) == nil
        else { return nil }
        let place = RulePlace(root: sessions.root(for: call), cwd: event.cwd, shell: call.source.shell)
        return inquiry(tool, of: call, at: place)
    }

    func inquiry(_ tool: ToolCall, of call: HookCall, at place: RulePlace) -> CallInquiry {
        let (event, source) = (call.event, call.source)
        return CallInquiry(
            name: event.name, agent: event.agent, isInputCut: event.details.isInputCut, mode: event.permissionMode,
            tool: tool, place: place, isVerified: source.isVerified,
            policy: policy, allow: ruleBook.rules(session: event.sessionID, .allow),
            deny: denyRules(session: event.sessionID, process: source.isVerified ? source.claudePID : nil),
            mayBeHeld: event.name == .permissionRequest || approvers > 0 || policy.noApprover == .hold)
    }
}

extension Policy {
    /// Why a call is not held in this mode; `nil` where it may be.
    func passes(_ agent: Agent, _ mode: PermissionMode) -> String? {
        let profile = agent.profile
        if profile.freeModes.contains(mode) { return "mode \(mode.spelling)" }
        guard gate != .always, profile.settledModes.contains(mode) else { return nil }
        // No hook can answer the agent's own question for one that takes no grant.
        return profile.answers.contains(.allow) ? "mode \(mode.spelling)" : "\(agent.name) asks by itself"
    }
}
