import Core
import Dialects
import OrderedJSON
import Services
import TestSupport
import Testing
import Wire

/// A request that names neither session nor chat, and goes on with what a session was sent and answered.
@Suite(.timeLimit(.minutes(1))) struct ChatHistoryTests {
    private let stage = ChatStage()

    /// The user's messages and the answers by turns.
    private func messages(_ texts: [String]) -> [JSON] {
        texts.enumerated().map { ["role": $0 % 2 == 0 ? "user" : "assistant", "content": .string($1)] }
    }

    /// Sends messages, and returns the session that answered `answer`.
    private func send(
        _ texts: String..., answer: String, more: JSONObject = [:], headers: HTTPHeaders = [:],
        from sender: Sender = ChatStage.driver
    ) async -> String? {
        await send(messages(texts), answer: answer, more: more, headers: headers, from: sender)
    }

    private func send(
        _ messages: [JSON], answer: String, more: JSONObject = [:], headers: HTTPHeaders = [:],
        from sender: Sender = ChatStage.driver, end: TurnEnd = .done()
    ) async -> String? {
        stage.says(answer, end: end)
        var body = more
        body["messages"] = .array(messages)
        let response = await stage.ask("POST", "/v1/chat/completions", .object(body), from: sender, headers: headers)
        let session = response.json?["session_id"] ?? response.frames.first??["session_id"]
        if let id = session?.stringValue { change(id) { $0 } }
        return session?.stringValue
    }

    /// The session has a conversation since its first turn.
    private func change(_ id: String, _ body: (RunSession) -> RunSession) {
        stage.runs.state.withLock { state in
            if let known = state.sessions[id] {
                state.sessions[id] = body(
                    .made(known.id, in: known.workspaceID, agentID: known.agentID, hasConversation: true))
            }
        }
    }

    private func sent() -> [PromptBlock]? { stage.runs.prompts.last?.blocks }

    @Test(arguments: [false, true]) func aChatGoesOnInItsSession(isStreamed: Bool) async {
        let more: JSONObject = ["stream": .bool(isStreamed)]
        #expect(await send("a", answer: "one", more: more) == "s_1")
        #expect(await send("a", "one", "b", answer: "two", more: more) == "s_1")
        #expect(sent() == [.text("b")], "only what is new is sent")
        #expect(await send("a", "one", "b", "two", "c", answer: "three", more: more) == "s_1")
        #expect(stage.runs.calls.count { $0.hasPrefix("start") } == 1)
    }

    @Test func instructionsAndSeveralMessagesBelongToIt() async {
        let system: JSON = ["role": "system", "content": "be brief"]
        let first = [system] + messages(["a"]) + messages(["b"])
        #expect(await send(first, answer: "one") == "s_1")
        let answer: JSON = ["role": "assistant", "content": [["type": "text", "text": "one"]]]
        #expect(await send(first + [answer] + messages(["c"]), answer: "two") == "s_1")
        #expect(await send(Array(first.dropFirst()) + [answer] + messages(["c"]), answer: "two") == "s_2")
    }

    @Test func anotherHistoryIsAnotherChat() async {
        #expect(await send("a", answer: "one") == "s_1")
        #expect(await send("a", "One", "b", answer: "x") == "s_2")
        #expect(await send("A", "one", "b", answer: "x") == "s_3")
        #expect(await send("a", "one", "b", answer: "x", more: ["model": "claude/proj"]) == "s_4")
        #expect(await send("a", "one", "b", answer: "x", more: ["system_prompt": "be brief"]) == "s_5")
        #expect(await send("a", "one", "b", answer: "x", headers: ["X-Conversation-Id": "c"]) == "s_6")
        let other = Sender(
            caller: Caller(identity: .local(pid: 5), rights: .driver), address: "127.0.0.1", isLocal: true,
            connection: 4)
        #expect(await send("a", "one", "b", answer: "x", from: other) == "s_7")
        #expect(await send("a", "one", "b", answer: "x") == "s_1", "and this is the one")
    }

    /// Two chats that begin alike are never mixed, not even once one of them has gone on.
    @Test func twoChatsThatBeginAlike() async {
        #expect(await send("a", answer: "one") == "s_1")
        #expect(await send("a", answer: "one") == "s_2")
        #expect(await send("a", "one", "b", answer: "two") == "s_3")
        #expect(await send("a", "one", "b", "two", "c", answer: "three") == "s_3", "that was had once")
    }

    @Test func aSessionThatHasGoneOn() async {
        #expect(await send("a", answer: "one") == "s_1")
        stage.runs.state.withLock { $0.messages += 2 }
        #expect(await send("a", "one", "b", answer: "two") == "s_2", "somebody prompted it from elsewhere")
        #expect(await send("c", answer: "one") == "s_3")
        #expect(await send("c", "one", "d", answer: "two") == "s_3")
        stage.runs.state.withLock { $0.messages += 2 }
        #expect(await send("c", "one", "e", answer: "two") == "s_4", "the answer is another now")
    }

    @Test(arguments: ["parked", "busy", "waits", "cleared", "ended"]) func aSessionThatIsNotThere(why: String) async {
        #expect(await send("a", answer: "one") == "s_1")
        change("s_1") { session in
            switch why {
            case "parked": .made("s_1", agentID: session.agentID, hasConversation: true, life: .parked)
            case "busy": .made("s_1", agentID: session.agentID, isBusy: true, hasConversation: true)
            case "waits":
                .made(
                    "s_1", agentID: session.agentID, hasConversation: true,
                    prompts: [SessionPrompt(id: "p", blocks: [.text("x")])])
            case "cleared": .made("s_1", agentID: "another", hasConversation: true)
            default: .made("s_1", agentID: session.agentID, hasConversation: true, life: .ended(.stopped))
            }
        }
        #expect(await send("a", "one", "b", answer: "two") == "s_2")
    }

    @Test(arguments: [
        TurnEnd.done("max_turns"), .done("refusal"), .done("aborted_streaming"),
        .done("error_during_execution", isError: true, text: "API Error"),
    ])
    func anAnswerThatIsNotWhole(end: TurnEnd) async {
        _ = await send(messages(["a"]), answer: "one", end: end)
        #expect(await send("a", "one", "b", answer: "two") == "s_2")
    }

    /// The client does not tell all that the session was sent.
    @Test func aPartOfAConversation() async {
        #expect(await send("a", answer: "one") == "s_1")
        #expect(await send("b", answer: "two", more: ["session_id": "s_1"]) == "s_1")
        #expect(await send("b", "two", "c", answer: "three") == "s_2")
    }

    @Test func picturesAreNotCompared() async {
        func picture(_ data: String) -> JSON {
            [
                "role": "user",
                "content": [
                    ["type": "image_url", "image_url": ["url": .string("data:image/png;base64,\(data)")]]
                ],
            ]
        }
        #expect(await send([picture("QUJD")], answer: "one") == "s_1")
        #expect(await send([picture("QUJE")] + messages(["-", "one", "b"]).dropFirst(), answer: "two") == "s_2")
    }
}
