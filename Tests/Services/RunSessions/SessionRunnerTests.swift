import Core
import Dispatch
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing

/// Run sessions with a child that does what the test says, and the broker's answers to what it asks.
@Suite(.timeLimit(.minutes(1))) struct SessionRunnerTests {
    private let clock = ManualClock()
    private let host = ScriptedHost()
    private let events = Events<EventRecord>()
    private let broker: Broker
    private let runner: SessionRunner
    private let store = KeptRuns()

    init() {
        broker = Broker(clock: clock, store: FakeStore()) { [events] in events.add($0) }
        runner = Self.runner(broker, host, clock, store)
    }

    private static func runner(
        _ broker: Broker, _ host: ScriptedHost, _ clock: ManualClock, _ store: KeptRuns
    ) -> SessionRunner {
        SessionRunner(
            SessionRunner.Parts(
                broker: broker, children: host, clock: clock, log: NoLog(), places: NoSessionPlaces(), store: store,
                workspaces: NamedWorkspaces(["w": "/p"]), makeID: { $0 + "1" }, executor: RunnerExecutor()))
    }

    /// A session whose child is ready.
    private func started() async throws -> RunSession {
        let session = try await runner.start(RunSessionOrder(workspaceID: "w"))
        #expect(try await host.written.next() == .initialize(request: "cdev-1-1"))
        await host.report(.answered(request: "cdev-1-1", failure: nil))
        return session
    }

    private func question(_ kind: ChildRequest.Kind = .permission, of session: RunSession) -> ChildEvent {
        let name: HookEventName = kind == .permission ? .permissionRequest : .preToolUse
        let event = AgentEvent.made(name, session: session.agentID, input: ["command": "touch x"])
        return .asked(ChildRequest(id: "r", kind: kind, event: event))
    }

    private func card() async throws -> PermissionRequest {
        while true {
            if case .permission(let request) = try await events.next().body { return request }
        }
    }

    @Test func anAllowReachesTheChildWithTheWholeInput() async throws {
        let session = try await started()
        await host.report(question(of: session))
        let card = try await card()
        #expect(try await runner.session(session.id).phase == .asking)
        let terminal = Caller(identity: .local(pid: 7), rights: .owner)
        _ = await broker.respond(
            [PermissionResponse(target: .request(id: card.id), decision: .allow)], by: terminal)
        guard case .answer("r", .permission, .allow(_, let update?)) = try await host.written.next() else {
            Issue.record("no allow was written")
            return
        }
        #expect(update.value == ["command": "touch x"])
        #expect(try await runner.session(session.id).phase == .idle)
    }

    @Test func aQuestionThatIsTakenBackEndsItsCard() async throws {
        let session = try await started()
        await host.report(question(of: session))
        let card = try await card()
        await host.report(.withdrawn(request: "r"))
        while true {
            guard case .permissionResolved(let request, let end, _) = try await events.next().body else { continue }
            #expect(request.id == card.id && end.decision != .allow)
            break
        }
    }

    /// The next daemon answers. What a broker says that ends would deny a call that somebody may still allow.
    @Test func aDaemonThatStopsWritesNothing() async throws {
        let session = try await started()
        await host.report(question(of: session))
        let card = try await card()
        await runner.close()
        await broker.beginShutdown()
        let terminal = Caller(identity: .local(pid: 7), rights: .owner)
        _ = await broker.respond(
            [PermissionResponse(target: .request(id: card.id), decision: .allow)], by: terminal)
        #expect(host.count == 1)
        #expect(host.isReleased)
        #expect(store.rows[session.id]?.requests.map(\.id) == ["r"])
        await #expect(throws: RunSessionFailure.closing) {
            _ = try await runner.send(SessionPrompt(id: "p", blocks: []), to: session.id)
        }
    }

    /// The broker of the next daemon knows the question by its token, and shows the same card.
    @Test func theNextDaemonAsksAgain() async throws {
        let session = try await started()
        await host.report(question(of: session))
        let card = try await card()
        await runner.close()
        let next = Self.runner(broker, host, clock, store)
        host.question = question(of: session)
        await next.restore(Array(store.rows.values))
        #expect(try await next.session(session.id).phase == .asking)
        let terminal = Caller(identity: .local(pid: 7), rights: .owner)
        _ = await broker.respond(
            [PermissionResponse(target: .request(id: card.id), decision: .deny)], by: terminal)
        guard case .answer("r", .permission, .deny) = try await host.written.next() else {
            Issue.record("no deny was written")
            return
        }
    }

    @Test func aQuestionThatCannotBeReadAgainIsDenied() async throws {
        let session = try await started()
        await host.report(question(of: session))
        _ = try await card()
        await runner.close()
        let next = Self.runner(broker, host, clock, store)
        await next.restore(Array(store.rows.values))
        guard case .answer("r", .permission, .deny) = try await host.written.next() else {
            Issue.record("no deny was written")
            return
        }
    }

    /// Nobody is asked before a call: the agent asks by itself.
    @Test func aCallbackIsAnsweredAtOnce() async throws {
        let session = try await started()
        await host.report(question(.callback, of: session))
        #expect(try await host.written.next() == .answer(request: "r", kind: .callback, .pass))
        #expect(await broker.pending(sessionID: nil).isEmpty)
    }

    @Test func hooksOfTheChildAreKnown() async throws {
        let session = try await started()
        let event = AgentEvent.made(.preToolUse, session: session.agentID)
        let processes = runner.processes
        #expect(processes.sent(HookCall(event, from: HookSource(claudePID: 77))))
        #expect(!processes.sent(HookCall(event, from: HookSource(claudePID: 78))))
        #expect(!processes.sent(HookCall(event, from: HookSource())))
        #expect(!processes.sent(HookCall(.made(.preToolUse, session: "other"), from: HookSource(claudePID: 77))))
    }

    @Test func aConversationOfAnotherProcessIsLeftAlone() async throws {
        _ = await broker.hook(
            HookCall(.made(.sessionStart, session: "a9", input: nil), from: HookSource(claudePID: 5))
        ) { _ in }
        await #expect(throws: RunSessionFailure.refused(.otherWriter)) {
            _ = try await runner.start(RunSessionOrder(workspaceID: "w", resumed: "a9"))
        }
        await #expect(throws: RunSessionFailure.noWorkspace(id: "none")) {
            _ = try await runner.start(RunSessionOrder(workspaceID: "none"))
        }
    }

    @Test func aChildThatReadsNothingIsEnded() async throws {
        let session = try await started()
        host.readsNothing = true
        _ = try await runner.send(SessionPrompt(id: "p", blocks: [.text("go")]), to: session.id)
        #expect(host.signals == [.terminate])
    }

    @Test func anAgentThatCannotBeStartedIsSaid() async throws {
        host.failure = ChildFailure("no such file")
        let session = try await runner.start(RunSessionOrder(workspaceID: "w"))
        while try await runner.session(session.id).phase != .ended { await Task.yield() }
        #expect(try await runner.session(session.id).life == .ended(.neverStarted("no such file")))
    }
}

/// A child that writes down what it is told.
private final class ScriptedHost: ChildHost, RunningChild {
    private struct State {
        var report: ChildReporter?
        var line: Int64 = 0
        var count = 0
        var isReleased = false
        var failure: ChildFailure?
        var question: ChildEvent?
        var readsNothing = false
        var signals: [ChildSignal] = []
    }

    let written = Events<ChildInput>()
    let process = ProcessIdentity(pid: 77, startTime: 5)
    private let state = Locked(State())

    var count: Int { state.withLock { $0.count } }
    var isReleased: Bool { state.withLock { $0.isReleased } }
    var failure: ChildFailure? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }
    var readsNothing: Bool {
        get { state.withLock { $0.readsNothing } }
        set { state.withLock { $0.readsNothing = newValue } }
    }
    var signals: [ChildSignal] { state.withLock { $0.signals } }
    /// What is read again.
    var question: ChildEvent? {
        get { state.withLock { $0.question } }
        set { state.withLock { $0.question = newValue } }
    }

    func report(_ event: ChildEvent) async {
        let (report, place) = state.withLock { state in
            defer { state.line += 10 }
            return (state.report, SpoolPlace(offset: state.line, length: 9))
        }
        _ = await report?([.line(event, nil, at: place)])
    }

    func start(_ launch: ChildLaunch, _ report: @escaping ChildReporter) throws(ChildFailure) -> any RunningChild {
        if let failure { throw failure }
        state.withLock { $0.report = report }
        return self
    }

    func adopt(_ session: RunSession, _ report: @escaping ChildReporter) async -> (any RunningChild)? {
        state.withLock { $0.report = report }
        return self
    }

    func clear(session: String) async {}

    func write(_ input: ChildInput) -> Bool {
        state.withLock { $0.count += 1 }
        written.add(input)
        return !readsNothing
    }

    func signal(_ signal: ChildSignal) { state.withLock { $0.signals.append(signal) } }
    func event(at place: SpoolPlace) async -> ChildEvent? { question }
    func release() { state.withLock { $0.isReleased = true } }
}

private final class KeptRuns: RunSessionStore {
    private let kept = Locked<[String: RunSession]>([:])

    var rows: [String: RunSession] { kept.withLock { $0 } }

    func keep(_ sessions: [RunSession]) async throws {
        kept.withLock { kept in
            for session in sessions { kept[session.id] = session }
        }
    }
}

private struct NoSessionPlaces: SessionPlaces {
    func note(_ call: HookCall) {}
}

private final class RunnerExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "runner")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

extension AgentEvent {
    fileprivate static func made(_ name: HookEventName, session: String, input: JSON? = [:]) -> AgentEvent {
        AgentEvent(
            name: name, sessionID: session, cwd: "/p", promptID: nil, permissionMode: .default, agentID: nil,
            agentType: nil, tool: input.map { ToolCall(name: "Bash", input: $0, useID: "toolu_1") },
            details: Details(), sent: [:])
    }
}
