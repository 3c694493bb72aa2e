import Core
import Dialects
import OrderedJSON
import Testing

@Suite struct NoticeMethodTests {
    private static let browser: JSON = [
        "endpoint": "https://push.example/x", "keys": ["p256dh": "AQI", "auth": "AwQ="],
    ]

    @Test(arguments: ["push/key", "push/subscribe", "push/unsubscribe", "notify/test"])
    func anAgentIsRefused(method: String) async throws {
        let daemon = FakeDaemon()
        let reply = try await answer(call(method, Self.browser), daemon, FakeClient(rights: .agent))
        #expect(reply?["error"]?["code"] == -32600)
        #expect(await daemon.told.isEmpty)
        #expect(await daemon.refusals == [method])
    }

    @Test func aBrowserSubscribesWithWhatItHas() async throws {
        let daemon = FakeDaemon()
        let client = FakeClient(rights: .approver)
        #expect(try await answer(call("push/key"), daemon, client)?["result"] == ["key": "BKEY"])
        #expect(try await answer(call("push/subscribe", Self.browser), daemon, client)?["result"]?["success"] == true)
        #expect(await daemon.told == ["subscribe https://push.example/x [1, 2] [3, 4]"])
        let reply = try await answer(call("push/unsubscribe"), daemon, client)
        #expect(reply?["result"] == ["success": true, "existed": true])
    }

    @Test(
        arguments: [
            [:], ["endpoint": "x"], ["endpoint": "x", "keys": []], ["endpoint": "x", "keys": ["p256dh": "AQI"]],
            ["endpoint": "x", "keys": ["p256dh": "!", "auth": "AQI"]],
            ["endpoint": 7, "keys": ["p256dh": "AQI", "auth": "AQI"]],
        ] as [JSON])
    func whatNoBrowserSends(params: JSON) async throws {
        let daemon = FakeDaemon()
        let reply = try await answer(call("push/subscribe", params), daemon, FakeClient(rights: .approver))
        #expect(reply?["error"]?["code"] == -32602)
        #expect(await daemon.told.isEmpty)
    }

    @Test func presenceOfWhoMayDecideCounts() async throws {
        let daemon = FakeDaemon()
        for rights in [Set<Right>.approver, [.read]] {
            let reply = try await answer(
                call("client/presence", ["visible": true, "input_seconds": 5]), daemon, FakeClient(rights: rights))
            #expect(reply?["result"] == ["success": true])
        }
        #expect(await daemon.told == ["presence true 5.0"])
    }

    @Test func aTestSaysWhatBecameOfEachChannel() async throws {
        let reply = try await answer(call("notify/test"), FakeDaemon())
        let expected: JSON = [
            ["channel": "ntfy", "delivered": true, "failure": .null],
            ["channel": "webhook", "delivered": false, "failure": "it answered 500"],
        ]
        #expect(reply?["result"]?["channels"] == expected)
    }
}
