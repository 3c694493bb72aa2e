import Core
import Dialects
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing
import Wire

/// Completions, with an agent whose words the test writes.
@Suite(.timeLimit(.minutes(1))) struct ChatCompletionTests {
    private let stage = ChatStage()

    private func waiting(
        _ more: JSONObject = ["stream": true], via pending: Pending = Pending()
    ) async throws -> (answer: Task<HTTPResponse, Never>, tell: @Sendable (RunEvent) -> Void, prompt: String) {
        try await stage.waiting { await $0.complete(more, via: pending) }
    }

    private func pass(_ seconds: Double) async throws { try await stage.pass(seconds) }

    @Test func aWholeAnswer() async throws {
        stage.says("Hel", "lo")
        let answer = await stage.complete(["model": "claude/proj"])
        #expect(answer.status == .ok && answer.content == "Hello")
        let json = try #require(answer.json)
        #expect(json["object"] == "chat.completion" && json["model"] == "claude/proj")
        #expect(json["session_id"] == "s_1" && json["project_id"] == "ws-1")
        #expect(json["choices"]?.arrayValue?.first?["finish_reason"] == "stop")
        let usage = try #require(json["usage"])
        #expect(usage["prompt_tokens"] == 40 && usage["input_tokens"] == 40)
        #expect(usage["completion_tokens"] == 2 && usage["output_tokens"] == 2 && usage["total_tokens"] == 42)
        #expect(usage["total_cost"]?.doubleValue == 0.5)
    }

    @Test func aStreamedAnswer() async throws {
        stage.says("Hel", "lo")
        let answer = await stage.complete(["stream": true, "stream_options": ["include_usage": true]])
        #expect(answer.headers["content-type"] == "text/event-stream; charset=utf-8")
        #expect(answer.text.hasPrefix(": session s_1\n\n") && answer.text.hasSuffix("data: [DONE]\n\n"))
        let frames = answer.frames.dropLast().compactMap(\.self)
        let deltas = frames.compactMap { $0["choices"]?.arrayValue?.first?["delta"] }
        #expect(deltas.compactMap { $0["content"]?.stringValue }.joined() == "Hello")
        #expect(deltas.first?["role"] == "assistant" && deltas.dropFirst().allSatisfy { $0["role"] == nil })
        #expect(frames.last?["choices"] == [] && frames.last?["usage"]?["total_tokens"] == 42)
        #expect(Set(frames.compactMap { $0["id"]?.stringValue }).count == 1)
    }

    @Test func messagesOfATurnAreParagraphsAndThoughtsAreNone() async {
        stage.agent { prompt, tell in
            tell(.delta(ChildDelta(kind: .thinking, text: "hm"), agentID: "a1"))
            tell(.text("I look."))
            tell(.message(.written(by: nil), agentID: "a1"))
            tell(.message(.written(by: "sub"), agentID: "a1"))
            tell(.text("I am"))
            tell(.message(.written(by: "sub"), agentID: "a1"))
            tell(.text(" done."))
            tell(.turnEnd(.done(), agentID: "a1"))
            tell(.promptEnd("another", .failed(.neverSent), agentID: "a1"))
            tell(.promptEnd(prompt, .completed, agentID: "a1"))
        }
        #expect(await stage.complete().content == "I look.\n\nI am done.")
    }

    @Test func aCommandsResultIsItsText() async {
        stage.says(end: .done(text: "Cost: 1 $"))
        #expect(await stage.complete().content == "Cost: 1 $")
        stage.says(end: .done(text: "Cost: 1 $"))
        #expect(await stage.complete(["stream": true]).text.contains(#""content":"Cost: 1 $""#))
    }

    @Test(arguments: [
        (TurnEnd.done("error_during_execution", isError: true, text: "API Error: 400"), 500, "turn_failed"),
        (.done("aborted_tools", isError: true), 409, "interrupted"), (.done("max_turns", isError: true), 200, "length"),
        (.done("refusal"), 200, "content_filter"), (.done("aborted_streaming"), 200, "stop"),
    ])
    func aTurnThatWentWrong(end: TurnEnd, status: Int, word: String) async {
        stage.says("par", end: end)
        let answer = await stage.complete()
        let reason = answer.json?["choices"]?.arrayValue?.first?["finish_reason"]?.stringValue
        #expect(answer.status.code == status && (answer.code ?? reason) == word)
        #expect(answer.headers["x-should-retry"] == (status == 200 ? nil : "false"))
        guard status != 200 else { return }
        stage.says("par", end: end)
        let stream = await stage.complete(["stream": true])
        #expect(stream.status == .ok && stream.frames.contains { $0?["error"]?["code"]?.stringValue == word })
        #expect(stream.text.hasSuffix("data: [DONE]\n\n"))
    }

    @Test(arguments: [
        (PromptEnd.cancelled, "cancelled"), (.failed(.neverStarted("no program")), "agent_ended"),
        (.failed(.childEnded(.signal(9), said: "oops")), "agent_ended"),
        (.failed(.sessionEnded(.stopped)), "agent_ended"),
    ])
    func aPromptThatFailed(end: PromptEnd, code: String) async {
        stage.agent { prompt, tell in tell(.promptEnd(prompt, end, agentID: "a1")) }
        #expect(await stage.complete().code == code)
    }

    @Test func aQuestionIsWaitedFor() async throws {
        let pending = Pending()
        let (answer, tell, prompt) = try await waiting(via: pending)
        func hears(_ comment: String, _ count: Int) async throws {
            while pending.text.split(separator: "\n").count(where: { $0 == ": \(comment)" }) < count {
                try await letOthersRun()
            }
        }
        tell(.works(isAsking: true))
        try await hears("waiting for an approval", 1)
        for count in 2...3 {
            try await pass(15)
            try await hears("waiting for an approval", count)
        }
        tell(.works())
        try await pass(15)
        try await hears("keep-alive", 1)
        tell(.text("done"))
        tell(.turnEnd(.done(), agentID: "a1"))
        tell(.promptEnd(prompt, .completed, agentID: "a1"))
        tell(.changed(.made("s_1")))
        #expect(await answer.value.text.hasSuffix("data: [DONE]\n\n"))
        #expect(!stage.runs.calls.contains { $0.hasPrefix("interrupt") || $0.hasPrefix("cancel") })
    }

    private static let link = "Waiting for an approval: https://me.example/#request=r_7"

    @Test(
        arguments: [
            (["stream": true, "card_links": true], "I look.\n\n\(link)\n\ndone"), (["stream": true], "I look.done"),
            (["stream": true, "card_links": false], "I look.done"), (["card_links": true], "I look.done"),
        ] as [(JSONObject, String)])
    func aCardIsLinkedWhereThatIsAskedFor(more: JSONObject, text: String) async throws {
        let pending = Pending()
        let (answer, tell, prompt) = try await waiting(more, via: pending)
        tell(.text("I look."))
        tell(.asked(heldRequest("r_7")))
        tell(.works(isAsking: true))
        // The agent writes nothing while it waits.
        while text.contains("r_7"), !pending.text.contains("r_7") { try await letOthersRun() }
        tell(.text("done"))
        tell(.turnEnd(.done(), agentID: "a1"))
        tell(.promptEnd(prompt, .completed, agentID: "a1"))
        tell(.changed(.made("s_1")))
        let whole = await answer.value
        let deltas = whole.frames.compactMap { $0?["choices"]?.arrayValue?.first?["delta"]?["content"]?.stringValue }
        #expect(whole.content ?? deltas.joined() == text)
    }

    /// A command of the agent's that asks has its result behind the link.
    @Test func aResultFollowsTheLink() async throws {
        let (answer, tell, prompt) = try await waiting(["stream": true, "card_links": true])
        tell(.asked(heldRequest("r_7")))
        tell(.turnEnd(.done(text: "Cost: 1 $"), agentID: "a1"))
        tell(.promptEnd(prompt, .completed, agentID: "a1"))
        let deltas = await answer.value.frames.compactMap { $0?["choices"]?.arrayValue?.first?["delta"] }
        #expect(deltas.compactMap { $0["content"]?.stringValue }.joined() == "\(Self.link)\n\nCost: 1 $")
        #expect(deltas.count { $0["role"] == "assistant" } == 1)
    }

    @Test func anAnswerInOnePieceKeepsItsClientWaiting() async throws {
        let (answer, tell, prompt) = try await waiting([:])
        for _ in 0..<4 { try await pass(15) }
        tell(.text("late"))
        tell(.turnEnd(.done(), agentID: "a1"))
        tell(.promptEnd(prompt, .completed, agentID: "a1"))
        let whole = await answer.value
        #expect(whole.text.hasPrefix(" ") && whole.content == "late")
    }

    @Test func anAnswerThatFailsLateIsSeenToBeCut() async throws {
        let (answer, tell, prompt) = try await waiting([:])
        for _ in 0..<3 { try await pass(15) }
        tell(.text("half"))
        tell(.promptEnd(prompt, .failed(.childEnded(.code(1))), agentID: "a1"))
        let whole = await answer.value
        #expect(whole.status == .ok && whole.code == "agent_ended")
        #expect(whole.content == "half\n\n[the agent ended before it was done]")
        #expect(whole.json?["choices"]?.arrayValue?.first?["finish_reason"] == "length")
    }

    @Test(arguments: [false, true]) func aClientThatLeavesStopsItsTurn(isQueued: Bool) async throws {
        let pending = Pending()
        let (answer, tell, _) = try await waiting(via: pending)
        tell(.text("some"))
        stage.runs.state.withLock { $0.isTakenBack = isQueued }
        pending.leave()
        answer.cancel()
        _ = await answer.value
        #expect(stage.runs.calls.contains("cancel s_1"))
        #expect(stage.runs.calls.contains("interrupt s_1 false") == !isQueued)
        stage.says("again")
        #expect(await stage.complete(["session_id": "s_1"]).content == "again", "the session is free")
    }

    @Test func aStopOfTheDaemonStopsNoTurn() async throws {
        let (answer, _, _) = try await waiting()
        answer.cancel()
        let text = await answer.value.text
        #expect(text.contains(#""code":"stopping""#) && text.hasSuffix("data: [DONE]\n\n"))
        #expect(!stage.runs.calls.contains { $0.hasPrefix("interrupt") || $0.hasPrefix("cancel") })
    }

    @Test func aRevokedDeviceHearsNothingMore() async throws {
        let (answer, tell, _) = try await waiting()
        stage.subscribers.close(device: "d_1", reason: "this device was revoked")
        tell(.text("secret"))
        let text = await answer.value.text
        #expect(text.contains("this device was revoked") && !text.contains("secret"))
    }

    @Test func moreTextThanIsKeptEndsTheHearing() async {
        let long = String(repeating: "x", count: 16 << 10)
        stage.agent { prompt, tell in
            for _ in 0...512 { tell(.text(long)) }
            tell(.promptEnd(prompt, .completed, agentID: "a1"))
        }
        #expect(await stage.complete(["stream": true]).text.contains(#""code":"too_slow""#))
    }

    @Test func aSecondTurnIsRefused() async throws {
        let (answer, tell, prompt) = try await waiting()
        let second = await stage.complete(["session_id": "s_1"])
        #expect(second.status == .conflict && second.code == "busy" && second.headers["x-should-retry"] == "false")
        tell(.turnEnd(.done(), agentID: "a1"))
        tell(.promptEnd(prompt, .completed, agentID: "a1"))
        _ = await answer.value
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", isBusy: true) }
        #expect(await stage.complete(["session_id": "s_1"]).code == "busy", "somebody else prompted it")
        #expect(stage.runs.prompts.count == 1)
    }

    @Test func aRequestThatIsRepeatedRunsOnce() async {
        stage.says("one")
        _ = await stage.complete()
        let again = await stage.complete(headers: ["X-Stainless-Retry-Count": "1"])
        #expect(again.code == "already_sent" && again.headers["x-should-retry"] == "false")
        #expect(await stage.complete(headers: ["X-Stainless-Retry-Count": "0"]).status == .ok, "a person sent it again")
        #expect(await stage.complete(text: "other", headers: ["X-Stainless-Retry-Count": "1"]).status == .ok)
        #expect(await stage.complete(headers: ["Idempotency-Key": "k"]).status == .ok)
        #expect(await stage.complete(text: "new", headers: ["Idempotency-Key": "k"]).code == "already_sent")
        #expect(stage.runs.prompts.count == 4)
    }

    @Test func aRepeatedRequestMayHaveBeenTheLastDaemons() async {
        let fresh = ChatStage(isOld: false)
        fresh.says("one")
        #expect(await fresh.complete(headers: ["X-Stainless-Retry-Count": "1"]).code == "may_have_run")
        #expect(fresh.runs.calls == [])
        #expect(await fresh.complete().status == .ok)
    }

    /// It was there when it was chosen, but its agent could not be started.
    @Test func aSessionThatEndsBeforeItsPromptFails() async {
        stage.runs.state.withLock { state in
            state.sessions["s_1"] = .made("s_1")
            state.failure = .refused(.ended, session: "s_1")
        }
        let answer = await stage.complete(["session_id": "s_1"])
        #expect(answer.status == .internalServerError && answer.code == "agent_ended")
        #expect(answer.headers["x-should-retry"] == "false")
    }

    @Test(arguments: [
        (RunSessionFailure.closing, 503, "stopping"), (.neverStarted("no"), 500, "agent_failed"),
        (.unwritten, 500, "unwritten"), (.refused(.tooManySessions(["s_9"]), session: "s"), 503, "too_many_sessions"),
        (.refused(.otherWriter, session: "s"), 409, "other_writer"), (.refused(.busy, session: "s"), 409, "busy"),
        (.noWorkspace(id: "w"), 404, "not_found"),
    ])
    func whatTheServiceRefuses(failure: RunSessionFailure, status: Int, code: String) async {
        stage.runs.state.withLock { $0.failure = failure }
        let answer = await stage.complete()
        #expect(answer.status.code == status && answer.code == code)
        #expect(answer.json?["error"]?["status"]?.intValue == status)
        // What was not done may be sent again; what may have been done may not.
        #expect(answer.headers["x-should-retry"] == ([404, 503].contains(status) ? nil : "false"))
    }
}

extension TranscriptMessage {
    fileprivate static func written(by agent: String?) -> TranscriptMessage {
        TranscriptMessage(
            kind: .assistant, flags: [], uuid: "u", parent: nil, time: nil, branch: nil, agentID: agent,
            message: ["role": "assistant", "content": [["type": "text", "text": "x"]]])
    }
}
