import Core
import Foundation
import OrderedJSON
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct RevocationTests {
    private func allowing(_ card: JSON) -> String {
        #"{"jsonrpc":"2.0","id":2,"method":"permission/respond","params":{"decision":"allow","scope":"session","#
            + #""request_id":"\#(card["request_id"]?.stringValue ?? "")"}}"#
    }

    @Test func takesItsRulesAlong() async throws {
        let test = try await TestDaemon()
        let device = try await test.paired()
        let socket = try await test.socket(device)
        let relay = try await test.relay(bash("touch x"))
        try await socket.say(allowing(try await socket.message("event/pty_permission")))
        #expect(try await relay.response().json?["hookSpecificOutput"]?["permissionDecision"] == "allow")
        #expect(try await test.call("permission/rules")["count"] == 1)
        let result = try await test.call("device/revoke", ["device_id": .string(device.id)])
        #expect(result["name"] == "phone" && result["rules_dropped"]?.arrayValue?.first?["pattern"] == "Bash(*)")
        #expect(try await test.call("permission/rules")["count"] == 0)
        #expect(try await socket.lastFrame() != nil)
        #expect(try await test.status(device) == 401)
        let history = try await test.call("permission/history")["requests"]?.arrayValue
        #expect(history?.first?["decision"] == "allow", "what it decided stands")
        await test.daemon.stop()
        let next = try await TestDaemon(home: test.home, clock: test.clock)
        #expect(try await next.call("permission/rules")["count"] == 0)
        await next.daemon.stop()
    }

    @Test func onlyTheLocalUserRevokesOthers() async throws {
        let test = try await TestDaemon()
        let phone = try await test.paired()
        let tablet = try await test.paired(name: "tablet")
        let other: JSON = ["device_id": .string(tablet.id)]
        let refused = try await test.rpc(phone, "device/revoke", other).json?["error"]
        #expect(refused?["data"]?["refused"] == "administer")
        #expect(try await test.status(tablet) == 200)
        let own = try await test.rpc(phone, "device/revoke", ["device_id": .string(phone.id)])
        #expect(own.json?["result"]?["success"] == true)
        #expect(try await test.status(phone) == 401)
        for method in ["pair/start", "pair/pending", "pair/approve", "pair/reject", "token/create", "token/list"] {
            let error = try await test.rpc(tablet, method, ["name": "x", "request_id": "x"]).json?["error"]
            #expect(error?["data"]?["refused"] == "administer", "\(method)")
        }
        await test.daemon.stop()
    }

    @Test func aViewDeviceLooksAndNoMore() async throws {
        let test = try await TestDaemon()
        let device = try await test.paired("view")
        let socket = try await test.socket(device)
        #expect(try await test.call("permission/stats")["approvers"] == 0, "nobody is reachable")
        let unheld = try await test.relay(bash("touch x"))
        #expect(try await unheld.response().text == "{}")
        let approver = try await test.approver()
        let relay = try await test.relay(bash("touch y", id: "toolu_2"))
        try await socket.say(allowing(try await socket.message("event/pty_permission")))
        let error = try await socket.message(id: 2)["error"]
        #expect(error?["data"]?["refused"] == "decide")
        for method in ["permission/revoke", "device/revoke"] {
            let params: JSON = ["rule_id": "x", "device_id": .string(device.id)]
            #expect(try await test.rpc(device, method, params).json?["error"]?["data"]?["refused"] == "decide")
        }
        let hook = try await test.askNetwork("POST", "/hooks/claude", bash("touch z"), headers: device.headers)
        #expect(hook.status.code == 403)
        for method in ["permission/pending", "permission/history", "device/list", "events/since"] {
            #expect(try await test.rpc(device, method).json?["result"] != nil, "\(method)")
        }
        let card = try await approver.message("event/pty_permission")
        _ = try await test.call("permission/respond", ["request_id": card["request_id"] ?? "", "decision": "deny"])
        _ = try await relay.response()
        await test.daemon.stop()
    }

    @Test func aTokenIsADevice() async throws {
        let test = try await TestDaemon()
        let made = try await test.call("token/create", ["name": "script", "rights": "view"])
        let headers: HTTPHeaders = ["Authorization": "Bearer \(made["token"]?.stringValue ?? "")"]
        // Longer than any other device may stay away.
        test.clock.jump(by: 8 * 86_400)
        test.clock.advance(by: 60)
        let list = try await test.post(
            "/rpc", ["jsonrpc": "2.0", "id": 1, "method": "device/list"], headers: headers)
        let device = list.json?["result"]?["devices"]?.arrayValue?.first
        #expect(device?["kind"] == "token" && device?["access"] == "view" && device?["expires_at"] == .null)
        #expect(try await test.call("token/list")["tokens"]?.arrayValue?.first?["device_id"] == made["device_id"])
        _ = try await test.call("device/revoke", ["device_id": made["device_id"] ?? ""])
        #expect(try await test.call("token/list")["count"] == 0)
        for rights in ["all", "administer", ""] {
            let error = await #expect(throws: PeerError.self) {
                try await test.call("token/create", ["name": "x", "rights": .string(rights)])
            }
            #expect(error?.what.contains("-32602") == true)
        }
        await test.daemon.stop()
    }
}
