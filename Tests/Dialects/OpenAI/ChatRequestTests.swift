import Core
import Dialects
import OrderedJSON
import Services
import TestSupport
import Testing
import Wire

/// What is read of a request, and whose session it is meant for.
@Suite(.timeLimit(.minutes(1))) struct ChatRequestTests {
    private let stage = ChatStage()

    private func prompt(_ messages: JSON, _ more: JSONObject = [:]) async -> [PromptBlock] {
        stage.says("ok")
        var body: JSONObject = ["messages": messages]
        for (name, value) in more { body[name] = value }
        let answer = await stage.ask("POST", "/v1/chat/completions", .object(body))
        #expect(answer.status == .ok, "\(answer.text)")
        return stage.runs.prompts.last?.blocks ?? []
    }

    @Test func onlyTheNewMessagesAreSentToASessionThatHasAHistory() async {
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", hasConversation: true) }
        let messages: JSON = [
            ["role": "system", "content": "be brief"], ["role": "user", "content": "old"],
            ["role": "assistant", "content": .null, "tool_calls": []], ["role": "tool", "content": "x"],
            ["role": "user", "content": "new"], ["role": "user", "content": [["type": "text", "text": "and more"]]],
        ]
        #expect(await prompt(messages, ["session_id": "s_1"]) == [.text("new"), .text("and more")])
    }

    @Test func aNewSessionIsToldWhatWasSaidBefore() async {
        let blocks = await prompt(
            [
                ["role": "developer", "content": "be brief"], ["role": "user", "content": "old"],
                ["role": "assistant", "content": "answer"], ["role": "user", "content": "new"],
            ], ["system_prompt": "be kind"])
        guard case .text(let told)? = blocks.first, blocks.count == 2 else {
            Issue.record("\(blocks)")
            return
        }
        let places = ["be kind", "be brief", "[user]\nold", "[assistant]\nanswer", "message to answer"].map {
            told.firstRange(of: $0)?.lowerBound
        }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
        #expect(blocks[1] == .text("new"))
    }

    @Test func ofALongHistoryTheOldestIsLeftOut() async {
        let long = JSON.string(String(repeating: "x", count: 100_000))
        var messages: [JSON] = (0..<6).map { ["role": $0 % 2 == 0 ? "user" : "assistant", "content": long] }
        messages.append(["role": "user", "content": "new"])
        let size = await prompt(.array(messages)).reduce(0) { $0 + $1.size }
        #expect((200_000..<300_000).contains(size))
    }

    @Test func picturesAreRead() async {
        let picture: JSON = ["type": "image_url", "image_url": ["url": "data:image/PNG;base64,QUJD", "detail": "low"]]
        let blocks = await prompt([["role": "user", "content": [["type": "text", "text": "what"], picture]]])
        #expect(blocks == [.text("what"), .image(mediaType: "image/png", data: "QUJD")])
    }

    @Test(arguments: [
        "data:image/svg+xml;base64,QUJD", "data:image/png,QUJD", "data:image/png;base64,QU", "data:image/png;base64,",
        "http://127.0.0.1/x.png", "file:///etc/passwd", "data:;base64,QUJD", "data:image/png;base64", "",
    ])
    func aPictureThatIsNoneIsRefused(url: String) async {
        let answer = await stage.complete([
            "messages": [["role": "user", "content": [["type": "image_url", "image_url": ["url": .string(url)]]]]]
        ])
        #expect(answer.status == .badRequest && answer.param == "messages[0].content")
        #expect(stage.runs.calls == [])
    }

    static let bad: [(JSONObject, String)] = [
        (["messages": "x"], "messages"), (["messages": [7]], "messages[0].content"), (["n": "1"], "n"),
        (["messages": [["role": "assistant", "content": "x"]]], "messages"),
        (["messages": [["role": "user", "content": "  "], ["role": "tool", "content": "x"]]], "messages"),
        (["messages": [["role": 7, "content": "x"]]], "messages[0].role"), (["stream": "yes"], "stream"),
        (["stream_options": []], "stream_options"), (["stream_options": ["include_usage": 1]], "include_usage"),
        (["model": 7], "model"), (["model": "claude/"], "model"), (["model": "a b"], "model"),
        (["model": "--help"], "model"),
        (["session_id": [:]], "session_id"), (["project_id": true], "project_id"),
        (["system_prompt": []], "system_prompt"),
        (["response_format": ["type": "json_schema"]], "response_format"),
        (["tool_choice": ["type": "function"]], "tool_choice"),
        (["modalities": ["audio"]], "modalities"),
    ]

    @Test(arguments: bad) func whatCannotBeReadIsRefused(more: JSONObject, param: String) async {
        let answer = await stage.complete(more)
        #expect(answer.status == .badRequest && answer.param == param, "\(answer.text)")
        #expect(stage.runs.calls == [])
    }

    @Test func whatHasNoMeaningHereIsIgnored() async {
        stage.says("ok")
        let answer = await stage.complete([
            "temperature": 0, "top_p": 1, "max_tokens": 5, "stop": ["x"], "seed": 7, "user": "u", "tools": [[:]],
            "tool_choice": "auto", "n": 1, "stream": .null, "response_format": ["type": "text"],
            "mcp": ["enabled_tools": []],
        ])
        #expect(answer.status == .ok && answer.content == "ok", "\(answer.text)")
    }

    @Test func theWorkspaceIsNamedOrTheOnlyOne() async {
        stage.says("ok")
        #expect(await stage.complete().json?["project_id"] == "ws-1")
        stage.workspaces.state.withLock { state in
            state.views += [("ws-2", "same"), ("ws-3", "same")].map {
                WorkspaceView(workspace: ChatStage.workspace($0.0, $0.1))
            }
        }
        #expect(await stage.complete().param == "project_id", "which of them?")
        #expect(await stage.complete(["project_id": "ws-2"]).json?["project_id"] == "ws-2")
        #expect(await stage.complete(["model": "claude/ws-3"]).json?["project_id"] == "ws-3")
        #expect(await stage.complete(["model": "claude/same"]).code == "model_not_found", "two are called so")
        #expect(await stage.complete(["model": "claude/proj", "project_id": "ws-3"]).json?["project_id"] == "ws-3")
        #expect(await stage.complete(["project_id": "ws-9"]).status == .notFound)
    }

    @Test func aSessionIsNotTakenIntoAnotherProject() async {
        stage.says("ok")
        stage.workspaces.state.withLock {
            $0.views.append(WorkspaceView(workspace: ChatStage.workspace("ws-2", "other")))
        }
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1") }
        for more: JSONObject in [["project_id": "ws-2"], ["model": "claude/other"]] {
            let answer = await stage.complete(JSONObject([("session_id", "s_1")] + more.map { ($0.key, $0.value) }))
            #expect(answer.status == .badRequest && answer.param == "project_id")
        }
        for more: JSONObject in [["project_id": "ws-1"], ["model": "claude/proj"], ["model": "haiku"]] {
            let answer = await stage.complete(JSONObject([("session_id", "s_1")] + more.map { ($0.key, $0.value) }))
            #expect(answer.content == "ok")
        }
        #expect(stage.runs.prompts.count == 3)
    }

    @Test func aChatHasASessionInEachProject() async {
        stage.says("ok")
        stage.workspaces.state.withLock {
            $0.views.append(WorkspaceView(workspace: ChatStage.workspace("ws-2", "other")))
        }
        for project in ["ws-1", "ws-2", "ws-1"] {
            let answer = await stage.complete(["project_id": .string(project)], headers: ["X-Conversation-Id": "c"])
            #expect(answer.json?["project_id"]?.stringValue == project)
        }
        #expect(stage.runs.state.withLock { $0.orders.count } == 2)
    }

    /// Nothing is to be stopped yet, and the prompt that waits must not run later.
    @Test func theTurnOfASessionThatStartsIsTakenBack() async {
        let prompts = [SessionPrompt(id: "p", blocks: [.text("go")])]
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", life: .starting, prompts: prompts) }
        #expect(await stage.ask("DELETE", "/v1/chat/completions/s_1").status == .ok)
        #expect(stage.runs.calls == ["cancel s_1", "confirm s_1"])
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", isBusy: true) }
        #expect(await stage.ask("DELETE", "/v1/chat/completions/s_1").status == .ok)
        #expect(stage.runs.calls.last == "interrupt s_1 true")
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", life: .parked) }
        #expect(await stage.ask("DELETE", "/v1/chat/completions/s_1").status == .ok)
        #expect(stage.runs.calls.last == "confirm s_1" && stage.runs.calls.count == 4)
    }

    @Test func theModelIsOneOfTheAgents() async {
        stage.says("ok")
        stage.runs.state.withLock { $0.models = [.init(value: "opus", name: "Opus", description: "")] }
        for (name, model) in [
            ("opus", "opus"), ("claude-3-haiku", "claude-3-haiku"), ("default", nil), ("claude", nil),
        ] {
            #expect(await stage.complete(["model": .string(name)]).status == .ok)
            #expect(stage.runs.state.withLock { $0.orders.last?.model } == model)
        }
        #expect(await stage.complete(["model": "gpt-4"]).code == "model_not_found")
    }

    @Test func aChatIsOneSessionOfItsDevice() async {
        stage.says("ok")
        func session(_ chat: String, _ header: String = "X-OpenWebUI-Chat-Id", from sender: Sender = ChatStage.driver)
            async -> String?
        {
            await stage.complete(from: sender, headers: [header: chat]).json?["session_id"]?.stringValue
        }
        let first = await session("c1")
        #expect(await session("c1") == first && first != nil)
        #expect(await session("c1", "X-Conversation-Id") == first, "whatever the header is called")
        #expect(await session("c2") != first)
        #expect(await session("c1", from: .owner) != first, "another's chat may have the same name")
        #expect(
            await stage.complete(["session_id": "s_none"], headers: ["X-Conversation-Id": "c1"]).status == .notFound)
    }

    @Test func errandsOfAFrontEndRunNoAgent() async {
        let answer = await stage.complete(headers: ["X-OpenWebUI-Task": "title_generation"])
        #expect(answer.status == .badRequest && stage.runs.calls == [])
    }

    @Test func anErrandIsTheModelsWhereThatIsConfigured() async {
        let model = ScriptedCompletions(.success(.done(text: "A title")))
        let stage = ChatStage(completions: model)
        let errand: HTTPHeaders = ["X-OpenWebUI-Task": "title_generation"]
        let answer = await stage.complete(["model": "claude-haiku"], text: "name this", headers: errand)
        #expect(answer.json?["choices"]?.arrayValue?.first?["message"]?["content"] == "A title")
        #expect(answer.json?["session_id"] == nil && answer.json?["model"] == "claude-haiku")
        #expect(model.asked.withLock { $0 } == ["claude-haiku: name this"] && stage.runs.calls == [])
    }

    @Test func anErrandThatFailsIsNotAnswered() async {
        let errand: HTTPHeaders = ["X-OpenWebUI-Task": "tags"]
        let stopped = ChatStage(completions: ScriptedCompletions(.failure(ChildFailure("no login"))))
        let answer = await stopped.complete(headers: errand)
        #expect(answer.status == .internalServerError && answer.code == "errand_failed")
        #expect(answer.text.contains("no login") && answer.headers["x-should-retry"] == "false")
        let refused = ChatStage(
            completions: ScriptedCompletions(.success(.done("x", isError: true, text: "too long"))))
        #expect(await refused.complete(headers: errand).code == "turn_failed")
    }

    @Test func onlyWhoMayDriveDrives() async {
        for rights in [Set<Right>.viewer, .approver, .agent] {
            let sender = Sender(
                caller: Caller(identity: .device(id: "d_1", name: "x"), rights: rights), address: "203.0.113.9",
                isLocal: false, connection: 4)
            for (method, path) in [
                ("POST", "/v1/chat/completions"), ("POST", "/v1/messages"), ("POST", "/v1/responses"),
                ("DELETE", "/v1/chat/completions/s_1"), ("POST", "/v1/projects"),
                ("DELETE", "/v1/projects/ws-1"), ("POST", "/v1/sessions"), ("DELETE", "/v1/sessions/s_1"),
            ] {
                let answer = await stage.ask(method, path, [:], from: sender)
                #expect(answer.status == .forbidden && answer.text.contains(#""forbidden""#), "\(method) \(path)")
            }
            #expect(await stage.ask("GET", "/v1/projects", from: sender).status == .ok)
        }
        #expect(stage.runs.calls == [])
    }

    @Test func refusalsOfOthersAreSpelledAlike() async throws {
        let table = stage.table
        let request = HTTPRequest(method: "POST", target: "/v1/chat/completions", body: [])
        let route = try table.route(for: request).get().route
        let spelled = route.spelling(.error(.unauthorized, "no token", headers: ["WWW-Authenticate": "Bearer"]))
        #expect(spelled.code == "unauthorized" && spelled.headers["www-authenticate"] == "Bearer")
        #expect(spelled.json?["error"]?["type"] == "authentication_error" && spelled.json?["error"]?["status"] == 401)
        #expect(route.spelling(.json(["x": 1])) == .json(["x": 1]))
    }

    @Test func aDeviceAsksSoOften() async {
        for _ in 0..<600 { _ = await stage.ask("GET", "/v1/sessions") }
        let answer = await stage.ask("GET", "/v1/sessions")
        #expect(
            answer.status == .tooManyRequests && answer.headers["retry-after"] == "60" && answer.code == "rate_limited")
    }
}
