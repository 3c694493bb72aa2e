import Agents
import Core
import TestSupport
import Testing

/// The answer to `mcp_status`.
@Suite struct ClaudeServerListTests {
    private func servers(_ list: String) -> [ToolServerStatus]? {
        var stream = ClaudeStreamTests.stream()
        let line =
            #"{"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"mcpServers":\#(list)}}}"#
        guard case .servers(let servers)? = stream.read(Array(line.utf8)).output else { return nil }
        return servers
    }

    /// As 2.1.329 tells it. The command and the headers are not passed on.
    @Test func aServerAndItsTools() {
        let told = servers(
            #"""
            [{"name":"given","status":"connected","serverInfo":{"name":"given-impl","version":"7.1"},"config":{"type":"stdio",
            "command":"/bin/x","args":["secret"]},"transport":"stdio","scope":"dynamic","source":"dynamic","tools":[
            {"name":"peek","annotations":{"readOnly":true}},{"name":"poke","annotations":{"destructive":true}},{"name":"bare",
            "annotations":{}}]},{"name":"web","status":"failed","error":"ECONNREFUSED: no","config":{"type":"http",
            "url":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer s"}},"transport":"http","scope":"user"}]
            """#.split(separator: "\n").joined())
        let tools = [("peek", true), ("poke", nil), ("bare", nil)].map {
            ToolServerStatus.Tool(name: $0.0, isReadOnly: $0.1)
        }
        #expect(
            told == [
                ToolServerStatus(
                    name: "given", state: .connected, scope: "dynamic", transport: "stdio", tools: tools),
                ToolServerStatus(
                    name: "web", state: .failed, scope: "user", transport: "http", failure: "ECONNREFUSED: no"),
            ])
    }

    @Test(arguments: [
        ("connected", ToolServerStatus.State.connected), ("disabled", .disabled), ("needs-auth", .needsSignIn),
        ("pending", .pending), ("never heard of", .unknown),
    ])
    func states(word: String, state: ToolServerStatus.State) {
        #expect(servers(#"[{"name":"x","status":"\#(word)"}]"#) == [ToolServerStatus(name: "x", state: state)])
    }

    @Test func whatIsNoServerIsLeftOut() {
        #expect(servers(#"[7,{},{"name":""},{"name":7},{"name":"x","status":7,"tools":[7,{"name":[]}]}]"#)?.count == 1)
        #expect(servers("7") == nil && servers("{}") == nil)
        let many = Array(repeating: #"{"name":"x"}"#, count: 600).joined(separator: ",")
        #expect(servers("[\(many)]")?.count == 500)
        #expect(servers(#"[{"name":"x","tools":[\#(many)]}]"#)?.first?.tools.count == 500)
    }
}
