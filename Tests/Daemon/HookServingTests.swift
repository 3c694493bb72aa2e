import Core
import Daemon
import OrderedJSON
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct HookServingTests {
    private func decision(_ response: HTTPResponse) -> JSON? {
        response.json?["hookSpecificOutput"]?["permissionDecision"]
    }

    @Test func passesWhereNobodyCanBeAsked() async throws {
        let test = try await TestDaemon()
        let answer = try await test.ask("POST", "/hooks/claude", bash("touch x"))
        #expect(answer.status.code == 200 && answer.text == "{}")
        #expect(answer.headers["content-type"] == "application/json")
        await test.daemon.stop()
    }

    @Test func asksTheTerminalWhenTimeIsUp() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let relay = try await test.relay(bash("touch x"))
        let card = try await approver.message("event/pty_permission")
        test.clock.advance(by: 60)
        #expect(decision(try await relay.response()) == "ask")
        let end = try await approver.message("event/pty_permission_resolved")
        #expect(end["request_id"] == card["request_id"] && end["resolved_by"] == "timeout" && end["decision"] == "ask")
        await test.daemon.stop()
        let log = try test.home.read("server.log")
        #expect(log.contains("permission request timed out - returning 'ask'"))
        #expect(log.contains("path=/hooks/claude") && !log.contains("touch x"))
    }

    @Test func withdrawsWhatNobodyWaitsFor() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let relay = try await test.relay(bash("touch x"))
        _ = try await approver.message("event/pty_permission")
        try await relay.leave()
        let end = try await approver.message("event/pty_permission_resolved")
        #expect(end["resolved_by"] == "hook gone")
        #expect(try await test.call("permission/pending")["count"] == 0)
        await test.daemon.stop()
    }

    @Test func joinsARetryOfTheSameCall() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let token = newToken()
        let first = try await test.relay(bash("touch x"), token: token)
        let card = try await approver.message("event/pty_permission")
        let second = try await test.relay(bash("touch x"), token: token)
        guard case .interim? = try await second.answer() else { throw PeerError(what: "no interim answer", code: 0) }
        #expect(try await test.call("permission/pending")["count"] == 1)
        let params: JSON = ["request_id": card["request_id"] ?? "", "decision": "deny", "message": "not now"]
        #expect(try await test.call("permission/respond", params)["success"] == true)
        for relay in [first, second] {
            let answer = try await relay.response()
            #expect(decision(answer) == "deny" && answer.text.contains("not now"))
        }
        await test.daemon.stop()
    }

    @Test func sendsNoInterimAnswerToOthers() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let hook = try test.local()
        try await hook.send(httpRequest("POST", "/hooks/claude", bash("touch x")))
        let card = try await approver.message("event/pty_permission")
        _ = try await test.call("permission/respond", ["request_id": card["request_id"] ?? "", "decision": "allow"])
        guard case .response(let answer)? = try await hook.answer() else { throw PeerError(what: "interim", code: 0) }
        #expect(decision(answer) == "allow")
        await test.daemon.stop()
    }

    @Test func holdsForThoseOnlyWhoWillAnswer() async throws {
        let test = try await TestDaemon()
        let watcher = try test.local()
        _ = try await watcher.upgrade()
        try await watcher.say(
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"approver":false}}}"#)
        _ = try await watcher.message(id: 1)
        #expect(try await test.call("permission/stats")["approvers"] == 0)
        #expect(try await test.ask("POST", "/hooks/claude", bash("touch x")).text == "{}")
        let approver = try await test.approver()
        #expect(try await test.call("permission/stats")["approvers"] == 1)
        let relay = try await test.relay(bash("touch y", id: "toolu_2"))
        let card = try await watcher.message("event/pty_permission")
        // Losing the approver changes nothing for what is held.
        try await approver.leave()
        _ = try await test.call("permission/respond", ["request_id": card["request_id"] ?? "", "decision": "allow"])
        #expect(decision(try await relay.response()) == "allow")
        await test.daemon.stop()
    }

    @Test func speaksToCompatibleScripts() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let path = "/api/hooks/permission-request"
        let first = try test.local()
        try await first.send(httpRequest("POST", path, bash("touch x"), headers: ["Cdev-Attended": "1"]))
        let card = try await approver.message("event/pty_permission")
        let params: JSON = ["tool_use_id": card["tool_use_id"] ?? "", "decision": "allow", "scope": "session"]
        _ = try await test.call("permission/respond", params)
        #expect(try await first.response().text == #"{"decision":"allow","pattern":"Bash(*)","scope":"session"}"#)
        let second = try await test.ask("POST", path, bash("touch y", id: "toolu_2"))
        #expect(second.text == #"{"decision":"allow","pattern":"Bash(*)","scope":"session"}"#)
        let bypass = bash("touch z", session: "s2", id: "toolu_3", mode: "bypassPermissions")
        #expect(try await test.ask("POST", path, bypass).text == "{}")
        let late = try test.local()
        try await late.send(httpRequest("POST", path, bash("touch z", session: "s2"), headers: ["Cdev-Attended": "1"]))
        _ = try await approver.message("event/pty_permission")
        test.clock.advance(by: 60)
        #expect(try await late.response().text == #"{"decision":"ask","message":"timeout"}"#)
        await test.daemon.stop()
        #expect(try test.home.read("server.log").contains("path=/api/hooks/permission-request"))
    }

    @Test(arguments: ["tool-start", "tool-end", "session", "notification", "permission", "something-new"])
    func acknowledgesWhatItIsTold(kind: String) async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let answer = try await test.ask("POST", "/api/hooks/\(kind)", bash("touch x"))
        #expect(answer.status.code == 200 && answer.text == #"{"ok":true}"#)
        #expect(try await test.call("permission/pending")["count"] == 0)
        try await approver.leave()
        await test.daemon.stop()
    }

    static let faults: [(method: String, path: String, body: String, status: Int, word: String)] = [
        ("POST", "/hooks/claude", "{", 400, "not JSON"), ("POST", "/hooks/claude", "[]", 400, "object"),
        ("POST", "/hooks/claude", "{}", 400, "session_id"), ("POST", "/hooks/claude", "", 400, "not JSON"),
        ("POST", "/api/hooks/permission-request", "nonsense", 400, "not JSON"),
        ("POST", "/hooks/claude", String(repeating: "[", count: 200), 400, "not JSON"),
        ("GET", "/hooks/claude", "", 405, "POST"), ("GET", "/rpc", "", 405, "POST"),
        ("PUT", "/health", "x", 405, "GET"),
        ("POST", "/nothing", "{}", 404, "nothing"), ("POST", "/api/hooks/", "{}", 404, "nothing"),
        ("POST", "/api/hooks/a/b", "{}", 404, "nothing"), ("GET", "/ws", "", 426, "WebSocket"),
        ("POST", "/rpc", "{", 400, "not JSON"),
    ]

    @Test(arguments: faults)
    func refusesInWords(method: String, path: String, body: String, status: Int, word: String) async throws {
        let test = try await TestDaemon()
        let answer = try await test.ask(method, path, body)
        #expect(answer.status.code == status)
        let error = try #require(answer.json?["error"])
        #expect(error.serialized().contains(word) && !answer.text.contains("allow"))
        if status == 405 { #expect(answer.headers["allow"]?.contains(word) == true) }
        await test.daemon.stop()
    }

    @Test func saysThatItIsWell() async throws {
        let test = try await TestDaemon()
        for answer in [try await test.ask("GET", "/health"), try await test.askNetwork("GET", "/health")] {
            #expect(
                answer.json == ["status": "ok", "ok": true, "time": "2026-11-20T10:30:00Z"],
                "all that a stranger is told")
        }
        await test.daemon.stop()
    }
}
