import Core
import Daemon
import OrderedJSON
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct ThinPathTests {
    @Test func holdsAndAnswers() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let relay = try await test.relay(bash("touch x"))
        guard case .interim(let status, let fields)? = try await relay.answer() else {
            Issue.record("no interim answer")
            return
        }
        #expect(status.code == 102 && fields["Cdev-Deadline"] == "60")
        let card = try await approver.message("event/pty_permission")
        #expect(card["target"] == "touch x" && card["tool_use_id"] == "toolu_1")
        let request = try #require(card["request_id"]?.stringValue)
        try await approver.say(
            #"{"jsonrpc":"2.0","id":5,"method":"permission/respond","params":{"request_id":"\#(request)","decision":"allow"}}"#
        )
        #expect(try await approver.message(id: 5)["result"]?["success"] == true)
        let answer = try await relay.response()
        #expect(answer.status.code == 200)
        #expect(answer.json?["hookSpecificOutput"]?["permissionDecision"] == "allow")
        await test.daemon.stop()
    }
}
