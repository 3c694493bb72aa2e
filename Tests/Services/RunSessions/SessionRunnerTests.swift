import Core
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing

/// Run sessions with a child that does what the test says, and the broker's answers to what it asks.
@Suite(.timeLimit(.minutes(1))) struct SessionRunnerTests {
    private let stage = RunnerStage()
    private var broker: Broker { stage.broker }
    private var clock: ManualClock { stage.clock }
    private var events: Events<EventRecord> { stage.events }
    private var host: ScriptedHost { stage.host }
    private var processes: RunProcesses { stage.processes }
    private var runner: SessionRunner { stage.runner }
    private var store: KeptRuns { stage.store }

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
        let session = try await stage.started()
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

    @Test func nothingIsStartedWhileAPersonHasTheConversation() async throws {
        let session = try await stage.started()
        host.terminals = [9]
        let prompt = SessionPrompt(id: "p", blocks: [.text("x")])
        async let lent = runner.lend(session.id, to: 9)
        guard case .endSession = try await host.written.next() else {
            Issue.record("the child was not asked to end")
            return
        }
        // While it ends too.
        await #expect(throws: RunSessionFailure.refused(.lent, session: session.id)) {
            try await runner.send(prompt, to: session.id)
        }
        await host.end(.code(0))
        #expect(try await lent.phase == .parked)
        await #expect(throws: RunSessionFailure.refused(.lent, session: session.id)) {
            try await runner.send(prompt, to: session.id)
        }
        await #expect(throws: RunSessionFailure.refused(.lent, session: session.id)) {
            try await runner.lend(session.id, to: 9)
        }
        host.terminals = []
        #expect(try await runner.send(prompt, to: session.id) == .queued)
        await #expect(throws: RunSessionFailure.noProcess(9)) { try await runner.lend(session.id, to: 9) }
    }

    @Test func aPromptIsCancelledOnceTheChildHasSaidSo() async throws {
        let session = try await stage.started()
        let prompt = SessionPrompt(id: "p", blocks: [.text("x")])
        #expect(try await runner.send(prompt, to: session.id) == .sent)
        #expect(try await host.written.next() == .prompt(id: "p", blocks: prompt.blocks))
        async let isCancelled = runner.cancel("p", of: session.id)
        #expect(try await host.written.next() == .cancelPrompt(request: "cdev-1-2", prompt: "p"))
        await host.report(.promptState(id: "p", .cancelled))
        await host.report(.answered(request: "cdev-1-2", failure: nil))
        #expect(try await isCancelled)
    }

    @Test func aChildThatIsGoneCancelsNothing() async throws {
        let session = try await stage.started()
        let prompt = SessionPrompt(id: "p", blocks: [.text("x")])
        _ = try await runner.send(prompt, to: session.id)
        _ = try await host.written.next()
        await host.report(.promptState(id: "p", .started))
        async let isCancelled = runner.cancel("p", of: session.id)
        _ = try await host.written.next()
        await host.end(.signal(9))
        #expect(try await !isCancelled)
    }

    @Test func aQuestionThatIsTakenBackEndsItsCard() async throws {
        let session = try await stage.started()
        await host.report(question(of: session))
        let card = try await card()
        await host.report(.withdrawn(request: "r"))
        while true {
            guard case .permissionResolved(let request, let end, _) = try await events.next().body else { continue }
            #expect(request.id == card.id && end.decision != .allow)
            break
        }
    }

    /// A command of the agent can write where the agent reads.
    @Test func anAnswerThatNobodyGaveEndsTheAgentWithAnAlarm() async throws {
        let session = try await stage.started()
        await host.report(question(of: session))
        _ = try await card()
        await host.report(.answered(request: "r", failure: nil, shown: ShownAnswer(.allow, hasUpdate: true)))
        #expect(host.signals == [.kill])
        while true {
            guard case .agentRefused(let method, 77) = try await events.next().body else { continue }
            #expect(method == "an answer, written into the session \(session.id)")
            break
        }
        await host.end(.signal(9))
        #expect(try await runner.session(session.id).life == .ended(.intruded))
        #expect(await broker.pending(sessionID: nil).isEmpty)
    }

    /// A command of the agent can write where the agent prints: what it asks behind such a line would be shown, and
    /// answered, as what the other session asks.
    @Test(arguments: [
        ChildEvent.turn(TurnFacts(agentID: "victim", mode: .default, model: nil)), .conversation("victim"),
    ])
    func aLineThatNamesAnotherSessionEndsTheAgentWithAnAlarm(line: ChildEvent) async throws {
        let session = try await stage.started()
        let event = AgentEvent.made(.sessionStart, session: "victim", input: nil)
        _ = await broker.hook(HookCall(event, from: HookSource(relayToken: "t", claudePID: 5))) { _ in }
        await host.report(line)
        #expect(host.signals == [.kill])
        while true {
            guard case .agentRefused(let method, 77) = try await events.next().body else { continue }
            #expect(method == "the name of another session, written into the session \(session.id)")
            break
        }
        await host.report(question(of: session))
        await host.end(.signal(9))
        let ended = try await runner.session(session.id)
        #expect(ended.life == .ended(.intruded) && ended.agentID == session.agentID)
        #expect(await broker.pending(sessionID: nil).isEmpty)
    }

    /// As after `/clear`, of which the agent's own hooks may tell first.
    @Test func anotherConversationOfItsOwnIsNoneOfAnother() async throws {
        let session = try await stage.started()
        await host.report(.conversation("new"))
        await host.report(.turn(TurnFacts(agentID: "new", mode: .default, model: nil)))
        #expect(host.signals.isEmpty)
        #expect(try await runner.session(session.id).agentID == "new")
    }

    /// The next daemon answers. What a broker says that ends would deny a call that somebody may still allow.
    @Test func aDaemonThatStopsWritesNothing() async throws {
        let session = try await stage.started()
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
        let session = try await stage.started()
        await host.report(question(of: session))
        let card = try await card()
        await runner.close()
        let next = RunnerStage.runner(broker, host, clock, store)
        host.question = question(of: session)
        await next.restore(Array(store.rows.values))
        guard case .probe = try await host.written.next() else {
            Issue.record("the child was not probed")
            return
        }
        #expect(try await next.session(session.id).phase == .asking)
        let terminal = Caller(identity: .local(pid: 7), rights: .owner)
        _ = await broker.respond(
            [PermissionResponse(target: .request(id: card.id), decision: .deny)], by: terminal)
        guard case .answer("r", .permission, .deny) = try await host.written.next() else {
            Issue.record("no deny was written")
            return
        }
    }

    /// Nor is one in place of which another kind of question stands by now.
    @Test(arguments: [nil, ChildRequest.Kind.callback])
    func aQuestionThatCannotBeReadAgainIsDenied(_ found: ChildRequest.Kind?) async throws {
        let session = try await stage.started()
        await host.report(question(of: session))
        _ = try await card()
        await runner.close()
        let next = RunnerStage.runner(broker, host, clock, store)
        host.question = found.map { question($0, of: session) }
        await next.restore(Array(store.rows.values))
        guard case .answer("r", .permission, .deny) = try await host.written.next() else {
            Issue.record("no deny was written")
            return
        }
    }

    /// Nobody is asked before a call: the agent asks by itself.
    @Test func aCallbackIsAnsweredAtOnce() async throws {
        let session = try await stage.started()
        await host.report(question(.callback, of: session))
        #expect(try await host.written.next() == .answer(request: "r", kind: .callback, .pass))
        #expect(await broker.pending(sessionID: nil).isEmpty)
    }

    @Test func hooksOfTheChildAreKnown() async throws {
        let session = try await stage.started()
        let event = AgentEvent.made(.preToolUse, session: session.agentID)
        #expect(processes.sent(HookCall(event, from: HookSource(claudePID: 77))))
        #expect(!processes.sent(HookCall(event, from: HookSource(claudePID: 78))))
        #expect(!processes.sent(HookCall(event, from: HookSource())))
        #expect(!processes.sent(HookCall(.made(.preToolUse, session: "other"), from: HookSource(claudePID: 77))))
    }

    /// The daemon may be killed before the child has the answer, which is then given by the next.
    @Test func anAnswerThatWaitsStaysInTheRow() async throws {
        let session = try await stage.started()
        await host.report(question(of: session))
        let card = try await card()
        host.isSlow = true
        let terminal = Caller(identity: .local(pid: 7), rights: .owner)
        _ = await broker.respond([PermissionResponse(target: .request(id: card.id), decision: .allow)], by: terminal)
        guard case .answer("r", .permission, .allow) = try await host.written.next() else {
            Issue.record("no allow was written")
            return
        }
        #expect(try await runner.session(session.id).phase == .idle)
        #expect(try await runner.session(session.id).requests.map(\.id) == ["r"])
        host.readAll()
        while try await runner.session(session.id).requests.isEmpty == false { try await letOthersRun() }
        while store.rows[session.id]?.requests.isEmpty == false { try await letOthersRun() }
    }

    @Test func aConversationOfAnotherProcessIsLeftAlone() async throws {
        _ = await broker.hook(
            HookCall(.made(.sessionStart, session: "a9", input: nil), from: HookSource(claudePID: 5))
        ) { _ in }
        await #expect(throws: RunSessionFailure.refused(.otherWriter, session: "s_1")) {
            _ = try await runner.start(RunSessionOrder(workspaceID: "w", resumed: "a9"))
        }
        await #expect(throws: RunSessionFailure.noWorkspace(id: "none")) {
            _ = try await runner.start(RunSessionOrder(workspaceID: "none"))
        }
    }

    @Test func aChildThatReadsNothingIsEnded() async throws {
        let session = try await stage.started()
        host.readsNothing = true
        _ = try await runner.send(SessionPrompt(id: "p", blocks: [.text("go")]), to: session.id)
        #expect(host.signals == [.terminate])
    }

    @Test func anAgentThatCannotBeStartedIsSaid() async throws {
        host.failure = ChildFailure("no such file")
        let session = try await runner.start(RunSessionOrder(workspaceID: "w"))
        while try await runner.session(session.id).phase != .ended { try await letOthersRun() }
        #expect(try await runner.session(session.id).life == .ended(.neverStarted("no such file")))
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
