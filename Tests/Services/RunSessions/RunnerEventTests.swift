import Core
import Services
import TestSupport
import Testing

/// What clients are told of run sessions, and what they set.
@Suite(.timeLimit(.minutes(1))) struct RunnerEventTests {
    private let stage = RunnerStage()
    private var host: ScriptedHost { stage.host }
    private var runner: SessionRunner { stage.runner }
    private var told: Events<LiveEvent> { stage.told }

    private func nextEvent(_ kind: EventKind) async throws -> LiveEvent {
        while true {
            let event = try await told.next()
            if event.body.kind == kind { return event }
        }
    }

    /// Until the child has answered, its lines may tell more than the row.
    @Test func aSessionIsKnownOnceItsChildHasAnswered() async throws {
        let session = try await stage.started()
        #expect(await runner.catchUp(with: session.id))
        await runner.close()
        let next = RunnerStage.runner(stage.broker, host, stage.clock, stage.store)
        await next.restore(Array(stage.store.rows.values))
        guard case .probe(let request) = try await host.written.next() else {
            Issue.record("the child was not probed")
            return
        }
        #expect(try await next.session(session.id).openProbe == request)
        async let first = next.catchUp(with: session.id)
        async let second = next.catchUp(with: session.agentID)
        await host.report(.answered(request: request, failure: nil))
        let isKnown = await (first, second)
        #expect(isKnown == (true, true))
        #expect(try await next.session(session.id).openProbe == nil)
    }

    /// As a piece of a message, until that is whole.
    @Test func aCallThatIsBeingWrittenIsTold() async throws {
        let session = try await stage.started()
        let call = ChildCall(id: "toolu_1", tool: .claude("Bash"))
        await host.report(.other, .call(call))
        #expect(try await runner.watch(session.id, hasLog: false, client: "c").call == call)
        let next = ChildCall(id: "toolu_2", tool: .claude("Read"))
        await host.report(.other, .call(next))
        let begun = try await nextEvent(.runCall)
        #expect(begun.audience == ["c"] && begun.body == .run(.call(next, agentID: session.agentID)))
        await host.report(.other, .message(.made("Hello")))
        #expect(try await runner.watch(session.id, hasLog: false, client: "c").call == nil)
    }

    private func delta(_ text: String) -> ChildOutput { .delta(ChildDelta(kind: .text, text: text)) }

    /// Who only listens gets whole messages; who watches gets them as they are written, and what he missed of one.
    @Test func whatTheChildWritesIsTold() async throws {
        let session = try await stage.started()
        #expect(try await nextEvent(.runChildStart).sessionID == session.id)
        await host.report(.other, delta("Hel"))
        let watch = try await runner.watch(session.id, hasLog: false, client: "c")
        #expect(watch.partial == [ChildDelta(kind: .text, text: "Hel")])
        await host.report(.other, delta("lo"))
        let piece = try await nextEvent(.runDelta)
        #expect(piece.audience == ["c"])
        #expect(piece.body == .run(.delta(ChildDelta(kind: .text, text: "lo"), agentID: session.agentID)))
        await host.report(.other, .message(.made("Hello")), line: #"{"type":"assistant"}"#)
        let whole = try await nextEvent(.transcriptMessage)
        #expect(whole.audience == nil && whole.sessionID == session.id && whole.workspaceID == "w")
        #expect(try await runner.watch(session.id, hasLog: true, client: "d").partial.isEmpty)
        await host.report(
            .result, .turnEnd(TurnEnd(reason: "completed", isError: false, text: "", cost: 1)), line: "{}")
        #expect(try await nextEvent(.runLine).audience == ["d"])
        _ = try await nextEvent(.runUsage)
        await runner.clientLeft("d")
        await host.report(.other, nil, line: "{}")
        try await runner.stop(session.id)
        while true {
            let event = try await told.next()
            #expect(event.body.kind != .runLine, "nobody asks for it any more")
            if event.body.kind == .runStatus { break }
        }
    }

    @Test func aSessionIsSummedUp() async throws {
        let session = try await stage.started()
        let end = TurnEnd(
            reason: "completed", isError: false, text: "", cost: 1, tokens: TokenUse(input: 40, output: 2))
        for _ in 0..<2 {
            await host.report(.other, .message(.made("Hello")), line: "{}")
            await host.report(.result, .turnEnd(end), line: "{}")
        }
        #expect(await runner.totals(of: session.id) == RunTotals(tokens: 84, messages: 2))
        #expect(await runner.totals(of: "s_none") == RunTotals())
    }

    /// Two that begin it at the same time get one process.
    @Test func aConversationWithAnIdOfItsOwnIsBegunOnce() async throws {
        let order = RunSessionOrder(workspaceID: "w", conversation: "0e6b7a52-0000-8000-8000-000000000001")
        let session = try await runner.start(order)
        #expect(session.agentID == order.conversation && !session.hasConversation)
        await #expect(throws: RunSessionFailure.refused(.alreadyRuns(session: session.id), session: "s_1")) {
            _ = try await runner.start(order)
        }
        #expect(try await runner.session("0e6b7a52-0000-8000-8000-000000000001").id == session.id)
    }

    @Test func theSettingsReachTheChild() async throws {
        let session = try await stage.started()
        try await runner.set(RunSettings(mode: .plan, model: .some(nil), effort: "low", title: "T"), of: session.id)
        #expect(try await host.written.next() == .setMode(request: "cdev-1-2", .plan))
        #expect(try await host.written.next() == .setModel(request: "cdev-1-3", nil))
        #expect(try await host.written.next() == .setEffort(request: "cdev-1-4", "low"))
        #expect(try await host.written.next() == .rename(request: "cdev-1-5", title: "T"))
        #expect(try await runner.session(session.id).effort == "low")
        #expect(try await runner.session(session.id).mode == .default, "the child has not told it yet")
        await host.report(.mode(.plan))
        #expect(try await runner.session(session.id).mode == .plan)
        await #expect(throws: RunSessionFailure.refused(.bypass, session: session.id)) {
            try await runner.set(RunSettings(mode: .bypassPermissions), of: session.id)
        }
        try await runner.interrupt(session.id, cancelsQueued: true)
        #expect(try await host.written.next() == .interrupt(request: "cdev-1-6", cancelsQueued: true))
    }

    @Test func aSessionCanBeginWithAPromptAndWithACopy() async throws {
        var order = RunSessionOrder(workspaceID: "w", resumed: "a9", isFork: true)
        order.prompt = SessionPrompt(id: "p", blocks: [.text("go")])
        let session = try await runner.start(order)
        #expect(session.agentID != "a9" && host.launch?.forkedFrom == "a9" && host.launch?.isResumed == false)
        _ = try await host.written.next()
        await host.report(.answered(request: "cdev-1-1", failure: nil))
        #expect(try await host.written.next() == .prompt(id: "p", blocks: [.text("go")]))
    }

    /// An agent may write thousands of pieces before anybody reads along.
    @Test func ofALongMessageTheEndIsKept() async throws {
        let session = try await stage.started()
        for number in 0..<3000 {
            let kind: ChildDelta.Kind = number.isMultiple(of: 2) ? .text : .thinking
            await host.report(.other, .delta(ChildDelta(kind: kind, text: "\(number) ")))
        }
        let pieces = try await runner.watch(session.id, hasLog: false, client: "c").partial
        #expect(pieces.count <= 1000 && pieces.last?.text == "2999 ")
        await host.report(.other, delta(String(repeating: "x", count: 300_000)))
        #expect(try await runner.watch(session.id, hasLog: false, client: "c").partial.count == 1)
    }
}

extension TranscriptMessage {
    fileprivate static func made(_ text: String) -> TranscriptMessage {
        TranscriptMessage(
            kind: .assistant, flags: [], uuid: "u", parent: nil, time: nil, branch: nil, agentID: nil,
            message: ["role": "assistant", "content": [["type": "text", "text": .string(text)]]])
    }
}
