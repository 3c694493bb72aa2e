/// Gives `BrokerState` its inputs and performs its effects. The actor runs on the loop's thread, as the connections do,
/// so a call that a rule settles never leaves that thread.
package actor Broker {
    private let executor: any SerialExecutor
    let environment: any BrokerEnvironment
    private let persistence: any Persistence
    private let evaluator: any RuleEvaluator
    private let claudeRules: any ClaudeRules
    private(set) var state: BrokerState
    private var waiters: [Waiter: CheckedContinuation<HookReply, Never>] = [:]
    private var holds: [Waiter: (Uptime) -> Void] = [:]
    private var delays: [Waiter: () -> Void] = [:]
    private var calls: [CallID: CheckedContinuation<[Result<PermissionReceipt, ResponseFailure>], Never>] = [:]
    private var revocations: [CallID: CheckedContinuation<Result<SessionRule, RevocationFailure>, Never>] = [:]
    private var gates: [CallID: CheckedContinuation<Result<Policy.Gate, GateFailure>, Never>] = [:]
    /// For each session the last request whose transcript is being read.
    private var explaining: [String: (id: String, task: Task<Void, Never>)] = [:]
    private var lastNumber: UInt64 = 0
    private var wake: Uptime?
    private var isStopping = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    package init(
        policy: Policy, environment: any BrokerEnvironment, persistence: any Persistence, evaluator: any RuleEvaluator,
        claudeRules: any ClaudeRules, executor: any SerialExecutor
    ) {
        self.executor = executor
        self.environment = environment
        self.persistence = persistence
        self.evaluator = evaluator
        self.claudeRules = claudeRules
        state = BrokerState(
            policy: policy, evaluator: evaluator, claudeRules: claudeRules, makeID: { environment.makeID($0) },
            startTime: { environment.startTime(ofProcess: $0) })
    }

    /// Restores the state from the store. Call once, before any client or hook can connect.
    package func restore(_ remembered: Remembered) {
        perform(state.restore(remembered, at: environment.now()))
    }

    /// Takes a hook's call and returns its answer once there is one. Cancelling the task means that the connection
    /// closed.
    /// - Parameters:
    ///   - onDelay: Called on the loop, before `onHold`, where the disk has to be asked for longer.
    ///   - onHold: Called on the loop as soon as the call is held, with its deadline; not for a call that is settled at
    ///     once.
    package func hook(
        _ call: HookCall, onDelay: @escaping @Sendable () -> Void = {},
        onHold: @escaping @Sendable (Uptime) -> Void
    ) async -> HookReply {
        let waiter = Waiter(number: nextNumber())
        holds[waiter] = onHold
        delays[waiter] = onDelay
        return await withTaskCancellationHandler {
            await answer(to: call, waiter: waiter)
        } onCancel: {
            Task { await self.left(waiter) }
        }
    }

    /// A method and no closure: a call that is resumed in a closure continues by way of another thread.
    private func answer(to call: HookCall, waiter: Waiter) async -> HookReply {
        if let id = state.unreadAnswer(for: call) { await readAnswer(id) }
        let finding = if let prompt = promptFinding(call) { prompt } else { await slowFinding(call, waiter) }
        return await withCheckedContinuation { take(call, waiter: waiter, finding, $0) }
    }

    @inline(never)
    private func readAnswer(_ id: String) async {
        state.readAnswer(id, try? await persistence.changedInput(ofRequest: id))
    }

    /// The facts about a call; `nil` where nothing has to be asked. A class: a held call keeps the facts as one
    /// pointer.
    private final class Finding: Sendable {
        let facts: CallFacts?

        init(_ facts: CallFacts?) { self.facts = facts }
    }

    /// The facts about the call, if rules and settings can be asked on the loop; else `nil`.
    @inline(never)
    private func promptFinding(_ call: HookCall) -> Finding? {
        guard let inquiry = inquiry(call) else { return Finding(nil) }
        return inquiry.promptFacts(evaluator, claudeRules).map { Finding($0) }
    }

    /// The facts about the call, gathered on another thread, and gathered again if the rules changed meanwhile.
    @inline(never)
    private func slowFinding(_ call: HookCall, _ waiter: Waiter) async -> Finding {
        delays.removeValue(forKey: waiter)?()
        var unknown: CallFacts?
        for _ in 0..<Self.mostInquiries {
            guard let asked = inquiry(call) else { return Finding(nil) }
            let facts = await environment.beside(root: asked.place.root) { [evaluator, claudeRules] in
                asked.facts(evaluator, claudeRules)
            }
            guard let now = inquiry(call) else { return Finding(nil) }
            guard let facts else { return Finding(now.unknown) }
            if now.isSame(as: asked) { return Finding(facts) }
            unknown = now.unknown
        }
        return Finding(unknown)
    }

    /// The inquiry about a call, with the rules that are in force at this moment; `nil` where nothing has to be asked.
    private func inquiry(_ call: HookCall) -> CallInquiry? {
        perform(state.catchUp(before: call, at: environment.now()))
        return state.inquiry(call)
    }

    /// Attempts to gather facts before a person is asked instead: the rules may change again each time.
    private static let mostInquiries = 3

    /// `@inline(never)`: a suspended async frame reserves space for everything that is inlined into it, and a held call
    /// is suspended for minutes. With this work inlined into `hook` each held call took 54 KB.
    @inline(never)
    private func take(
        _ call: HookCall, waiter: Waiter, _ finding: Finding,
        _ continuation: CheckedContinuation<HookReply, Never>
    ) {
        waiters[waiter] = continuation
        delays[waiter] = nil
        perform(state.receive(call, waiter: waiter, facts: finding.facts, at: environment.now()))
        // Cancelled while the disk was asked, before the call had a waiter: `onCancel` found nothing to end.
        if Task.isCancelled { left(waiter) }
    }

    /// Call once the hook's connection took an answer, or was closed before.
    package func delivered(_ receipt: DeliveryReceipt, _ isDelivered: Bool) {
        perform(state.delivered(receipt, isDelivered, at: environment.now()))
    }

    /// Takes answers in order, and writes them with one commit. Returns one result for each response.
    package func respond(
        _ responses: [PermissionResponse], by caller: Caller
    ) async -> [Result<PermissionReceipt, ResponseFailure>] {
        guard !responses.isEmpty else { return [] }
        let call = CallID(number: nextNumber())
        return await withCheckedContinuation { continuation in
            calls[call] = continuation
            perform(state.respond(responses, by: caller, call: call, at: environment.now()))
        }
    }

    /// Takes a rule out of force at once. Returns the rule once its deletion is written, so that no start can bring it
    /// back.
    package func revokeRule(id: String) async throws(RevocationFailure) -> SessionRule {
        let call = CallID(number: nextNumber())
        return try await withCheckedContinuation { continuation in
            revocations[call] = continuation
            perform(state.revoke(id, call: call))
        }.get()
    }

    /// Sets the gate of one session. Returns the gate in force once the change is written.
    /// - Parameter gate: `nil` for the configuration's.
    package func setGate(_ gate: Policy.Gate?, sessionID: String) async throws(GateFailure) -> Policy.Gate {
        let call = CallID(number: nextNumber())
        return try await withCheckedContinuation { continuation in
            gates[call] = continuation
            perform(state.setGate(gate, session: sessionID, call: call))
        }.get()
    }

    /// - Parameter count: The connected clients that may decide and did not say that they will not.
    package func approversChanged(to count: Int) {
        state.approversChanged(to: count)
    }

    /// Call when a local process inside an agent tried to decide.
    package func agentRefused(method: String, pid: Int32) {
        perform(state.refuseAgent(method, pid, at: environment.now()))
    }

    /// Call when the process of a session that the daemon ran has ended.
    package func processEnded(session: String) {
        perform(state.processEnded(session: session, at: environment.now()))
    }

    /// Publishes an event that concerns no session.
    package func announce(_ body: EventBody) {
        perform(state.announce(body, at: environment.now()))
    }

    /// Refuses a revoked device's answers from now on, and takes the rules that it granted out of force. Returns these
    /// rules; the caller deletes them.
    package func dropDevice(id: String) -> [SessionRule] {
        state.dropDevice(id)
    }

    /// Does what is due by the clock, in slices: while more is due, the timer calls again at once.
    package func timePassed() {
        wake = nil
        perform(state.timePassed(at: environment.now()))
    }

    /// Writes the sessions that changed; for a clean stop.
    package func rememberSessions() {
        perform(state.rememberSessions())
    }

    /// From now on a connection that closes ends no request: the daemon stops, and relays look for the next one.
    package func beginShutdown() {
        isStopping = true
    }

    private func left(_ waiter: Waiter) {
        guard !isStopping else {
            waiters.removeValue(forKey: waiter)?.resume(returning: HookReply(.pass))
            return
        }
        perform(state.left(waiter, at: environment.now()))
        holds[waiter] = nil
        waiters.removeValue(forKey: waiter)?.resume(returning: HookReply(.pass))
    }

    private func perform(_ effects: [BrokerEffect]) {
        for effect in effects { perform(effect) }
        guard let next = state.nextWake(), wake.map({ next < $0 }) ?? true else { return }
        wake = next
        environment.wake(at: next) { [weak self] in await self?.timePassed() }
    }

    private func perform(_ effect: BrokerEffect) {
        switch effect {
        case .answer(let waiter, let reply):
            holds[waiter] = nil
            waiters.removeValue(forKey: waiter)?.resume(returning: reply)
        case .append(let changes): persistence.append(changes)
        case .commit(let id, let changes, let durability): write(id, changes, durability)
        case .explain(let id, let transcript): explain(id, by: transcript)
        case .finish(let call, let results): calls.removeValue(forKey: call)?.resume(returning: results)
        case .gateSet(let call, let result): gates.removeValue(forKey: call)?.resume(returning: result)
        case .hold(let waiter, let deadline): holds.removeValue(forKey: waiter)?(deadline)
        case .publish(let event): environment.publish(event)
        case .revoked(let call, let result): revocations.removeValue(forKey: call)?.resume(returning: result)
        }
    }

    /// Transcripts are read side by side, but the cards of a session are shown in the order of its calls.
    private func explain(_ id: String, by transcript: TranscriptQuery) {
        let session = transcript.sessionID
        let before = explaining[session]?.task
        let task = Task {
            let end = await environment.end(of: transcript)
            await before?.value
            if explaining[session]?.id == id { explaining[session] = nil }
            perform(state.explained(id, by: end, at: environment.now().wall))
        }
        explaining[session] = (id, task)
    }

    private func write(_ id: CommitID, _ changes: [StoreChange], _ durability: Durability) {
        Task {
            var isWritten = true
            // The store keeps the reason for its status.
            do { try await persistence.commit(changes, durability) } catch { isWritten = false }
            await follow(id, isWritten: isWritten)
        }
    }

    /// Goes on after a commit in slices of about a millisecond, so that other calls run between them: a commit may hold
    /// a thousand decisions.
    private func follow(_ id: CommitID, isWritten: Bool) async {
        perform(state.committed(id, isWritten, at: environment.now(), limit: Self.slice))
        while !state.isFollowed(id) {
            await Task.yield()
            perform(state.committed(id, isWritten, at: environment.now(), limit: Self.slice))
        }
    }

    /// Decisions that are worked off in about a millisecond.
    private static let slice = 25

    private func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}
