/// Feeds `BrokerState` and performs its effects. It runs on the loop's thread, beside the connections it serves, so a
/// call that a rule settles never leaves that thread.
package actor Broker {
    private let executor: any SerialExecutor
    private let environment: any BrokerEnvironment
    private let persistence: any Persistence
    private let judge: any RuleJudge
    private let claudeRules: any ClaudeRules
    private var state: BrokerState
    private var waiters: [Waiter: CheckedContinuation<HookReply, Never>] = [:]
    private var holds: [Waiter: (Uptime) -> Void] = [:]
    private var delays: [Waiter: () -> Void] = [:]
    private var calls: [CallID: CheckedContinuation<[Result<PermissionReceipt, ResponseFailure>], Never>] = [:]
    private var revocations: [CallID: CheckedContinuation<Result<SessionRule, RevocationFailure>, Never>] = [:]
    private var lastNumber: UInt64 = 0
    private var wake: Uptime?
    private var isStopping = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    package init(
        policy: Policy, environment: any BrokerEnvironment, persistence: any Persistence, judge: any RuleJudge,
        claudeRules: any ClaudeRules, executor: any SerialExecutor
    ) {
        self.executor = executor
        self.environment = environment
        self.persistence = persistence
        self.judge = judge
        self.claudeRules = claudeRules
        state = BrokerState(
            policy: policy, judge: judge, claudeRules: claudeRules, makeID: { environment.makeID($0) },
            startTime: { environment.startTime(ofProcess: $0) })
    }

    /// Offers again what was open when the daemon stopped. Call once, before anybody can connect.
    package func restore(_ remembered: Remembered) {
        perform(state.restore(remembered, at: environment.now()))
    }

    /// A call of a hook. Returns when it is settled; cancelling the task means that the client has left.
    /// `onHold` is called on the loop as soon as the call is held, with its deadline; never for a call settled at once.
    /// `onDelay` is called before, where the disk has to be asked for longer.
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

    /// Its own method: resumed in a closure, the call would come back by way of another thread.
    private func answer(to call: HookCall, waiter: Waiter) async -> HookReply {
        let finding = if let prompt = promptFinding(call) { prompt } else { await slowFinding(call, waiter) }
        return await withCheckedContinuation { take(call, waiter: waiter, finding, $0) }
    }

    /// What was found out about a call; `nil` facts where nothing has to be asked. A class: what waits keeps it as one
    /// pointer.
    private final class Finding: Sendable {
        let facts: CallFacts?

        init(_ facts: CallFacts?) { self.facts = facts }
    }

    /// Returns what rules and settings say of the call, where they can be asked without keeping others waiting.
    @inline(never)
    private func promptFinding(_ call: HookCall) -> Finding? {
        guard let inquiry = inquiry(call) else { return Finding(nil) }
        return inquiry.promptFacts(judge, claudeRules).map { Finding($0) }
    }

    /// The same, asked beside the loop, and again where the rules have changed by then.
    @inline(never)
    private func slowFinding(_ call: HookCall, _ waiter: Waiter) async -> Finding {
        delays.removeValue(forKey: waiter)?()
        var unknown: CallFacts?
        for _ in 0..<Self.mostInquiries {
            guard let asked = inquiry(call) else { return Finding(nil) }
            let facts = await environment.beside(root: asked.place.root) { [judge, claudeRules] in
                asked.facts(judge, claudeRules)
            }
            guard let now = inquiry(call) else { return Finding(nil) }
            guard let facts else { return Finding(now.unknown) }
            if now.isSame(as: asked) { return Finding(facts) }
            unknown = now.unknown
        }
        return Finding(unknown)
    }

    /// Returns what is to be asked about a call, by the rules that are in force at this moment.
    private func inquiry(_ call: HookCall) -> CallInquiry? {
        perform(state.comeToNow(before: call, at: environment.now()))
        return state.inquiry(call)
    }

    /// Rules that change faster than they can be asked about are not waited for.
    private static let mostInquiries = 3

    /// Never inlined: an async function keeps everything it has used for as long as it waits, and a held call waits for
    /// minutes. With the broker's work in `hook` itself that was 54 KB for each of them.
    @inline(never)
    private func take(
        _ call: HookCall, waiter: Waiter, _ finding: Finding,
        _ continuation: CheckedContinuation<HookReply, Never>
    ) {
        waiters[waiter] = continuation
        delays[waiter] = nil
        perform(state.receive(call, waiter: waiter, facts: finding.facts, at: environment.now()))
        // Whoever left while the disk was asked did so before there was anything to leave.
        if Task.isCancelled { left(waiter) }
    }

    /// The answer reached the hook's connection, or the connection was gone.
    package func delivered(_ receipt: DeliveryReceipt, _ isDelivered: Bool) {
        perform(state.delivered(receipt, isDelivered, at: environment.now()))
    }

    /// Answers, in order, all recorded by one commit. One result for each response.
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

    /// Open questions, soonest deadline first.
    package func pending(sessionID: String?) -> [PermissionRequest] {
        state.pending(session: sessionID)
    }

    /// An open question, or one that ended lately.
    package func request(id: String) -> PermissionRequest? {
        state.request(id: id)
    }

    /// An open question, and where it is asked.
    package func heldRequest(id: String) -> (request: PermissionRequest, place: RulePlace)? {
        state.heldRequest(id: id)
    }

    /// Rules in force, oldest first.
    package func rules(sessionID: String?) -> [SessionRule] {
        state.rules(session: sessionID)
    }

    /// Takes a rule out of force at once, and returns it when no start can bring it back.
    package func revokeRule(id: String) async throws(RevocationFailure) -> SessionRule {
        let call = CallID(number: nextNumber())
        return try await withCheckedContinuation { continuation in
            revocations[call] = continuation
            perform(state.revoke(id, call: call))
        }.get()
    }

    package func sessions() -> [SessionView] {
        state.sessionViews(at: environment.now())
    }

    /// The living Claude processes that hooks named: pid and start time.
    package var claudeProcesses: [Int32: UInt64] { state.claudeProcesses }

    package func stats() -> BrokerStats {
        state.stats()
    }

    /// Counts the clients that are connected, may decide and did not say that they will not.
    package func approversChanged(to count: Int) {
        state.approversChanged(to: count)
    }

    /// A local process inside an agent tried to decide: everybody who may is told.
    package func agentRefused(method: String, pid: Int32) {
        perform(state.refuseAgent(method, pid, at: environment.now()))
    }

    /// Tells every approver of something that concerns no session.
    package func announce(_ body: EventBody) {
        perform(state.announce(body, at: environment.now()))
    }

    /// A device may do nothing any more. Returns the rules that went with it, which the caller deletes.
    package func dropDevice(id: String) -> [SessionRule] {
        state.dropDevice(id)
    }

    /// Deadlines, lost relays, abandoned sessions.
    package func timePassed() {
        wake = nil
        perform(state.timePassed(at: environment.now()))
    }

    /// A clean stop writes what the sessions did last.
    package func rememberSessions() {
        perform(state.rememberSessions())
    }

    /// From here on a closing connection ends nothing: the daemon stops, and relays will look for its successor.
    package func beginShutdown() {
        isStopping = true
    }

    /// The number the next event would get: a clean stop writes it down.
    package var nextSequence: Int64 { state.nextSequence }

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
        case .finish(let call, let results): calls.removeValue(forKey: call)?.resume(returning: results)
        case .hold(let waiter, let deadline): holds.removeValue(forKey: waiter)?(deadline)
        case .publish(let event): environment.publish(event)
        case .revoked(let call, let result): revocations.removeValue(forKey: call)?.resume(returning: result)
        }
    }

    private func write(_ id: CommitID, _ changes: [StoreChange], _ durability: Durability) {
        Task {
            var isWritten = true
            // The store keeps the reason, for whoever asks how it is.
            do { try await persistence.commit(changes, durability) } catch { isWritten = false }
            await follow(id, isWritten: isWritten)
        }
    }

    /// A list of a thousand answers is worked in slices of about a millisecond, so that nobody else waits for all of it.
    private func follow(_ id: CommitID, isWritten: Bool) async {
        perform(state.committed(id, isWritten, at: environment.now(), limit: Self.slice))
        while !state.isFollowed(id) {
            await Task.yield()
            perform(state.committed(id, isWritten, at: environment.now(), limit: Self.slice))
        }
    }

    private static let slice = 25

    private func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}
