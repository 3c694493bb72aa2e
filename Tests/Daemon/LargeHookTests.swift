import Core
import Daemon
import OrderedJSON
import Services
import Testing
import Wire

/// Bodies that take long to parse: whoever sends one waits for it, nobody else does.
@Suite(.timeLimit(.minutes(1))) struct LargeHookTests {
    /// More than is parsed on the loop. Parsed it is thirty times as large.
    private static let nested = "[" + String(repeating: "[],", count: 120_000) + "0]"

    private func hook(_ event: String, session: String, id: String, more: String) -> String {
        """
        {"session_id":"\(session)","hook_event_name":"\(event)","cwd":"/p","permission_mode":"default",\
        "tool_name":"mcp__a__b","tool_use_id":"\(id)","tool_input":{},\(more)}
        """
    }

    private func send(_ body: String, process: String, to test: TestDaemon) async throws -> TestPeer {
        let peer = try test.local()
        let headers: HTTPHeaders = ["Cdev-Request": newToken(), "Cdev-Claude-Pid": process]
        try await peer.send(httpRequest("POST", "/hooks/claude", body, headers: headers))
        return peer
    }

    @Test func theRelayHearsAtOnceAndOthersGoFirst() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let body = hook("PreToolUse", session: "large", id: "t1", more: #""extra":\#(Self.nested)"#)
        let large = try await send(body, process: "1001", to: test)
        guard case .interim(_, let fields)? = try await large.answer() else {
            throw PeerError(what: "no interim answer", code: 0)
        }
        #expect(fields["cdev-deadline"] == nil)
        #expect(try await test.ask("GET", "/health").status.code == 200)
        let small = try await test.relay(bash("touch x", session: "small", id: "t2"))
        _ = try await small.answer()
        // The events say in which order the two reached the broker.
        #expect(try await approver.message("event/claude_hook_tool_start")["session_id"] == "small")
        #expect(try await approver.message("event/claude_hook_tool_start")["session_id"] == "large")
        let card = try await approver.message("event/pty_permission")
        #expect(card["session_id"] == "large")
        _ = try await test.call(
            "permission/respond", ["request_id": card["request_id"] ?? "", "decision": "deny", "message": "no"])
        #expect(try await large.response().text.contains("deny"))
        await test.daemon.stop()
    }

    /// While the first event is encoded a second one comes, and only one may wait.
    @Test func aClientForWhichTooMuchWaitsIsClosedAndCanCatchUp() async throws {
        let test = try await TestDaemon { $1.eventLimits = EventQueueLimits(events: 1) }
        let approver = try await test.approver()
        let body = hook("PreToolUse", session: "large", id: "t1", more: #""extra":\#(Self.nested)"#)
        let held = try await send(body, process: "1001", to: test)
        guard case .close(let code, let reason)? = try await approver.lastFrame() else {
            throw PeerError(what: "no close frame", code: 0)
        }
        #expect(code == WebSocketCloseCode.tryAgainLater && reason.contains("catch up"))
        var methods: [JSON?] = []
        var next: JSON = 0
        repeat {
            let page = try await test.call("events/since", ["sequence": next])
            methods += (page["events"]?.arrayValue ?? []).map { $0["method"] }
            next = page["more"] == true ? page["next_sequence"] ?? .null : .null
        } while !next.isNull
        #expect(methods == ["event/claude_hook_tool_start", "event/pty_permission"])
        try await held.leave()
        await test.daemon.stop()
    }

    @Test func oneProcessIsHeardInItsOrder() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let end = hook("PostToolUse", session: "s", id: "t1", more: #""tool_response":\#(Self.nested)"#)
        let stop = hook("Stop", session: "s", id: "t1", more: #""stop_hook_active":false"#)
        let first = try await send(end, process: "1001", to: test)
        // Whoever hears this was read whole.
        _ = try await first.answer()
        let second = try await send(stop, process: "1001", to: test)
        #expect(try await first.response().status.code == 200)
        #expect(try await second.response().status.code == 200)
        let ended = try await approver.message("event/claude_hook_tool_end")
        let stopped = try await approver.message("event/claude_hook_stop")
        #expect((ended["sequence"]?.intValue ?? 0) < (stopped["sequence"]?.intValue ?? 0))
        await test.daemon.stop()
    }

    /// The relay of a tool's end leaves there. What it reported is handled all the same, before the next of its process.
    @Test func whereNoWordsComeTheRelayHearsThatBeforeItIsRead() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let denied = try await send(bash("touch x", session: "s", id: "t1"), process: "1001", to: test)
        let card = try await approver.message("event/pty_permission")
        let answer: JSON = ["request_id": card["request_id"] ?? "", "decision": "deny"]
        _ = try await test.call("permission/respond", answer)
        #expect(try await denied.response().text.contains("deny"))
        let end = bash("touch x", session: "s", id: "t1").replacing("PreToolUse", with: "PostToolUse").dropLast()
        let large = try await send(end + #","tool_response":\#(Self.nested)}"#, process: "1001", to: test)
        #expect(try await hearsThatNoWordsCome(large))
        try await large.leave()
        let stop = hook("Stop", session: "s", id: "t1", more: #""stop_hook_active":false"#)
        #expect(try await send(stop, process: "1001", to: test).response().status.code == 200)
        let ended = try await approver.message("event/claude_hook_tool_end")
        let alarm = try await approver.message("event/deny_ignored")
        let stopped = try await approver.message("event/claude_hook_stop")
        #expect(alarm["tool_use_id"] == "t1")
        #expect((ended["sequence"]?.intValue ?? 0) < (stopped["sequence"]?.intValue ?? 0))
        await test.daemon.stop()
    }

    /// True if a 102 says so before the answer.
    private func hearsThatNoWordsCome(_ peer: TestPeer) async throws -> Bool {
        while case .interim(_, let fields)? = try await peer.answer() {
            if fields["cdev-words"] == "none" { return true }
        }
        return false
    }

    /// A person changed a call at its dialog: until it has run, each end may be its end. And without the process there is
    /// no order that later hooks keep.
    @Test func whereWordsMayComeTheRelayWaits() async throws {
        let test = try await TestDaemon(configuration: #"{"gate":"prompt"}"#)
        let approver = try await test.approver()
        #expect(try await test.ask("POST", "/hooks/claude", bash("touch x")).text == "{}")
        let dialog = try await test.relay(bash("touch x").replacing("PreToolUse", with: "PermissionRequest"))
        let card = try await approver.message("event/pty_permission")
        let changed: JSON = [
            "request_id": card["request_id"] ?? "", "decision": "allow", "updated_input": ["command": "touch y"],
        ]
        _ = try await test.call("permission/respond", changed)
        _ = try await dialog.response()
        let more = #","tool_response":\#(Self.nested)}"#
        let other = hook("PostToolUse", session: "other", id: "t7", more: #""x":\#(Self.nested)"#)
        #expect(try await !hearsThatNoWordsCome(send(other, process: "1001", to: test)))
        let end = bash("touch y").replacing("PreToolUse", with: "PostToolUse").dropLast() + more
        let told = try await send(String(end), process: "1001", to: test)
        #expect(try await told.response().text.contains("a person changed this call"))
        #expect(try await hearsThatNoWordsCome(send(other, process: "1001", to: test)))
        #expect(try await !hearsThatNoWordsCome(test.relay(other)))
        await test.daemon.stop()
    }

    @Test func aLargeHookThatIsNoneIsRefusedAndHoldsUpNobody() async throws {
        let test = try await TestDaemon()
        let broken = try await send("{" + String(repeating: " ", count: 40_000), process: "1001", to: test)
        #expect(try await broken.response().status.code == 400)
        let next = try await send(bash("touch x"), process: "1001", to: test)
        #expect(try await next.response().status.code == 200)
        await test.daemon.stop()
    }

    @Test func aLargeMessageOfAClientIsAnswered() async throws {
        let test = try await TestDaemon()
        let body = #"{"jsonrpc":"2.0","id":1,"method":"status/health","params":{"x":\#(Self.nested)}}"#
        #expect(try await test.ask("POST", "/rpc", body).json?["result"]?["status"] == "ok")
        #expect(try await test.ask("POST", "/rpc", body + "]").status.code == 400)
        await test.daemon.stop()
    }
}
