import Agents
import Core
import OrderedJSON
import Rules
import TestSupport

/// A broker on a stage: numbered ids, a clock that moves when told, a store that says what the test wants.
struct Stage {
    var state: BrokerState
    let policy: Policy
    var now = Instant(milliseconds: 1_000_000)
    var answers: [Waiter: [HookAnswer]] = [:]
    var receipts: [Waiter: DeliveryReceipt] = [:]
    var failures: [Waiter: String] = [:]
    var holds: [Waiter: Uptime] = [:]
    var events: [EventRecord] = []
    var results: [CallID: [Result<PermissionReceipt, ResponseFailure>]] = [:]
    var revocations: [CallID: Result<SessionRule, RevocationFailure>] = [:]
    var gates: [CallID: Result<Policy.Gate, GateFailure>] = [:]
    /// The transcripts that are being read, by request.
    var transcripts: [String: TranscriptQuery] = [:]
    var appended: [StoreChange] = []
    var commits: [(id: CommitID, changes: [StoreChange], durability: Durability)] = []
    /// Commits whose decisions are not all worked off, and whether each was written.
    var unfollowed: [(id: CommitID, isWritten: Bool)] = []
    /// `false`: commits wait in `commits` until the test settles them.
    var commitsAtOnce = true
    var storeWorks = true
    /// What would outlive this daemon.
    var disk = Disk()
    var lastNumber: UInt64 = 0
    let ids: Numbers

    static let phone = Caller(identity: .device(id: "d1", name: "phone"), rights: .approver)
    static let tablet = Caller(identity: .device(id: "d2", name: "tablet"), rights: .approver)
    static let terminal = Caller(identity: .local(pid: 7), rights: .owner)

    init(
        _ policy: Policy = Policy(), evaluator: any RuleEvaluator = PrefixEvaluator(), approvers: Int = 1,
        ids: Numbers = Numbers(),
        startTime: @escaping @Sendable (Int32) -> UInt64? = { $0 == 99 ? nil : 5 }
    ) {
        self.ids = ids
        self.policy = policy
        state = BrokerState(
            policy: policy, evaluator: evaluator, claudeRules: SettingsOf(allowed: ["Bash(make)"]),
            makeID: { "\($0)\(ids.next())" }, startTime: startTime)
        state.approversChanged(to: approvers)
    }

    mutating func perform(_ effects: [BrokerEffect]) {
        for effect in effects {
            switch effect {
            case .answer(let waiter, let reply):
                answers[waiter, default: []].append(reply.answer)
                receipts[waiter] = reply.receipt
                failures[waiter] = reply.failure
            case .append(let changes):
                appended += changes
                disk.queue += changes
            case .commit(let id, let changes, let durability):
                commits.append((id, changes, durability))
                if commitsAtOnce { settleCommits() }
            case .explain(let id, let transcript): transcripts[id] = transcript
            case .finish(let call, let found): results[call] = found
            case .gateSet(let call, let result): gates[call] = result
            case .hold(let waiter, let deadline): holds[waiter] = deadline
            case .publish(let event): events.append(event)
            case .revoked(let call, let result): revocations[call] = result
            }
        }
    }

    /// Writes the first commit and works off one of its decisions.
    mutating func settleSlice() {
        guard !commits.isEmpty else { return }
        let (id, changes, durability) = commits.removeFirst()
        disk.commit(changes, durability, works: storeWorks)
        perform(state.committed(id, storeWorks, at: now, limit: 1))
        if !state.isFollowed(id) { unfollowed.append((id, storeWorks)) }
    }

    mutating func settleCommits() {
        for (id, isWritten) in unfollowed { perform(state.committed(id, isWritten, at: now)) }
        unfollowed = []
        while !commits.isEmpty {
            let (id, changes, durability) = commits.removeFirst()
            disk.commit(changes, durability, works: storeWorks)
            perform(state.committed(id, storeWorks, at: now))
        }
    }

    /// Sends a hook; a verified one comes from this machine.
    @discardableResult
    mutating func send(_ event: AgentEvent, from source: HookSource = HookSource()) -> Waiter {
        take(.local(event, from: source))
    }

    /// Sends a hook as a device does, with its token.
    @discardableResult
    mutating func sendFromDevice(_ event: AgentEvent) -> Waiter {
        take(HookCall(event, from: HookSource()))
    }

    private mutating func take(_ call: HookCall) -> Waiter {
        lastNumber += 1
        let waiter = Waiter(number: lastNumber)
        perform(state.receive(call, waiter: waiter, at: now))
        return waiter
    }

    @discardableResult
    mutating func respond(
        _ responses: [PermissionResponse], by caller: Caller = phone
    ) -> [Result<PermissionReceipt, ResponseFailure>]? {
        lastNumber += 1
        let call = CallID(number: lastNumber)
        perform(state.respond(responses, by: caller, call: call, at: now))
        return results[call]
    }

    @discardableResult
    mutating func respond(
        _ id: String, _ decision: Decision, _ scope: Scope = .once, by caller: Caller = phone,
        patterns: [String]? = nil, confirm: String? = nil, message: String? = nil, updatedInput: JSON? = nil,
        answers: JSON? = nil
    ) -> Result<PermissionReceipt, ResponseFailure>? {
        respond(
            [
                PermissionResponse(
                    target: .request(id: id), decision: decision, scope: scope, patterns: patterns, confirm: confirm,
                    message: message, updatedInput: updatedInput, answers: answers)
            ], by: caller)?.first
    }

    /// A call of which rules and settings say nothing in time, where the disk hangs.
    mutating func send(_ event: AgentEvent, from source: HookSource, diskHangs: Bool) -> Waiter {
        guard diskHangs else { return send(event, from: source) }
        lastNumber += 1
        let waiter = Waiter(number: lastNumber)
        let call = HookCall.local(event, from: source)
        perform(state.catchUp(before: call, at: now))
        let facts = state.inquiry(call)?.unknown
        perform(state.receive(call, waiter: waiter, facts: facts, at: now))
        return waiter
    }

    /// `nil` while the deletion is being written.
    @discardableResult
    mutating func revoke(rule id: String) -> Result<SessionRule, RevocationFailure>? {
        lastNumber += 1
        let call = CallID(number: lastNumber)
        perform(state.revoke(id, call: call))
        return revocations[call]
    }

    /// `nil` while the change is being written.
    @discardableResult
    mutating func setGate(_ gate: Policy.Gate?, session: String = "s1") -> Result<Policy.Gate, GateFailure>? {
        lastNumber += 1
        let call = CallID(number: lastNumber)
        perform(state.setGate(gate, session: session, call: call))
        return gates[call]
    }

    /// As the list of devices does it: out of force at once, then written in its turn.
    mutating func revoke(device id: String) {
        _ = state.dropDevice(id)
        commits.append((CommitID(number: 0), [.deleteGrants(ofDevice: id)], .removal))
    }

    mutating func leave(_ waiter: Waiter) {
        perform(state.left(waiter, at: now))
    }

    mutating func wait(_ seconds: Double) {
        now = now + seconds
        perform(state.timePassed(at: now))
    }

    /// Somebody sets the clock; no time passes.
    mutating func setClock(by seconds: Double) {
        now = Instant(wall: now.wall + seconds, uptime: now.uptime)
        perform(state.timePassed(at: now))
    }

    var pending: [PermissionRequest] { state.pending(session: nil) }

    /// The cards that were shown, and the ends that were told, as `id/opening` and `decision by whom`.
    var cards: [String] {
        events.compactMap { event in
            if case .permission(let request) = event.body { "\(request.id)/\(request.opening)" } else { nil }
        }
    }

    var ends: [String] {
        events.compactMap { event in
            guard case .permissionResolved(_, let resolution, let corrects) = event.body else { return nil }
            let text = "\(resolution.decision.rawValue) by \(resolution.resolver.spelling)"
            return corrects ? "corrected: " + text : text
        }
    }
}

extension Instant {
    /// The machine was started in 1970.
    init(milliseconds: Int64) {
        self.init(wall: Timestamp(milliseconds: milliseconds), uptime: Uptime(milliseconds: milliseconds))
    }
}

/// Patterns are first words; a line with `&&` has none. Enough to see what the broker does with an evaluator's answers.
struct PrefixEvaluator: RuleEvaluator {
    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers {
        pattern(call).map { RuleOffers(allow: [$0], deny: [$0]) } ?? RuleOffers()
    }

    func allowing(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> [SessionRule] {
        rules.all.filter { $0.pattern == pattern(call) }
    }

    func denying(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? {
        rules.all.first { $0.pattern == pattern(call) }
    }

    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool {
        pattern(call) == "Bash(ls)"
    }

    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool {
        call.name == "Edit" && call.input["file_path"]?.stringValue?.hasPrefix(place.root + "/") == true
    }

    private func pattern(_ call: ToolCall) -> String? {
        guard let line = call.input["command"]?.stringValue, !line.contains("&&") else { return nil }
        return "Bash(\(line.split(separator: " ")[0]))"
    }
}

struct SettingsOf: ClaudeRules {
    let allowed: [String]

    func allows(tool: String, input: JSON, root: String) -> Bool {
        allowed.contains("\(tool)(\(input["command"]?.stringValue ?? ""))")
    }
}

extension Stage {
    /// The next daemon, which the store gives these requests.
    static func restarted(_ requests: [PermissionRequest], at now: Instant) -> Stage {
        var stage = Stage()
        stage.now = now
        stage.perform(stage.state.restore(Remembered(requests: requests, nextSequence: 500), at: now))
        return stage
    }
}

/// Counts from one; shared by everything that makes ids in one test.
final class Numbers: Sendable {
    private nonisolated(unsafe) var last = 0  // One test drives one stage on one thread.

    func next() -> Int {
        last += 1
        return last
    }
}

extension AgentEvent {
    static func tool(
        _ name: HookEventName, _ tool: String = "Bash", _ input: JSON = ["command": "touch x"], id: String? = "toolu_1",
        session: String = "s1", prompt: String? = "p1", mode: PermissionMode = .default, agent: String? = nil,
        raw: JSONObject = JSONObject()
    ) -> AgentEvent {
        AgentEvent(
            name: name, sessionID: session, cwd: "/p", promptID: prompt, permissionMode: mode, agentID: agent,
            tool: ToolCall(name: tool, input: input, useID: name == .permissionRequest ? nil : id), raw: raw)
    }

    static func bash(_ line: String, id: String = "toolu_1", session: String = "s1") -> AgentEvent {
        tool(.preToolUse, "Bash", ["command": .string(line)], id: id, session: session)
    }

    static func turn(
        _ name: HookEventName, session: String = "s1", prompt: String? = "p1", agent: String? = nil,
        raw: JSONObject = JSONObject()
    ) -> AgentEvent {
        AgentEvent(name: name, sessionID: session, cwd: "/p", promptID: prompt, agentID: agent, raw: raw)
    }
}

extension HookCall {
    /// A call as it comes over the Unix socket, if its sender is verified.
    static func local(_ event: AgentEvent, from source: HookSource) -> HookCall {
        var source = source
        source.isOfThisMachine = source.isVerified
        return HookCall(event, from: source)
    }
}
