import Core
import OrderedJSON
import Testing

/// What a person allowed instead of the call, where that is large.
@Suite(.timeLimit(.minutes(1))) struct LargeUpdateTests {
    private static let update: JSON = ["command": .string("touch " + String(repeating: "x", count: 40_000)), "n": 1.50]

    private func params(_ card: JSON) -> JSON {
        ["request_id": card["request_id"] ?? "", "decision": "allow", "updated_input": Self.update]
    }

    @Test func reachesTheHookAsItWasSentOverHTTP() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let token = newToken()
        let relay = try await test.relay(bash("touch x"), token: token)
        let card = try await approver.message("event/pty_permission")
        #expect(try await test.call("permission/respond", params(card))["success"] == true)
        let output = try await relay.response().json?["hookSpecificOutput"]
        #expect(output?["permissionDecision"] == "allow" && output?["updatedInput"] == Self.update)
        let again = try await test.relay(bash("touch x"), token: token)
        #expect(try await again.response().json?["hookSpecificOutput"] == output)
        await test.daemon.stop()
    }

    /// A start reads the changed inputs of the last answers. An earlier one is read when its relay asks for the answer again.
    @Test func isHeardAfterARestartThatDidNotReadIt() async throws {
        let first = try await TestDaemon()
        let clock = first.clock
        let approver = try await first.approver()
        let tokens = [newToken(), newToken()]
        var updates: [JSON] = []
        for (number, token) in tokens.enumerated() {
            let relay = try await first.relay(bash("touch \(number)", id: "t\(number)"), token: token)
            let card = try await approver.message("event/pty_permission")
            updates.append(["command": .string("touch " + String(repeating: "\(number)", count: 200_000))])
            let params: JSON = [
                "request_id": card["request_id"] ?? "", "decision": "allow", "updated_input": updates[number],
            ]
            #expect(try await first.call("permission/respond", params)["success"] == true)
            _ = try await relay.response()
        }
        await first.daemon.stop()
        let second = try await TestDaemon(home: first.home, clock: clock) { _, parts in
            parts.storeOptions.now = { clock.now().wall }
        }
        for (number, token) in tokens.enumerated() {
            let relay = try await second.relay(bash("touch \(number)", id: "t\(number)"), token: token)
            let output = try await relay.response().json?["hookSpecificOutput"]
            #expect(output?["permissionDecision"] == "allow" && output?["updatedInput"] == updates[number])
        }
        await second.daemon.stop()
    }

    /// What the client says behind it is heard after it.
    @Test func isInForceBeforeTheNextMessageOfItsConnection() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let relay = try await test.relay(bash("touch x"))
        let card = try await approver.message("event/pty_permission")
        let respond: JSON = ["jsonrpc": "2.0", "id": 7, "method": "permission/respond", "params": params(card)]
        try await approver.say(respond.serialized())
        try await approver.say(#"{"jsonrpc":"2.0","id":8,"method":"permission/stats"}"#)
        #expect(try await approver.message(id: 7)["result"]?["success"] == true)
        #expect(try await approver.message(id: 8)["result"]?["pending_requests"] == 0)
        #expect(try await relay.response().json?["hookSpecificOutput"]?["updatedInput"] == Self.update)
        await test.daemon.stop()
    }
}
