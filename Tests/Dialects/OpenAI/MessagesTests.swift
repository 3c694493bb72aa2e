import Core
import OrderedJSON
import TestSupport
import Testing
import Wire

/// A turn in the words of Anthropic's Messages API.
@Suite(.timeLimit(.minutes(1))) struct MessagesTests {
    private let stage = ChatStage()

    private func ask(_ messages: JSON = [["role": "user", "content": "go"]], _ more: JSONObject = [:]) async
        -> HTTPResponse
    {
        var body: JSONObject = ["messages": messages]
        for (name, value) in more { body[name] = value }
        return await stage.ask("POST", "/v1/messages", .object(body))
    }

    @Test func aMessage() async throws {
        stage.says("Hello")
        let answer = await ask([["role": "user", "content": "go"]], ["model": "claude/proj", "max_tokens": 9])
        let json = try #require(answer.json)
        #expect(json["type"] == "message" && json["role"] == "assistant" && json["model"] == "claude/proj")
        #expect(json["content"] == [["type": "text", "text": "Hello"]])
        #expect(json["stop_reason"] == "end_turn" && json["stop_sequence"] == .null)
        #expect(json["usage"]?["input_tokens"] == 40 && json["usage"]?["output_tokens"] == 2)
        #expect(json["usage"]?["total_cost"]?.doubleValue == 0.5)
    }

    @Test func itsEvents() async throws {
        stage.says("Hel", "lo")
        let answer = await ask([["role": "user", "content": "go"]], ["stream": true])
        let frames = answer.frames.compactMap(\.self)
        let types = frames.compactMap { $0["type"]?.stringValue }
        #expect(types.first == "message_start" && types.dropFirst().first == "content_block_start")
        #expect(types.suffix(3) == ["content_block_stop", "message_delta", "message_stop"])
        #expect(types.filter { $0 == "content_block_delta" }.count >= 1)
        let names = answer.text.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { $0.dropFirst(7) }
        #expect(names.map(String.init) == types, "the clients go by the events' names")
        let message = try #require(frames.first?["message"])
        #expect(message["id"]?.stringValue?.hasPrefix("msg_") == true && message["content"] == [])
        #expect(message["session_id"] == "s_1" && message["usage"]?["output_tokens"] == 0)
        let delta = frames[frames.count - 2]
        #expect(delta["delta"]?["stop_reason"] == "end_turn" && delta["usage"]?["input_tokens"] == 40)
    }

    @Test(arguments: [("max_turns", true, "max_tokens"), ("refusal", false, "refusal")])
    func itsEnds(reason: String, isError: Bool, word: String) async {
        stage.says("x", end: .done(reason, isError: isError))
        #expect(await ask().json?["stop_reason"]?.stringValue == word)
    }

    @Test func aQuestionIsWaitedFor() async throws {
        let pending = Pending()
        let body: JSON = ["messages": [["role": "user", "content": "go"]], "stream": true]
        let (answer, tell, prompt) = try await stage.waiting {
            await $0.ask("POST", "/v1/messages", body, via: pending)
        }
        tell(.works(isAsking: true))
        while !pending.text.contains("event: ping\ndata: {\"type\":\"ping\"}\n\n") { try await letOthersRun() }
        tell(.turnEnd(.done(), agentID: "a1"))
        tell(.promptEnd(prompt, .completed, agentID: "a1"))
        tell(.changed(.made("s_1")))
        #expect(await answer.value.text.contains("message_stop"))
    }

    static let read: [(JSON, [PromptBlock])] = [
        (
            [["role": "user", "content": [["type": "text", "text": "a"], ["type": "text", "text": "b"]]]],
            [.text("a"), .text("b")]
        ),
        (
            [
                [
                    "role": "user",
                    "content": [
                        ["type": "image", "source": ["type": "base64", "media_type": "image/png", "data": "QUJD"]]
                    ],
                ]
            ],
            [.image(mediaType: "image/png", data: "QUJD")]
        ),
        // Calls, their results and thoughts are in no prompt; what the user says behind a result is.
        (
            [
                ["role": "user", "content": "old"],
                [
                    "role": "assistant",
                    "content": [["type": "thinking", "thinking": "hm"], ["type": "tool_use", "id": "t"]],
                ],
                [
                    "role": "user",
                    "content": [
                        ["type": "tool_result", "tool_use_id": "t", "content": "found"],
                        ["type": "text", "text": "new"],
                    ],
                ],
            ], [.text("new")]
        ),
        (
            [
                ["role": "user", "content": "old"],
                [
                    "role": "user",
                    "content": [["type": "tool_result", "tool_use_id": "t"], ["type": "text", "text": "new"]],
                ],
            ], [.text("new")]
        ),
    ]

    @Test(arguments: read) func aRequestIsRead(messages: JSON, prompt: [PromptBlock]) async {
        stage.says("ok")
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", hasConversation: true) }
        let answer = await ask(messages, ["session_id": "s_1"])
        #expect(answer.status == .ok && stage.runs.prompts.last?.blocks == prompt, "\(answer.text)")
    }

    @Test(
        arguments: ["be brief", [["type": "text", "text": "be brief", "cache_control": ["type": "ephemeral"]]]]
            as [JSON])
    func theSystemIsToldAtFirst(system: JSON) async {
        stage.says("ok")
        let messages: JSON = [
            ["role": "user", "content": "old"],
            ["role": "assistant", "content": [["type": "tool_use", "id": "t"], ["type": "text", "text": "look"]]],
            ["role": "user", "content": [["type": "tool_result", "content": [["type": "text", "text": "found"]]]]],
            ["role": "user", "content": "new"],
        ]
        _ = await ask(messages, ["system": system])
        guard case .text(let told)? = stage.runs.prompts.last?.blocks.first else {
            Issue.record("nothing was told")
            return
        }
        for words in ["be brief", "[user]\nold", "[assistant]\nlook", "[tool]\nfound"] { #expect(told.contains(words)) }
    }

    static let bad: [(JSONObject, String)] = [
        (["messages": [["role": "user", "content": ""]]], "messages"), (["messages": []], "messages"),
        (["messages": [["role": "user", "content": "x"], ["role": "assistant", "content": "{"]]], "messages"),
        (["messages": [["role": "user", "content": [["type": "tool_result", "content": []]]]]], "messages"),
        (["messages": [["role": "tool", "content": "x"]]], "messages[0].role"),
        (["messages": [7]], "messages[0].content"),
        (["messages": [["role": "user", "content": [["type": "document"]]]]], "messages[0].content"),
        (["messages": [["role": "user", "content": [["type": "text"]]]]], "messages[0].content"),
        (
            [
                "messages": [
                    ["role": "user", "content": [["type": "image", "source": ["type": "url", "url": "http://x/"]]]]
                ]
            ],
            "messages[0].content"
        ),
        (
            [
                "messages": [
                    [
                        "role": "user",
                        "content": [
                            ["type": "image", "source": ["type": "base64", "media_type": "image/svg", "data": "QUJD"]]
                        ],
                    ]
                ]
            ],
            "messages[0].content"
        ),
        (
            [
                "messages": [
                    [
                        "role": "user",
                        "content": [
                            ["type": "image", "source": ["type": "base64", "media_type": "image/png", "data": "no!"]]
                        ],
                    ]
                ]
            ],
            "messages[0].content"
        ),
        (["system": 7], "system"), (["system": [["type": "image"]]], "system"), (["stream": "yes"], "stream"),
        (["model": "--help"], "model"), (["tool_choice": ["type": "any"]], "tool_choice"),
        (["tool_choice": ["type": "tool", "name": "x"]], "tool_choice"), (["session_id": [:]], "session_id"),
        (["output_config": ["format": ["type": "json_schema"]]], "output_config"),
    ]

    @Test(arguments: bad) func whatCannotBeReadIsRefused(more: JSONObject, param: String) async {
        let answer = await ask([["role": "user", "content": "go"]], more)
        let error = answer.json?["error"]
        #expect(answer.status == .badRequest && error?["details"]?["param"]?.stringValue == param, "\(answer.text)")
        #expect(answer.json?["type"] == "error" && error?["type"] == "invalid_request_error")
        #expect(stage.runs.calls == [])
    }

    @Test func whatHasNoMeaningHereIsIgnored() async {
        stage.says("ok")
        let answer = await ask(
            [["role": "user", "content": "go"]],
            [
                "temperature": 0, "top_k": 1, "stop_sequences": ["x"], "thinking": ["type": "enabled"], "tools": [[:]],
                "tool_choice": ["type": "auto"], "output_config": ["effort": "low"], "metadata": ["user_id": "u"],
            ])
        #expect(answer.status == .ok, "\(answer.text)")
    }
}
