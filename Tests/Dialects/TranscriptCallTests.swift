import Core
import Dialects
import OrderedJSON
import Services
import Testing
import Wire

/// A call in a transcript is described as on its card, and a change as in a preview, so that no client has to know the
/// tools of an agent.
@Suite struct TranscriptCallTests {
    private let use: JSONObject = ["type": "tool_use", "id": "t", "name": "run_it", "input": ["line": "ls"]]
    private let description: JSONObject = [
        "kind": "shell_command", "members": ["command": "line"], "title": "Run a command",
    ]
    private let result: JSONObject = ["type": "tool_result", "tool_use_id": "t", "content": "done", "is_error": false]
    private static let shown: JSON = [["op": " ", "text": "a"], ["op": "+", "text": #"\u{202E}b"#]]
    private let difference: JSON = [
        "kind": "diff", "path": "/p/a",
        "hunks": [["old_start": 3, "new_start": 4, "lines": TranscriptCallTests.shown]], "added": 1, "removed": 0,
        "more": 0,
    ]

    private var called: TranscriptMessage {
        let tool = Tool(name: "run_it", kind: .shellCommand, members: [.command: "line"], title: "Run a command")
        let other: JSON = ["type": "tool_use", "id": "o", "name": "other", "input": [:]]
        return transcriptMessage(
            1, .assistant, ["role": "assistant", "content": [["type": "text", "text": "So"], .object(use), other]],
            tools: [tool])
    }

    private func changed(_ lines: [LineDiff.Line]) -> TranscriptMessage {
        let hunk = LineDiff.Hunk(oldStart: 3, newStart: 4, lines: lines)
        return transcriptMessage(
            2, .user, ["role": "user", "content": [.object(result)]],
            change: FileDifference(path: "/p/a", lines: LineDiff(hunks: [hunk])))
    }

    private let lines: [LineDiff.Line] = [.init(.kept, "a"), .init(.added, "\u{202E}b")]

    private func page(_ messages: [TranscriptMessage]) async throws -> [JSON] {
        let transcripts = FakeTranscripts()
        await transcripts.set { $0.page = TranscriptPage(messages: messages, total: Int64(messages.count)) }
        let payload = JSONRPC.decode(Array(call("workspace/session/messages", ["session_id": "s"]).utf8))
        let dispatcher = Dispatcher(services: services(FakeDaemon(), transcripts))
        let reply = try JSON(parsing: try #require(await dispatcher.reply(to: payload, from: FakeClient())))
        return try #require(reply["result"]?["messages"]?.arrayValue)
    }

    private func event(_ message: TranscriptMessage) throws -> JSON {
        let event = LiveEvent(
            at: moment(5), workspaceID: "w", sessionID: "s", body: .transcriptMessage(message))
        return try JSON(parsing: EventEncoder.encode(.live(event)))
    }

    private func with(_ block: JSONObject, _ more: JSONObject) -> JSON {
        .object(JSONObject(block.map { ($0.key, $0.value) } + more.map { ($0.key, $0.value) }))
    }

    @Test func callsAreDescribed() async throws {
        let other: JSON = ["type": "tool_use", "id": "o", "name": "other", "input": [:]]
        let found = try await page([called, changed(lines)])
        #expect(
            found[0]["message"]?["content"] == [["type": "text", "text": "So"], with(use, description), other])
        #expect(found[1]["message"]?["content"] == [with(result, ["difference": difference])])
    }

    @Test func callsOfAnEventToo() throws {
        var use = use
        use["input"] = #"{"line":"ls"}"#
        #expect(try event(called)["params"]?["content"]?.arrayValue?.dropFirst().first == with(use, description))
        #expect(
            try event(changed(lines))["params"]?["content"] == [with(result, ["difference": difference])])
    }

    /// It never takes the place of the words beside it.
    @Test func aLargeChangeIsCut() async throws {
        let large = changed((0..<20_000).map { .init(.added, "line \($0)") })
        let message = try #require(try await page([large]).first)
        let block = message["message"]?["content"]?.arrayValue?.first
        #expect(block?["content"] == "done" && message["truncated"] == nil)
        #expect(block?["difference"]?["added"] == 20_000)
        #expect((block?["difference"]?["more"]?.intValue ?? 0) > 10_000)
        #expect(try event(large).serialized().utf8.count <= FrameCeiling.bytes)
    }
}
