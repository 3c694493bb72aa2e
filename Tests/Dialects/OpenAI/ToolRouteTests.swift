import Core
import Dialects
import OrderedJSON
import Services
import TestSupport
import Testing
import Wire

/// Servers of tools and their tools, as the agents tell of them.
@Suite(.timeLimit(.minutes(1))) struct ToolRouteTests {
    private let stage = ChatStage()

    private static let web = ToolServerStatus(
        name: "my web", state: .connected, scope: "user", transport: "http",
        tools: [
            ToolServerStatus.Tool(name: "peek", isReadOnly: true), ToolServerStatus.Tool(name: "poke"),
        ])
    private static let broken = ToolServerStatus(name: "broken", state: .failed, failure: "no such file")

    private func run(_ id: String, in workspace: String = "ws-1", _ servers: [ToolServerStatus]) {
        stage.runs.state.withLock { state in
            state.sessions[id] = .made(id, in: workspace)
            state.servers[id] = servers
        }
    }

    private func ids(_ answer: HTTPResponse, _ list: String) -> [String] {
        (answer.json?[list]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    }

    @Test func eachServerOnce() async throws {
        run("s_1", [ToolServerStatus(name: "my web", state: .pending), Self.broken])
        run("s_2", in: "ws-2", [Self.web])
        stage.runs.state.withLock { state in
            state.sessions["s_3"] = .made("s_3", life: .parked)
            state.servers["s_3"] = [ToolServerStatus(name: "of nobody", state: .connected)]
        }
        let answer = await stage.ask("GET", "/v1/mcp/servers")
        #expect(answer.status == .ok && ids(answer, "servers") == ["broken", "my web"])
        let web = try #require(answer.json?["servers"]?.arrayValue?.last)
        #expect(web["session_id"] == "s_2" && web["status"] == "connected" && web["tool_count"] == 2)
        let first = await stage.ask("GET", "/v1/mcp/servers?project_id=ws-1")
        #expect(first.json?["servers"]?.arrayValue?.last?["status"] == "pending")
        #expect(first.json?["servers"]?.arrayValue?.first?["error"] == "no such file")
        #expect(ids(await stage.ask("GET", "/v1/mcp/servers?session_id=s_2"), "servers") == ["my web"])
        let page = await stage.ask("GET", "/v1/mcp/servers?limit=1")
        #expect(ids(page, "servers") == ["broken"] && page.json?["next_cursor"] == "broken")
    }

    @Test func theToolsOfAServer() async throws {
        run("s_1", [Self.broken, Self.web])
        let answer = await stage.ask("GET", "/v1/mcp/servers/my%20web/tools")
        #expect(ids(answer, "tools") == ["my web/peek", "my web/poke"])
        let tool = try #require(answer.json?["tools"]?.arrayValue?.first)
        #expect(tool["read_only"] == true && tool["server_id"] == "my web" && tool["name"] == "peek")
        #expect(ids(await stage.ask("GET", "/v1/mcp/servers/broken/tools"), "tools") == [])
        #expect(await stage.ask("GET", "/v1/mcp/servers/nobody/tools").code == "not_found")
        #expect(await stage.ask("GET", "/v1/mcp/servers/broken/tools?session_id=s_9").code == "not_found")
    }

    @Test func theToolsOfASession() async {
        run("s_1", [Self.broken, Self.web])
        let answer = await stage.ask("GET", "/v1/sessions/s_1/tools")
        #expect(ids(answer, "servers") == ["broken", "my web"] && ids(answer, "tools").count == 2)
        #expect(await stage.ask("GET", "/v1/sessions/s_9/tools").code == "not_found")
        #expect(await stage.ask("GET", "/v1/sessions/s_1").json?["session_id"] == "s_1", "another path")
    }

    /// What is may be asked for; nothing is changed.
    @Test(
        arguments: [
            ([:], nil), (["enabled_servers": ["my web"]], nil),
            (["enabled_tools": ["my web/poke", "my web/peek"]], nil),
            (["priority": [], "audit_log": true], nil), (["enabled_servers": []], "enabled_servers"),
            (["enabled_servers": ["my web", "broken"]], "enabled_servers"),
            (["enabled_tools": ["peek"]], "enabled_tools"),
            (["enabled_servers": "my web"], "enabled_servers"), (["enabled_tools": [7]], "enabled_tools"),
            (["priority": ["my web/peek"]], "priority"), (["audit_log": false], "audit_log"),
            (["audit_log": 1], "audit_log"),
        ] as [(JSON, String?)])
    func aWish(body: JSON, param: String?) async {
        run("s_1", [Self.broken, Self.web])
        let answer = await stage.ask("POST", "/v1/sessions/s_1/tools", body)
        #expect(answer.status == (param == nil ? .ok : .badRequest) && answer.param == param, "\(answer.text)")
    }

    @Test func whoMay() async {
        run("s_1", [Self.web])
        func sender(_ rights: Set<Right>) -> Sender {
            Sender(
                caller: Caller(identity: .device(id: "d_1", name: "chat"), rights: rights), address: "203.0.113.9",
                isLocal: false, connection: 3)
        }
        for rights in [[Right.read], [.read, .decide]] as [Set<Right>] {
            #expect(await stage.ask("POST", "/v1/sessions/s_1/tools", [:], from: sender(rights)).code == "forbidden")
            #expect(await stage.ask("GET", "/v1/sessions/s_1/tools", from: sender(rights)).status == .ok)
        }
    }

    @Test(arguments: [
        (RunSessionFailure.unanswered, 503, "unanswered"),
        (.refused(.notRunning, session: "s_1"), 409, "not_running"),
        (.refused(.starting, session: "s_1"), 409, "changing"),
    ])
    func anAgentThatTellsNothing(failure: RunSessionFailure, status: Int, code: String) async {
        run("s_1", [Self.web])
        stage.runs.state.withLock { $0.failure = failure }
        for (method, path) in [("GET", "/v1/sessions/s_1/tools"), ("POST", "/v1/sessions/s_1/tools")] {
            let answer = await stage.ask(method, path, method == "POST" ? [:] : nil)
            #expect(answer.status.code == status && answer.code == code)
        }
        #expect(await stage.ask("GET", "/v1/mcp/servers").json?["servers"] == [], "the others are shown")
    }
}
