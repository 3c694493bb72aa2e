import OrderedJSON
import Rules

/// The answers of rules and settings about a call. Rules and settings may read the disk, so the facts are gathered
/// before the state machine takes the call.
package struct CallFacts: Sendable, Hashable {
    /// The disk did not answer in time, so no rule was checked.
    var isUnknown = false
    /// See `AgentEvent.Details`.
    var isInputUncertain = false
    /// A deny rule that may cover the call: it could not be checked, or what it covers cannot be told.
    var mayDeny: SessionRule?
    var denying: SessionRule?
    var allowing: [SessionRule] = []
    /// Why nobody is asked through us: the agent needs no permission for the call, or asks for it by itself.
    var unasked: String?
    var offers = RuleOffers()
    /// True if a file outside the project would change; `nil` where nobody can tell where the file is.
    var isOutside: Bool? = false
    /// The confirmation word that an allow has to carry.
    var confirm: String?
}

/// Everything that rules and settings need to evaluate one call, so that any thread can ask them.
package struct CallInquiry: Sendable {
    let name: HookEventName
    let agent: Agent
    /// See `AgentEvent.Details`.
    let isInputUncertain: Bool
    let mode: PermissionMode
    private(set) var tool: ToolCall
    let place: RulePlace
    let isVerified: Bool
    let policy: Policy
    let allow: GrantedRules
    let deny: GrantedRules
    /// The call may be held, so the patterns that its card offers are needed.
    let mayBeHeld: Bool

    /// The most bytes of an input that is evaluated on the loop, where every connection waits for it.
    private static let evaluatedAtOnce = 8 << 10
    /// The same for a command: each of the hundreds that a line may have is looked up by itself.
    private static let commandEvaluatedAtOnce = 1 << 10

    /// The facts, if they can be gathered on the loop; `nil` where `facts` has to be called on another thread.
    func promptFacts(_ evaluator: any RuleEvaluator, _ settings: any ClaudeRules) -> CallFacts? {
        let most = tool.kind == .shellCommand ? Self.commandEvaluatedAtOnce : Self.evaluatedAtOnce
        guard tool.kept.size <= most else { return nil }
        let hurried = evaluator.hurried()
        var isSure = true
        let facts = judged.facts(hurried.evaluator) { tool in
            let known = settings.allowsPromptly(tool: tool.name, input: tool.input, root: place.root)
            isSure = isSure && known != nil
            return known ?? false
        }
        return isSure && hurried.isSure() ? facts : nil
    }

    /// The facts, however long the disk takes for them.
    func facts(_ evaluator: any RuleEvaluator, _ settings: any ClaudeRules) -> CallFacts {
        judged.facts(evaluator) { settings.allows(tool: $0.name, input: $0.input, root: place.root) }
    }

    /// Asks the same about the input without the marks that would take long to compare. No rule allows what is left.
    private var judged: CallInquiry {
        guard isInputUncertain else { return self }
        var judged = self
        judged.tool = tool.cuttingMarks()
        return judged
    }

    /// The facts where the disk does not answer in time: a person is asked, and the card offers no pattern.
    package var unknown: CallFacts {
        var facts = CallFacts()
        facts.isUnknown = true
        facts.isInputUncertain = isInputUncertain
        facts.isOutside = tool.kind == .fileChanges ? nil : false
        if isInputUncertain { facts.denying = deny.all.first }
        facts.mayDeny = deny.first(forTool: tool.name)
        if policy.isPassthrough(tool.name) { facts.unasked = "passthrough tool" }
        if policy.gate == .prompt { facts.unasked = "gate prompt" }
        facts.confirm =
            tool.kept.size <= Self.evaluatedAtOnce
            ? policy.confirm.prompt(for: tool.tool, input: tool.input) : policy.confirm.promptUnseen(for: tool.tool)
        return facts
    }

    /// Asks in the order of precedence, and no further than to the first fact that settles the call.
    private func facts(_ evaluator: any RuleEvaluator, _ settingsAllow: (ToolCall) -> Bool) -> CallFacts {
        var facts = CallFacts()
        facts.isInputUncertain = isInputUncertain
        // The part that the agent does not show, or the other of two values, could be what a rule denies.
        if isInputUncertain, let rule = deny.all.first {
            facts.denying = rule
            return facts
        }
        if !deny.isEmpty, let rule = evaluator.denying(tool, at: place, among: deny) {
            facts.denying = rule
            return facts
        }
        // At PermissionRequest somebody is asked in any case.
        if name == .preToolUse, !deny.isEmpty { facts.mayDeny = evaluator.mayDeny(tool, at: place, among: deny) }
        if name == .preToolUse, facts.mayDeny == nil {
            if tool.kind.isForUser || policy.passes(agent, mode) != nil { return facts }
            facts.allowing = allowing(evaluator)
            if !facts.allowing.isEmpty { return facts }
            facts.unasked = unasked(evaluator, settingsAllow)
            if facts.unasked != nil { return facts }
        }
        guard mayBeHeld else { return facts }
        facts.confirm = policy.confirm.prompt(for: tool.tool, input: tool.input)
        if isVerified { facts.offers = evaluator.offers(for: tool, at: place) }
        facts.isOutside = tool.kind == .fileChanges ? evaluator.editsOutsideRoot(tool, at: place) : false
        return facts
    }

    /// The allow rules that settle the call. There are none for a call that any process of this machine could have
    /// posted, for one that is not known whole, nor for one that a person has to confirm.
    private func allowing(_ evaluator: any RuleEvaluator) -> [SessionRule] {
        guard isVerified, !isInputUncertain, agent.profile.takesAllowRules, !allow.isEmpty,
            policy.confirm.prompt(for: tool.tool, input: tool.input) == nil
        else {
            return []
        }
        return evaluator.allowing(tool, at: place, among: allow)
    }

    /// Why nobody is asked about the call; `nil` where a person is.
    private func unasked(_ evaluator: any RuleEvaluator, _ settingsAllow: (ToolCall) -> Bool) -> String? {
        if policy.isPassthrough(tool.name) { return "passthrough tool" }
        if mode == .acceptEdits, evaluator.editsUnderRoot(tool, at: place) { return "mode acceptEdits" }
        if settingsAllow(tool) { return "allowed by settings" }
        if policy.gate == .prompt { return "gate prompt" }
        if policy.gate == .toolCall, evaluator.onlyReads(tool, at: place) { return "only reads" }
        return nil
    }

    /// True where both inquiries of one call have the same answers: neither the rules, the policy nor the place
    /// changed.
    func isSame(as other: CallInquiry) -> Bool {
        place == other.place && mayBeHeld == other.mayBeHeld && policy == other.policy
            && allow.all.map(\.id) == other.allow.all.map(\.id) && deny.all.map(\.id) == other.deny.all.map(\.id)
    }
}

extension BrokerState {
    /// The policy with the gate that applies to the call.
    func policy(for call: HookCall) -> Policy {
        var policy = policy(session: call.event.sessionID)
        let isAttended = call.event.agent.profile.isAttendanceKnown && call.source.isAttended
        policy.gate = policy.gate.resolved(isAttended: isAttended)
        return policy
    }

    /// The inquiry to be answered before `receive` takes the call; `nil` where nothing has to be asked.
    package func inquiry(_ call: HookCall) -> CallInquiry? {
        let (call, event) = (counted(call), call.event)
        guard event.name.isBlocking, !event.agent.profile.isBystander, let tool = event.tool,
            repeatedID(tool, of: call) == nil
        else { return nil }
        let place = RulePlace(root: sessions.root(for: call), cwd: event.cwd, shell: call.source.shell)
        return inquiry(tool, of: call, at: place)
    }

    func inquiry(_ tool: ToolCall, of call: HookCall, at place: RulePlace) -> CallInquiry {
        let (event, source) = (call.event, call.source)
        return CallInquiry(
            name: event.name, agent: event.agent, isInputUncertain: event.details.isInputUncertain,
            mode: event.permissionMode, tool: tool, place: place, isVerified: source.isVerified,
            policy: policy(for: call), allow: ruleBook.rules(session: event.sessionID, .allow),
            deny: denyRules(session: event.sessionID, process: source.isVerified ? source.claudePID : nil),
            mayBeHeld: event.name == .permissionRequest || approvers > 0 || policy.noApprover == .hold)
    }
}

extension Policy {
    /// Why a call is not held in this permission mode; `nil` where it may be held.
    func passes(_ agent: Agent, _ mode: PermissionMode) -> String? {
        let profile = agent.profile
        if profile.freeModes.contains(mode) { return "mode \(mode.spelling)" }
        guard gate != .always, profile.settledModes.contains(mode) else { return nil }
        // An agent that takes no allow asks its own question whatever a hook answers.
        return profile.answers.contains(.allow) ? "mode \(mode.spelling)" : "\(agent.name) asks by itself"
    }

    /// One sentence on what a permission mode means for the requests of a session, for people; `nil` where they are asked
    /// as usual.
    func note(on mode: PermissionMode, of agent: Agent) -> String? {
        guard passes(agent, mode) != nil else { return nil }
        let (name, mode) = (agent.name, mode.spelling)
        guard agent.profile.answers.contains(.allow) else {
            return "\(name) asks in its own terminal; cdev sees the calls and holds none of them"
        }
        let isFree = agent.profile.freeModes.contains(PermissionMode(mode))
        return isFree
            ? "\(name) asks about nothing in mode \(mode), and neither does cdev"
            : "\(name) decides by itself in mode \(mode): cdev asks about nothing there unless its gate is \"always\""
    }
}
