import Foundation
import OrderedJSON
import Testing
import Wire

/// Ids that no UTF-8 holds, for half of a surrogate pair stands alone in them: they come back as sent, and two that differ
/// only there are two. So are two that differ only in their Unicode normal form.
@Suite(.timeLimit(.minutes(1))) struct HalfIDTests {
    private static let ids = [#""\ud800""#, #""a\udfffb""#, #""\udc00\ud800""#, #""\ud83d\ude00 \ud83d""#]

    private func hook(_ id: String, session: String = "s1", padding: Int = 0) -> String {
        #"{"session_id":"\#(session)","hook_event_name":"PreToolUse","cwd":"/p","permission_mode":"default","#
            + #""agent_id":"\#(id)","prompt_id":"\#(id)","tool_name":"Bash","tool_use_id":"\#(id)","#
            + #""tool_input":{"command":"touch x","tool_use_id":"\#(id)","description":"\#(String(repeating: "x", count: padding))"}}"#
    }

    /// The text of the next message that holds `part`.
    private func frame(of peer: TestPeer, with part: String) async throws -> String {
        while let frame = try await peer.frame() {
            if case .text(let text) = frame, text.contains(part) { return text }
        }
        throw PeerError(what: "the connection ended", code: 0)
    }

    @Test(arguments: ids) func callsComeBackOverHTTPAndWebSocket(id: String) async throws {
        let test = try await TestDaemon()
        let call = #"{"jsonrpc":"2.0","id":\#(id),"method":"status/health"}"#
        let answer = try await test.ask("POST", "/rpc", call).text
        #expect(answer.contains(#""id":"# + (id.contains("ude00") ? #""😀 \ud83d""# : id)))
        let peer = try await test.approver()
        try await peer.say(call)
        #expect(try await frame(of: peer, with: "uptime_seconds") == answer)
        let batch = try await test.ask("POST", "/rpc", "[\(call),{\"jsonrpc\":\"2.0\",\"id\":\(id)}]").text
        #expect(batch.components(separatedBy: #"\ud"#).count > 2, "the refused one too")
        await test.daemon.stop()
    }

    @Test(arguments: [0, 40_000]) func hooksCarryTheirIDsAlong(padding: Int) async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let relay = try await test.relay(hook(#"t\ud800"#, session: #"s\udc00"#, padding: padding))
        let started = try await frame(of: approver, with: "event/claude_hook_tool_start")
        let card = try await frame(of: approver, with: "event/pty_permission")
        for text in [started, card] {
            #expect(text.contains(#""tool_use_id":"t\ud800""#) && text.contains(#""session_id":"s\udc00""#))
            #expect(text.contains(#""agent_id":"t\ud800""#))
            #expect(
                text.contains(#""command":"touch x","tool_use_id":"t\#u{FFFD}""#), "no id of ours, so what all read")
        }
        #expect(started.contains(#""prompt_id":"t\ud800""#))
        let pending = #"{"jsonrpc":"2.0","id":1,"method":"permission/pending","params":{"session_id":"s\udc00"}}"#
        #expect(try await test.ask("POST", "/rpc", pending).text.contains(#""tool_use_id":"t\ud800""#))
        #expect(
            try await test.ask("POST", "/rpc", pending.replacing("dc00", with: "dc01")).json?["result"]?["count"] == 0)
        try await relay.leave()
        await test.daemon.stop()
    }

    /// U+FFFD is what the halves were once read as; the last two are how an id with halves is kept.
    @Test(arguments: [#"\ud801"#, #"\ufffd"#, #"\udbff\udfff\ue000"#, #"\udbff\udfff\udbff\udfff\ue000"#])
    func answersReachTheirOwnCallOnly(other: String) async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let first = try await test.relay(hook(#"\ud800"#))
        let second = try await test.relay(hook(other))
        for _ in 0..<2 { _ = try await approver.message("event/pty_permission") }
        let answer = { (id: String, decision: String) in
            #"{"jsonrpc":"2.0","id":1,"method":"permission/respond","params":"#
                + #"{"tool_use_id":"\#(id)","decision":"\#(decision)"}}"#
        }
        #expect(try await test.ask("POST", "/rpc", answer(#"\ud800"#, "allow")).json?["result"]?["success"] == true)
        #expect(try await first.response().json?["hookSpecificOutput"]?["permissionDecision"] == "allow")
        #expect(try await test.call("permission/pending")["count"] == 1)
        #expect(try await test.ask("POST", "/rpc", answer(#"\ud802"#, "allow")).json?["error"] != nil)
        #expect(try await test.ask("POST", "/rpc", answer(other, "deny")).json?["result"]?["success"] == true)
        #expect(try await second.response().json?["hookSpecificOutput"]?["permissionDecision"] == "deny")
        await test.daemon.stop()
    }

    @Test func sessionsStayApart() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        var relays: [TestPeer] = []
        for session in [#"\ud800"#, #"\udfff"#, #"\ufffd"#, #"\u00e9"#, #"e\u0301"#] {
            relays.append(try await test.relay(hook("t", session: session)))
            _ = try await approver.message("event/pty_permission")
        }
        let one =
            #"{"jsonrpc":"2.0","id":1,"method":"permission/respond","params":"#
            + #"{"responses":[{"tool_use_id":"t","decision":"allow"}]}}"#
        #expect(try await test.ask("POST", "/rpc", one).text.contains("5 open requests"))
        #expect(try await test.call("hook/sessions")["count"] == 5)
        let list = #"{"jsonrpc":"2.0","id":1,"method":"hook/sessions","params":{"session_id":"\udfff"}}"#
        #expect(try await test.ask("POST", "/rpc", list).text.contains(#""session_id":"\udfff""#))
        let accent = list.replacing(#"\udfff"#, with: #"e\u0301"#)
        #expect(try await test.ask("POST", "/rpc", accent).json?["result"]?["count"] == 1)
        #expect(try await test.ask("POST", "/rpc", accent).text.utf8.contains(#""session_id":"e\#u{301}""#.utf8))
        await test.daemon.stop()
    }
}
