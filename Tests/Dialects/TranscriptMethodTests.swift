import Core
import Dialects
import OrderedJSON
import Services
import Testing
import Wire

/// The examples of the specification: the request goes in, and the result has the members and values that it shows.
@Suite struct TranscriptMethodTests {
    private let session = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
    private let transcripts = FakeTranscripts()

    private func reply(_ text: String, _ client: FakeClient = FakeClient()) async throws -> JSON {
        let payload = JSONRPC.decode(Array(text.utf8))
        let services = services(FakeDaemon(), transcripts)
        let bytes = await Dispatcher(services: services).reply(to: payload, from: client)
        let reply = try JSON(parsing: try #require(bytes))
        if let result = reply["result"], case .call(let message)? = payload.entries.first,
            let method = MethodTable(services)[message.method]
        {
            #expect(SchemaCheck.complaints(about: result, method.result) == [], "\(method.name)")
        }
        return reply
    }

    /// Every member of `wanted` is there with its value; objects and lists likewise. Others may be there.
    private func expect(_ found: JSON?, _ wanted: JSON, _ path: String = "$") {
        switch wanted {
        case .object(let object):
            for (key, value) in object { expect(found?[key], value, "\(path).\(key)") }
        case .array(let elements):
            #expect(found?.arrayValue?.count == elements.count, "\(path)")
            for (index, element) in elements.enumerated() {
                expect(found?.arrayValue?.dropFirst(index).first, element, "\(path)[\(index)]")
            }
        default: #expect(found == wanted, "\(path)")
        }
    }

    @Test func history() async throws {
        await transcripts.set { fake in
            fake.sessions = [
                ("a1b2c3d4-e5f6-7890-abcd-ef1234567890", "Refactored authentication module", 42, "feature/auth", 0.0),
                ("f9e8d7c6-b5a4-3210-fedc-ba0987654321", "Fixed bug in user profile", 15, "main", -72_600),
            ].map { id, title, messages, branch, seconds in
                var facts = TranscriptFacts()
                (facts.summary, facts.messages) = (title, Int64(messages))
                (facts.branch, facts.lastTime) = (branch, moment(seconds))
                return TranscriptSession(sessionID: id, facts: facts)
            }
        }
        let text =
            #"{"jsonrpc": "2.0", "id": 18, "method": "workspace/session/history", "params": {"workspace_id": "ws-abc123","limit": 20}}"#
        expect(
            try await reply(text),
            [
                "jsonrpc": "2.0", "id": 18,
                "result": [
                    "sessions": [
                        [
                            "session_id": .string(session), "summary": "Refactored authentication module",
                            "message_count": 42, "last_updated": "2026-11-20T10:30:00Z", "branch": "feature/auth",
                        ],
                        [
                            "session_id": "f9e8d7c6-b5a4-3210-fedc-ba0987654321",
                            "summary": "Fixed bug in user profile",
                            "message_count": 15, "last_updated": "2026-11-19T14:20:00Z", "branch": "main",
                        ],
                    ], "total": 2,
                ],
            ])
    }

    @Test func messages() async throws {
        await transcripts.set {
            $0.page = TranscriptPage(
                messages: [
                    transcriptMessage(1, .user, ["role": "user", "content": "Help me refactor this code"]),
                    transcriptMessage(
                        2, .assistant, ["role": "assistant", "content": [["type": "text", "text": "Sure"]]],
                        flags: [.meta]),
                ], total: 42)
        }
        let text = """
            {"jsonrpc": "2.0", "id": 19, "method": "workspace/session/messages", "params": {
              "workspace_id": "ws-abc123",
              "session_id": "\(session)",
              "limit": 50,
              "offset": 0,
              "order": "asc"
            }}
            """
        let reply = try await reply(text)
        expect(
            reply["result"],
            [
                "session_id": .string(session),
                "messages": [
                    [
                        "id": 1, "session_id": .string(session), "type": "user", "uuid": "msg-uuid-123",
                        "timestamp": "2026-11-20T10:30:01Z", "git_branch": "main",
                        "message": ["role": "user", "content": "Help me refactor this code"],
                        "is_context_compaction": false, "is_meta": false,
                    ],
                    [
                        "id": 2, "session_id": .string(session), "type": "assistant", "uuid": "msg-uuid-124",
                        "timestamp": "2026-11-20T10:30:02Z", "git_branch": "main",
                        "message": ["role": "assistant", "content": [["type": "text", "text": "Sure"]]],
                        "is_context_compaction": false, "is_meta": true,
                    ],
                ], "total": 42, "limit": 50, "offset": 0, "has_more": true,
            ])
        #expect(reply["result"]?["query_time_ms"]?.doubleValue != nil)
        #expect(await transcripts.queries.map(\.order) == [.ascending])
    }

    @Test func watchingBeginsAndEnds() async throws {
        let watch = """
            {"jsonrpc": "2.0", "id": 40, "method": "workspace/session/watch", "params": {
              "workspace_id": "ws-abc123",
              "session_id": "\(session)"
            }}
            """
        let state: JSON = ["workspace_id": "ws-abc123", "session_id": .string(session)]
        expect(try await reply(watch)["result"], ["status": "watching", "watching": true])
        let again = try await reply(watch)["result"]
        expect(again, state)
        let unwatch = #"{"jsonrpc": "2.0", "id": 41, "method": "workspace/session/unwatch", "params": {}}"#
        let ended = try await reply(unwatch)["result"]
        expect(ended, ["status": "unwatched", "watching": false])
        expect(ended, state)
        expect(try await reply(unwatch)["result"], ["status": "unwatched", "watching": false, "session_id": ""])
    }

    @Test func activate() async throws {
        let text = """
            {"jsonrpc": "2.0", "id": 42, "method": "workspace/session/activate",
             "params": {"workspace_id": "ws-abc123", "session_id": "\(session)"}}
            """
        expect(
            try await reply(text)["result"],
            [
                "success": true, "workspace_id": "ws-abc123", "session_id": .string(session),
                "message": "Session activated",
            ])
    }

    @Test func search() async throws {
        var facts = TranscriptFacts()
        facts.summary = "A session"
        let found = TranscriptSession(sessionID: "s1", facts: facts)
        await transcripts.set {
            $0.hits = [
                TranscriptHit(
                    session: found, agentID: nil, number: 7, kind: .assistant, uuid: "u", time: moment(0),
                    snippet: "the \u{202E}word")
            ]
        }
        let result = try await reply(call("session/search", ["query": "word"]))["result"]
        expect(
            result,
            [
                "hits": [
                    [
                        "session_id": "s1", "id": 7, "type": "assistant", "snippet": #"the \u{202E}word"#,
                        "summary": "A session",
                    ]
                ], "count": 1, "has_more": false, "incomplete": false,
            ])
    }

    @Test(
        arguments: [
            ("workspace/session/messages", [:], "\"session_id\" is required"),
            ("workspace/session/messages", ["session_id": "unknown"], "session not found"),
            ("workspace/session/messages", ["session_id": "s", "order": "up"], "\"order\""),
            ("workspace/session/messages", ["session_id": "s", "limit": 501], "\"limit\""),
            ("workspace/session/watch", ["session_id": "unknown"], "session not found"),
            ("workspace/session/activate", ["session_id": "unknown"], "session not found"),
            ("workspace/session/history", ["workspace_id": "ws-9"], "workspace not found"),
            ("session/search", ["query": ""], "\"query\" is required"),
            ("session/search", ["query": "w", "workspace_id": "ws-9"], "workspace not found"),
        ] as [(String, JSON, String)])
    func whatIsWrongIsSaid(method: String, params: JSON, words: String) async throws {
        let error = try await reply(call(method, params))["error"]
        #expect(error?["code"] == -32602)
        #expect(error?["message"]?.stringValue?.contains(words) == true, "\(String(describing: error))")
    }

    @Test func onlyAConnectionCanWatch() async throws {
        let error = try await reply(
            call("workspace/session/watch", ["session_id": "s"]), FakeClient(isFramed: false))["error"]
        #expect(error?["message"]?.stringValue?.contains("WebSocket") == true)
    }

    /// A frame is never larger than phones take, long texts are cut, and the page says where it ended.
    @Test func aPageEndsWhereTheFrameIsFull() async throws {
        let long = String(repeating: "long ", count: 40_000)
        await transcripts.set {
            $0.page = TranscriptPage(
                messages: (1...40).map { transcriptMessage($0, .user, ["role": "user", "content": .string(long)]) },
                total: 40)
        }
        let reply = try await reply(call("workspace/session/messages", ["session_id": "s", "limit": 40]))
        #expect(JSON.object(reply.objectValue ?? [:]).serialized().utf8.count <= FrameCeiling.bytes)
        let messages = try #require(reply["result"]?["messages"]?.arrayValue)
        #expect((10..<40).contains(messages.count))
        #expect(messages[0]["truncated"]?["$.message.content"] == 200_000)
        #expect(reply["result"]?["has_more"] == true)
        // A program of this machine gets more.
        let local = try await self.reply(
            call("workspace/session/messages", ["session_id": "s", "limit": 40]), FakeClient(isFramed: false))
        #expect(local["result"]?["messages"]?.arrayValue?.count == 40 && local["result"]?["has_more"] == false)
    }

    // MARK: Events

    private func event(_ body: LiveEvent.Body) throws -> JSON {
        let event = LiveEvent(at: moment(5), workspaceID: "ws-abc123", sessionID: "s1", body: body)
        let notification = try JSON(parsing: EventEncoder.encode(.live(event)))
        let complaints = SchemaCheck.complaints(
            about: try #require(notification["params"]), body.kind.notification.parameters)
        #expect(complaints == [])
        return notification
    }

    @Test func aMessageAsAnEvent() throws {
        let content: JSON = [
            ["type": "text", "text": "Here's how to refactor..."],
            ["type": "tool_use", "id": "tool-123", "name": "Edit", "input": ["file_path": "..."]],
        ]
        let notification = try event(
            .transcriptMessage(
                transcriptMessage(3, .assistant, ["role": "assistant", "model": "m", "content": content])))
        expect(
            notification,
            [
                "method": "event/claude_message",
                "params": [
                    "session_id": "s1", "workspace_id": "ws-abc123", "timestamp": "2026-11-20T10:30:05Z",
                    "type": "assistant", "role": "assistant",
                    "content": [
                        ["type": "text", "text": "Here's how to refactor..."],
                        ["type": "tool_use", "id": "tool-123", "name": "Edit", "input": #"{"file_path":"..."}"#],
                    ], "id": 3, "uuid": "msg-uuid-125", "is_meta": false,
                ],
            ])
    }

    /// A client tells a subagent's own transcript by this member: the number counts there.
    @Test(arguments: ["toolu_1", nil] as [String?]) func aMessageOfASubagentAsAnEvent(call: String?) throws {
        var message = transcriptMessage(3, .user, ["role": "user", "content": "hi"])
        #expect(try event(.transcriptMessage(message))["params"]?["parent_tool_use_id"] == nil)
        message.origin = SubagentOrigin(agentID: "x", toolUseID: call)
        let params = try event(.transcriptMessage(message))["params"]
        #expect(params?["agent_id"] == "x" && params?["id"] == 3)
        #expect(params?["parent_tool_use_id"] == call.map(JSON.string) ?? .null)
    }

    @Test func resultsAndPlainTextsAsEvents() throws {
        let result: JSON = [
            ["type": "tool_result", "tool_use_id": "t", "content": [["type": "text", "text": "a"]], "is_error": true]
        ]
        let first = try event(.transcriptMessage(transcriptMessage(1, .user, ["role": "user", "content": result])))
        expect(
            first["params"]?["content"],
            [["type": "tool_result", "tool_use_id": "t", "content": "a", "is_error": true]])
        let second = try event(.transcriptMessage(transcriptMessage(1, .user, ["role": "user", "content": "hi"])))
        expect(second["params"]?["content"], [["type": "text", "text": "hi"]])
    }

    @Test func aLargeMessageFitsIntoAFrame() throws {
        let text = String(repeating: "x", count: 3 << 20)
        let notification = try event(
            .transcriptMessage(transcriptMessage(1, .user, ["role": "user", "content": .string(text)])))
        #expect(notification.serialized().utf8.count <= FrameCeiling.bytes)
        #expect(notification["params"]?["truncated"]?["$.content[0].text"] == .number(JSONNumber(3 << 20)))
    }

    @Test func watchingAsAnEvent() throws {
        expect(
            try event(.sessionWatchChanged(client: "c1", isWatching: true)),
            [
                "method": "event/session_watch_changed",
                "params": ["client_id": "c1", "watching": true, "session_id": "s1", "workspace_id": "ws-abc123"],
            ])
    }
}
