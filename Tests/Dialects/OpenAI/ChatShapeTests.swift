import Core
import Dialects
import OrderedJSON
import Services
import TestSupport
import Testing
import Wire

/// What a turn does whatever its shape.
@Suite(.timeLimit(.minutes(1))) struct ChatShapeTests {
    private let stage = ChatStage()

    private func ask(
        _ shape: TestShape, _ texts: [String] = ["go"], _ more: JSONObject = [:], headers: HTTPHeaders = [:]
    ) async -> HTTPResponse {
        await stage.ask("POST", shape.path, shape.body(texts, more), headers: headers)
    }

    private func session(_ answer: HTTPResponse) -> String? { answer.json?["session_id"]?.stringValue }

    @Test(arguments: TestShape.allCases) func theTextComesWholeAndInPieces(shape: TestShape) async {
        stage.says("Hel", "lo")
        let whole = await ask(shape)
        #expect(whole.status == .ok && shape.text(whole) == "Hello", "\(whole.text)")
        #expect(whole.json?["project_id"] == "ws-1" && session(whole) == "s_1")
        let stream = await ask(shape, ["go"], ["stream": true])
        #expect(shape.streamed(stream) == "Hello" && stream.text.contains("s_2"))
        #expect(stream.headers["content-type"] == "text/event-stream; charset=utf-8")
        stage.says(end: .done(text: "Cost: 1 $"))
        #expect(shape.text(await ask(shape)) == "Cost: 1 $")
        #expect(shape.streamed(await ask(shape, ["go"], ["stream": true])) == "Cost: 1 $")
    }

    @Test(arguments: TestShape.allCases) func theSessionIsChosenAlike(shape: TestShape) async {
        stage.says("ok")
        stage.runs.state.withLock { $0.sessions["s_9"] = .made("s_9", hasConversation: true) }
        for more: JSONObject in [["session_id": "s_9"], ["metadata": ["session_id": "s_9", "user_id": "u"]]] {
            #expect(session(await ask(shape, ["a", "ok", "b"], more)) == "s_9")
            #expect(stage.runs.prompts.last?.blocks == [.text("b")])
        }
        let missing = await ask(shape, ["a"], ["metadata": ["session_id": "s_7"]])
        #expect(missing.status == .notFound && shape.code(missing) == "not_found")
        #expect(await ask(shape, ["a"], ["metadata": ["project_id": "ws-9"]]).status == .notFound)
        #expect(await ask(shape, ["a"], ["metadata": 7]).status == .badRequest)
        let first = session(await ask(shape, ["a"], headers: ["X-Conversation-Id": "c"]))
        #expect(session(await ask(shape, ["b"], headers: ["X-Conversation-Id": "c"])) == first && first != "s_9")
    }

    /// A front end may even change the shape in the middle of a conversation.
    @Test(arguments: TestShape.allCases, TestShape.allCases)
    func aConversationGoesOnInItsSession(shape: TestShape, next: TestShape) async {
        stage.says("one")
        let first = session(await ask(shape, ["a"]))
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", agentID: "a-s_1", hasConversation: true) }
        #expect(session(await ask(next, ["a", "one", "b"])) == first)
        #expect(stage.runs.prompts.last?.blocks == [.text("b")])
    }

    @Test(arguments: TestShape.allCases) func aTurnNeverRunsTwice(shape: TestShape) async {
        stage.says("one")
        _ = await ask(shape)
        let again = await ask(shape, headers: ["X-Stainless-Retry-Count": "1"])
        #expect(again.status == .conflict && shape.code(again) == "already_sent")
        #expect(again.headers["x-should-retry"] == "false" && stage.runs.prompts.count == 1)
    }

    @Test(arguments: TestShape.allCases) func aBusySessionIsAConflict(shape: TestShape) async {
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", isBusy: true) }
        let answer = await ask(shape, ["go"], ["session_id": "s_1"])
        #expect(answer.status == .conflict && shape.code(answer) == "busy")
        #expect(answer.headers["x-should-retry"] == "false" && stage.runs.prompts.isEmpty)
    }

    @Test(arguments: TestShape.allCases, [false, true])
    func aClientThatLeavesStopsItsTurn(shape: TestShape, isStreamed: Bool) async throws {
        let pending = Pending()
        let body = shape.body(["go"], ["stream": .bool(isStreamed)])
        let (answer, tell, _) = try await stage.waiting { await $0.ask("POST", shape.path, body, via: pending) }
        tell(.text("some"))
        pending.leave()
        answer.cancel()
        _ = await answer.value
        #expect(stage.runs.calls.contains("cancel s_1") && stage.runs.calls.contains("interrupt s_1 false"))
    }

    @Test(arguments: TestShape.allCases) func aTurnThatFails(shape: TestShape) async throws {
        let end = TurnEnd.done("error_during_execution", isError: true, text: "API Error: 400")
        stage.says("par", end: end)
        let whole = await ask(shape)
        #expect(whole.status == .internalServerError && shape.code(whole) == "turn_failed")
        #expect(whole.headers["x-should-retry"] == "false")
        let stream = await ask(shape, ["go"], ["stream": true])
        #expect(stream.status == .ok && shape.streamedCode(stream) == "turn_failed")
        let body = shape.body(["go"])
        let (answer, tell, prompt) = try await stage.waiting { await $0.ask("POST", shape.path, body) }
        for _ in 0..<3 { try await stage.pass(15) }
        tell(.text("half"))
        tell(.promptEnd(prompt, .failed(.childEnded(.code(1))), agentID: "a1"))
        let late = await answer.value
        #expect(late.status == .ok && shape.code(late) == "agent_ended")
        #expect(shape.text(late) == "half\n\n[the agent ended before it was done]")
    }

    @Test(arguments: TestShape.allCases) func refusalsOfOthersAreSpelledAlike(shape: TestShape) throws {
        let request = HTTPRequest(method: "POST", target: shape.path, body: [])
        let route = try stage.table.route(for: request).get().route
        let spelled = route.spelling(.error(.unauthorized, "no token", headers: ["WWW-Authenticate": "Bearer"]))
        #expect(shape.code(spelled) == "unauthorized" && spelled.headers["www-authenticate"] == "Bearer")
        #expect(spelled.json?["error"]?["type"] == "authentication_error")
    }
}
