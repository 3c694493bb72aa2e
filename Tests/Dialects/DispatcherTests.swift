import Core
import Dialects
import OrderedJSON
import Testing
import Wire

@Suite struct DispatcherTests {
    private let table = MethodTable(services())

    @Test func methodsAndEventNamesAreSorted() {
        let names = table.methods.map(\.name)
        #expect(names == names.sorted())
        #expect(EventKind.wireNames == EventKind.wireNames.sorted())
        for method in table.methods {
            let parameters = method.parameters.map(\.name)
            #expect(parameters == parameters.sorted() && Set(parameters).count == parameters.count, "\(method.name)")
            #expect(!method.summary.isEmpty && method.parameters.allSatisfy { !$0.summary.isEmpty }, "\(method.name)")
        }
    }

    /// A method that two groups declare would be found in one of them only.
    @Test func groupsAreDisjointAndSorted() {
        let groups = MethodTable.groups(services()).map { $0.methods.map(\.name) }
        for group in groups { #expect(group == group.sorted() && !group.isEmpty) }
        let names = groups.flatMap { $0 }
        #expect(Set(names).count == names.count && names.count == table.methods.count)
    }

    @Test(arguments: [
        (
            #"{"jsonrpc":"2.0","id":"a","method":"status/health"}"#,
            #"{"jsonrpc":"2.0","id":"a","result":{"status":"ok","uptime_seconds":75}}"#
        ),
        (
            #"{"jsonrpc":"2.0","id":1.50,"method":"initialized","params":null}"#,
            #"{"jsonrpc":"2.0","id":1.50,"result":{}}"#
        ),
        (
            #"{"jsonrpc":"2.0","id":3,"method":"permission/stats"}"#,
            #"{"jsonrpc":"2.0","id":3,"result":{"active_sessions":0,"total_patterns":0,"pending_requests":0,"approvers":1,"agent_refusals":0,"last_agent_refusal":null,"denies_ignored":0,"next_sequence":1,"store_failure":null}}"#
        ),
        (
            #"[{"jsonrpc":"2.0","id":1,"method":"initialized"},{"jsonrpc":"2.0","method":"initialized"},{"jsonrpc":"2.0","id":2,"method":"initialized"}]"#,
            #"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]"#
        ),
    ])
    func answers(request: String, expected: String) async throws {
        #expect(try await answer(request, FakeDaemon())?.serialized() == expected)
    }

    /// What is slow must not hold up a decision, nor what is large; all others keep their order.
    @Test func schedulesOnlyTheseOtherwiseThanInOrder() {
        let others = table.methods.filter { $0.scheduling != .inOrder }.map { ($0.name, $0.scheduling) }
        let beside = Scheduling.beside(limit: 64)
        let git = table.methods.map(\.name).filter { $0.hasPrefix("git/") || $0.hasPrefix("workspace/git/") }
        let besides = [
            "file/get", "file/list", "hook/sessions", "notify/test", "permission/history", "permission/pending",
            "permission/preview", "session/elsewhere", "session/search", "workspace/add", "workspace/discover",
            "workspace/file/get",
            "workspace/files/list", "workspace/files/unwatch", "workspace/files/watch", "workspace/get",
            "workspace/list", "workspace/session/history", "workspace/session/messages", "workspace/status",
        ]
        let offLoop = [
            "permission/rules", "rpc.discover", "workspace/session/activate", "workspace/session/unwatch",
            "workspace/session/watch",
        ]
        var expected: [(String, Scheduling)] = (besides + git).map { ($0, beside) }
        expected += offLoop.map { ($0, .inOrderOffLoop) } + [("events/since", .waits(seconds: "wait"))]
        expected.sort { $0.0 < $1.0 }
        #expect(others.map(\.0) == expected.map(\.0) && others.map(\.1) == expected.map(\.1))
    }

    @Test(
        arguments: [
            (call("status/get"), .inOrder), (call("no/such"), .inOrder), ("{", .inOrder),
            (call("permission/rules"), .inOrderOffLoop), (call("permission/pending"), .beside(limit: 64)),
            (call("events/since"), .inOrderOffLoop), (call("events/since", ["wait": 0]), .inOrderOffLoop),
            (call("events/since", ["wait": "1"]), .inOrderOffLoop),
            (call("events/since", ["wait": 1]), .waits(seconds: "wait")),
            (batch(of: call("status/get"), 8), .inOrder), (batch(of: call("status/get"), 9), .inOrderOffLoop),
            (batch(of: call("events/since", ["wait": 1]), 1), .inOrderOffLoop),
            (batch(of: call("permission/pending"), 9), .beside(limit: 64)),
        ] as [(String, Scheduling)])
    func schedulesAMessage(_ text: String, expected: Scheduling) {
        #expect(dispatcher(FakeDaemon()).scheduling(of: JSONRPC.decode(Array(text.utf8))) == expected)
    }

    /// Of a thousand answers each may be megabytes.
    @Test func readsNoMoreForABatchWhoseAnswersAreLarge() async throws {
        let daemon = FakeDaemon()
        await daemon.set { $0.open = [heldRequest(input: ["command": .string(String(repeating: "x", count: 50_000))])] }
        let methods = ["permission/pending", "permission/pending", "permission/pending", "token/create"]
        let calls = methods.enumerated().map { call($1, $1 == "token/create" ? ["name": "t"] : [:], id: $0) }
        let payload = JSONRPC.decode(Array("[\(calls.joined(separator: ","))]".utf8))
        let dispatcher = dispatcher(daemon, mostAnswered: 150_000)
        let client = FakeClient(isFramed: false)
        let bytes = try #require(await dispatcher.reply(to: payload, from: client))
        let answers = try #require(try JSON(parsing: bytes).arrayValue)
        #expect(answers.map { $0["result"] != nil } == [true, true, false, true])
        #expect(answers[2]["error"]?["message"]?.stringValue?.contains("ask again by itself") == true)
        #expect(answers[3]["result"]?["token"] != nil, "what changes something is done")
    }

    /// Who has left wants no answer, but what he decided counts.
    @Test func readsNothingForWhoHasLeft() async throws {
        let calls = [call("permission/pending", id: 1), call("token/create", ["name": "t"], id: 2)]
        let payload = JSONRPC.decode(Array("[\(calls.joined(separator: ","))]".utf8))
        let dispatcher = dispatcher(FakeDaemon())
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await dispatcher.reply(to: payload, from: FakeClient())
        }
        let answers = try JSON(parsing: try #require(await work.value)).arrayValue
        #expect(answers?.map { $0["result"] != nil } == [false, true])
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"status/health"}"#, #"{"jsonrpc":"2.0","method":"no/such"}"#,
        #"[{"jsonrpc":"2.0","method":"initialized"}]"#,
    ])
    func saysNothingToNotifications(request: String) async throws {
        #expect(try await answer(request, FakeDaemon()) == nil)
    }

    @Test(arguments: [
        ("{", -32700, "not JSON"), ("[]", -32600, "empty batch"), ("7", -32600, "object"),
        (#"{"id":1,"method":"x"}"#, -32600, "jsonrpc"), (call("no/such"), -32601, "rpc.discover"),
        (call("permission/pending", [1]), -32602, "object"),
        (call("permission/pending", ["session_id": 7]), -32602, "session_id"),
        (call("permission/pending", ["offset": -1]), -32602, "offset"),
        (call("permission/respond", [:]), -32602, "decision"),
        (call("permission/respond", ["decision": "allow"]), -32602, "request_id"),
        (call("permission/respond", ["decision": "pass", "request_id": "r"]), -32602, #""allow", "ask", "deny""#),
        (call("permission/respond", ["decision": "allow", "request_id": "r", "scope": "path"]), -32602, "once"),
        (
            call("permission/respond", ["decision": "allow", "request_id": "r", "updated_input": "x"]), -32602,
            "updated_input"
        ),
        (call("permission/respond", ["decision": "allow", "request_id": "r", "answers": ["q": 1]]), -32602, "answers"),
        (call("permission/respond", ["responses": []]), -32602, "1 to 1000"),
        (
            call("permission/respond", ["responses": [["decision": "allow", "request_id": "r", "scope": "session"]]]),
            -32602, "once"
        ),
        (
            call("permission/respond", ["responses": [["decision": "allow", "request_id": "r"], 7]]), -32602,
            "responses[1]"
        ),
        (call("permission/revoke", [:]), -32602, "rule_id"),
        (call("permission/revoke", ["rule_id": "nope"]), -32603, "no rule"),
        (call("permission/pending", ["request_id": "nope"]), -32603, "request_id"),
        (call("permission/history", ["since": "yesterday"]), -32602, "2026-11-20T10:30:00Z"),
        (call("permission/history", ["since": "2026-02-29T00:00:00Z"]), -32602, "since"),
        (call("permission/history", ["cursor": "x"]), -32602, "next"),
        (call("permission/history", ["limit": 1001]), -32602, "1 to 1000"),
        (call("events/since", ["sequence": "1"]), -32602, "sequence"),
        (call("token/create", [:]), -32602, "name"), (call("token/revoke", ["name": "x"]), -32602, "no device"),
    ])
    func saysWhatToSend(request: String, code: Int, word: String) async throws {
        let error = try #require(try await answer(request, FakeDaemon())?["error"])
        #expect(error["code"]?.intValue == code)
        #expect(error["message"]?.stringValue?.contains(word) == true, "\(error.serialized())")
    }

    @Test(arguments: [
        call("permission/pending", ["session_id": nil, "offset": nil, "request_id": nil]),
        call("permission/history", ["since": nil, "decision": nil, "limit": nil, "query": nil, "cursor": nil]),
        call("events/since", ["approver": nil, "wait": nil]), call("initialize", ["capabilities": nil]),
    ])
    func takesNullAsLeftOut(request: String) async throws {
        #expect(try await answer(request, FakeDaemon())?["result"] != nil)
    }

    @Test func refusesWithoutTheRightAndReportsIt() async throws {
        let daemon = FakeDaemon()
        let agent = FakeClient(rights: .agent)
        for method in ["permission/respond", "permission/revoke", "token/create", "token/list", "token/revoke"] {
            let error = try await answer(call(method), daemon, agent)?["error"]
            #expect(error?["code"]?.intValue == -32600)
            #expect(error?["data"]?["refused"]?.stringValue != nil, "\(method)")
        }
        #expect(try await answer(call("permission/pending"), daemon, agent)?["result"] != nil)
        #expect(await daemon.refusals.count == 5)
        #expect(await daemon.responses.isEmpty)
        let nobody = FakeClient(rights: [])
        #expect(try await answer(call("status/health"), daemon, nobody)?["result"] != nil)
        #expect(try await answer(call("status/get"), daemon, nobody)?["error"] != nil)
    }

    @Test func introducesTheClient() async throws {
        let client = FakeClient()
        let params: JSON = [
            "protocolVersion": "1.0", "clientInfo": ["name": "phone", "version": "2"],
            "capabilities": ["approver": false],
        ]
        let result = try #require(try await answer(call("initialize", params), FakeDaemon(), client)?["result"])
        #expect(result["protocolVersion"] == "1.0" && result["clientId"] == "client-1")
        #expect(result["serverInfo"] == ["name": "cdev", "version": "9.9"])
        #expect(result["capabilities"]?["agent"]?["run"] == true && result["capabilities"]?["file"]?["get"] == true)
        #expect(await client.introductions == [ClientIntroduction(name: "phone", version: "2", isApprover: false)])
    }

    @Test func describesEveryMethod() async throws {
        let document = try #require(try await answer(call("rpc.discover"), FakeDaemon())?["result"])
        let names = document["methods"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
        #expect(names == table.methods.map(\.name))
        #expect(document["openrpc"]?.stringValue?.hasPrefix("1.") == true)
        let parameters = document["methods"]?.arrayValue?.flatMap { $0["params"]?.arrayValue ?? [] } ?? []
        #expect(parameters.allSatisfy { $0["schema"]?.objectValue?.isEmpty == false && $0["description"] != nil })
    }

    @Test func keepsABatchBelowTheFrameCeiling() async throws {
        let daemon = FakeDaemon()
        let input: JSON = ["command": .string(String(repeating: "x", count: 900_000))]
        await daemon.set { $0.open = [heldRequest(input: input)] }
        let calls = (1...3).map { call("permission/pending", id: $0) }.joined(separator: ",")
        let answers = try #require(try await answer("[\(calls)]", daemon))
        #expect(answers.serialized().utf8.count <= 1 << 20)
        #expect(answers.arrayValue?.first?["result"] != nil)
        #expect(answers.arrayValue?.last?["error"]?["message"]?.stringValue?.contains("fewer requests") == true)
        let many = "[" + Array(repeating: #"{"id":1}"#, count: 20_000).joined(separator: ",") + "]"
        #expect(try #require(try await answer(many, daemon)).serialized().utf8.count <= 1 << 20)
        let longID = #"{"jsonrpc":"2.0","id":"\#(String(repeating: "i", count: 1 << 20))","method":"initialized"}"#
        #expect(try #require(try await answer(longID, daemon)).serialized().utf8.count <= 1 << 20)
    }
}
