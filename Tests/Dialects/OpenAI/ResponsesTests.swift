import Core
import OrderedJSON
import TestSupport
import Testing
import Wire

/// A turn in the words of OpenAI's Responses API.
@Suite(.timeLimit(.minutes(1))) struct ResponsesTests {
    private let stage = ChatStage()

    private func ask(_ input: JSON = "go", _ more: JSONObject = [:]) async -> HTTPResponse {
        var body: JSONObject = ["input": input]
        for (name, value) in more { body[name] = value }
        return await stage.ask("POST", "/v1/responses", .object(body))
    }

    @Test func aResponse() async throws {
        stage.says("Hello")
        let json = try #require(await ask("go", ["model": "claude/proj"]).json)
        #expect(json["object"] == "response" && json["status"] == "completed" && json["model"] == "claude/proj")
        #expect(json["error"] == .null && json["incomplete_details"] == .null && json["previous_response_id"] == .null)
        let item = try #require(json["output"]?.arrayValue?.first)
        #expect(item["type"] == "message" && item["role"] == "assistant" && item["status"] == "completed")
        #expect(item["content"] == [["type": "output_text", "text": "Hello", "annotations": [], "logprobs": []]])
        let usage = try #require(json["usage"])
        #expect(usage["input_tokens"] == 40 && usage["output_tokens"] == 2 && usage["total_tokens"] == 42)
        #expect(usage["input_tokens_details"]?["cached_tokens"] == 0)
    }

    @Test func itsEvents() async throws {
        stage.says("Hel", "lo")
        let answer = await ask("go", ["stream": true])
        let frames = answer.frames.compactMap(\.self)
        let types = frames.compactMap { $0["type"]?.stringValue }
        #expect(
            types.filter { $0 != "response.output_text.delta" } == [
                "response.created", "response.in_progress", "response.output_item.added",
                "response.content_part.added", "response.output_text.done", "response.content_part.done",
                "response.output_item.done", "response.completed",
            ])
        let names = answer.text.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { $0.dropFirst(7) }
        #expect(names.map(String.init) == types)
        #expect(frames.compactMap { $0["sequence_number"]?.intValue } == Array(0..<frames.count))
        #expect(Set(frames.compactMap { ($0["item_id"] ?? $0["item"]?["id"])?.stringValue }).count == 1)
        #expect(Set(frames.compactMap { $0["response"]?["id"]?.stringValue }).count == 1)
        #expect(frames.first?["response"]?["status"] == "in_progress" && frames.first?["response"]?["output"] == [])
        let whole = frames.last?["response"]
        #expect(
            whole?["usage"]?["total_tokens"] == 42
                && frames[frames.count - 2]["item"] == whole?["output"]?.arrayValue?.first)
    }

    @Test(arguments: [("max_turns", true, "max_output_tokens"), ("refusal", false, "content_filter")])
    func itsEnds(reason: String, isError: Bool, word: String) async {
        stage.says("x", end: .done(reason, isError: isError))
        let json = await ask().json
        #expect(json?["status"] == "incomplete" && json?["incomplete_details"]?["reason"]?.stringValue == word)
        #expect(await ask("go", ["stream": true]).text.contains("event: response.incomplete\n"))
    }

    @Test func theResponseBeforeNamesTheSession() async {
        stage.says("ok")
        let first = await ask().json
        _ = await ask()
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", hasConversation: true) }
        let second = await ask("more", ["previous_response_id": first?["id"] ?? .null]).json
        #expect(second?["session_id"] == "s_1" && second?["previous_response_id"] == first?["id"])
        #expect(second?["id"] != first?["id"] && stage.runs.prompts.last?.blocks == [.text("more")])
        let both = await ask("x", ["previous_response_id": first?["id"] ?? .null, "session_id": "s_2"])
        #expect(both.status == .badRequest && both.param == "session_id")
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", life: .ended(.stopped)) }
        let ended = await ask("x", ["previous_response_id": first?["id"] ?? .null])
        #expect(ended.code == "previous_response_not_found", "\(ended.text)")
    }

    @Test(arguments: ["resp_68a1", "resp_s_", "resp_s__p", "resp_s_none_p", "s_1", "resp_s_1", "resp_s_1_"])
    func aResponseThatIsNotKnownIsSaidToBe(id: String) async {
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1") }
        let answer = await ask("x", ["previous_response_id": .string(id)])
        #expect(answer.status == .badRequest && answer.code == "previous_response_not_found")
        #expect(answer.param == "previous_response_id" && stage.runs.calls == [])
    }

    static let read: [(JSON, [PromptBlock])] = [
        ("go", [.text("go")]),
        ([["role": "user", "content": "go"]], [.text("go")]),
        (
            [
                [
                    "type": "message", "role": "user",
                    "content": [
                        ["type": "input_text", "text": "what"],
                        ["type": "input_image", "image_url": "data:image/png;base64,QUJD", "detail": "auto"],
                    ],
                ]
            ],
            [.text("what"), .image(mediaType: "image/png", data: "QUJD")]
        ),
        (
            [
                ["role": "user", "content": "old"], ["type": "reasoning", "summary": []],
                ["type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"],
                ["type": "function_call_output", "call_id": "c", "output": "found"],
                ["type": "reasoning", "summary": []],
                ["role": "user", "content": "new"],
            ], [.text("new")]
        ),
    ]

    @Test(arguments: read) func aRequestIsRead(input: JSON, prompt: [PromptBlock]) async {
        stage.says("ok")
        stage.runs.state.withLock { $0.sessions["s_1"] = .made("s_1", hasConversation: true) }
        let answer = await ask(input, ["session_id": "s_1"])
        #expect(answer.status == .ok && stage.runs.prompts.last?.blocks == prompt, "\(answer.text)")
    }

    @Test func theInstructionsAreToldAtFirst() async {
        stage.says("ok")
        _ = await ask(
            [["role": "developer", "content": "be kind"], ["role": "user", "content": "go"]],
            ["instructions": "be brief"])
        guard case .text(let told)? = stage.runs.prompts.last?.blocks.first else {
            Issue.record("nothing was told")
            return
        }
        #expect(told.contains("be brief\n\nbe kind"))
    }

    static let bad: [(JSONObject, String)] = [
        (["input": ""], "input"), (["input": []], "input"), (["input": .null], "input"), (["input": 7], "input"),
        (["input": [["role": "assistant", "content": "x"]]], "input"),
        (["input": [["type": "function_call_output", "output": "x"]]], "input"),
        (["input": [["role": "cat", "content": "x"]]], "input[0].role"), (["input": [7]], "input[0].content"),
        (["input": [["type": "item_reference", "id": "msg_1"]]], "input[0].type"),
        (["input": [["role": "user", "content": [["type": "input_file"]]]]], "input[0].content"),
        (["input": [["role": "user", "content": [["type": "input_image", "file_id": "f"]]]]], "input[0].content"),
        (["instructions": 7], "instructions"), (["tool_choice": "required"], "tool_choice"),
        (["text": ["format": ["type": "json_object"]]], "text"), (["background": true], "background"),
        (["conversation": "conv_1"], "conversation"), (["prompt": ["id": "p"]], "prompt"),
        (["previous_response_id": 7], "previous_response_id"), (["model": "a b"], "model"),
    ]

    @Test(arguments: bad) func whatCannotBeReadIsRefused(more: JSONObject, param: String) async {
        let answer = await ask("go", more)
        #expect(answer.status == .badRequest && answer.param == param, "\(answer.text)")
        #expect(stage.runs.calls == [])
    }

    @Test func whatHasNoMeaningHereIsIgnored() async {
        stage.says("ok")
        let answer = await ask(
            "go",
            [
                "temperature": 0, "store": true, "max_output_tokens": 5, "include": [], "reasoning": ["effort": "low"],
                "tools": [[:]], "tool_choice": "auto", "truncation": "auto", "text": ["verbosity": "low"],
                "background": false, "stream_options": ["include_obfuscation": false], "metadata": ["k": "v"],
            ])
        #expect(answer.status == .ok, "\(answer.text)")
    }
}
