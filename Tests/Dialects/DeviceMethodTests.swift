import Core
import OrderedJSON
import Testing

@Suite struct DeviceMethodTests {
    private static let phone = Caller.Identity.device(id: "d_1", name: "phone")

    private func daemon(_ devices: [Device] = [device(), device("d_2", name: "tablet", level: .view)]) async
        -> FakeDaemon
    {
        let daemon = FakeDaemon()
        await daemon.set { $0.devicesKept = devices }
        return daemon
    }

    @Test func listsWhoMayComeIn() async throws {
        let list = try await answer(
            call("device/list"), daemon(), FakeClient(rights: .viewer, as: Self.phone))?["result"]
        let devices = try #require(list?["devices"]?.arrayValue)
        #expect(devices.map { $0["access"] } == ["approve", "view"] && devices.map { $0["own"] } == [true, false])
        #expect(devices.map { $0["connected"] } == [true, false] && devices[0]["kind"] == "token")
        #expect(devices[1]["rights"] == ["read"] && devices[1]["expires_at"] == .null && list?["more"] == 0)
    }

    @Test func revokesAsFarAsTheCallerMay() async throws {
        let daemon = await daemon()
        let client = FakeClient(rights: .approver, as: Self.phone)
        let other = try await answer(call("device/revoke", ["device_id": "d_2"]), daemon, client)?["error"]
        #expect(other?["data"]?["refused"] == "administer")
        #expect(await daemon.refusals == ["device/revoke"])
        let unknown = try await answer(call("device/revoke", ["device_id": "d_9"]), daemon)?["error"]
        #expect(unknown?["code"] == -32602 && unknown?["message"]?.stringValue?.contains("no device") == true)
        let own = try await answer(call("device/revoke", ["device_id": "d_1"]), daemon, client)?["result"]
        #expect(own?["name"] == "phone" && own?["rules_dropped"] == [])
        #expect(try await answer(call("device/revoke", ["device_id": "d_2"]), daemon)?["result"]?["success"] == true)
    }

    @Test(arguments: [
        "device/list", "device/revoke", "pair/approve", "pair/pending", "pair/reject", "pair/start", "token/create",
        "token/list", "token/revoke",
    ])
    func refusesAProcessInsideClaudeCode(_ method: String) async throws {
        let daemon = await daemon()
        let params: JSON = ["device_id": "d_1", "name": "phone", "request_id": "pair_1"]
        let error = try await answer(call(method, params), daemon, FakeClient(rights: .agent))?["error"]
        #expect(error?["data"]?["refused"] != nil)
        #expect(await daemon.refusals == [method])
        #expect(await daemon.devicesKept.count == 2)
        #expect(await daemon.settlements == [])
    }

    @Test func hearsNothingFromARevokedDevice() async throws {
        let daemon = await daemon()
        await daemon.set { $0.isRevoked = true }
        for method in ["permission/pending", "permission/respond", "initialize"] {
            let error = try await answer(call(method), daemon, FakeClient(rights: .approver, as: Self.phone))?["error"]
            #expect(error?["data"]?["refused"] == "revoked", "\(method)")
        }
    }

    /// An event woke it, and then it was revoked: what it would be told now is not for it any more.
    @Test func aRevokedDeviceThatWaitedIsToldNothingMore() async throws {
        let daemon = await daemon()
        await daemon.set {
            $0.isRevokedWhileWaiting = true
            $0.pageAfterWait = EventPage(
                events: [StoredEvent.notification(sequence: 1, text: #"{"method":"event/x","params":{}}"#)],
                nextSequence: 2)
        }
        let request = call("events/since", ["sequence": 1, "wait": 5])
        let client = FakeClient(rights: .viewer, as: Self.phone, isFramed: false)
        let reply = try #require(try await answer(request, daemon, client))
        #expect(reply["error"]?["data"]?["refused"] == "revoked" && reply["result"] == nil)
    }

    @Test func invites() async throws {
        let daemon = await daemon()
        let offer = try await answer(call("pair/start", ["name": "x", "rights": "view"]), daemon)?["result"]
        #expect(offer?["offer_id"] == "pair_1" && offer?["access"] == "view" && offer?["expires_in"] == 120)
        #expect(offer?["url"] == "http://h/#pair=cdev_p_x" && offer?["code"] == "abcd-efgh" && offer?["name"] == "x")
        let pending = try await answer(call("pair/pending"), daemon)?["result"]
        #expect(pending?["count"] == 0 && pending?["requests"] == [])
        let listed = pending?["offers"]?.arrayValue?.first
        #expect(listed?["state"] == "open" && listed?["attempts_left"] == 5)
        #expect(pending?.serialized().contains("cdev_p_") == false, "secrets are shown once")
        #expect(try await answer(call("pair/reject", ["request_id": "pair_1"]), daemon)?["result"]?["success"] == true)
        let late = try await answer(call("pair/approve", ["request_id": "preq_1"]), daemon)?["error"]
        #expect(late?["code"] == -32603 && late?["message"]?.stringValue?.contains("any more") == true)
        #expect(await daemon.settlements == ["pair_1 false", "preq_1 true"])
    }

    private static let wrong: [(String, JSON, String)] = [
        ("pair/start", ["rights": "all"], "approve"), ("pair/start", ["name": 7], "string"),
        ("pair/start", ["name": ""], "no name"), ("pair/approve", [:], "request_id"),
        ("pair/reject", ["request_id": []], "string"), ("device/revoke", [:], "device_id"),
        ("token/create", ["name": "x", "rights": "administer"], "approve"),
    ]

    @Test(arguments: wrong) func saysWhatToSend(_ method: String, _ params: JSON, _ word: String) async throws {
        let error = try await answer(call(method, params), daemon())?["error"]
        #expect(error?["code"] == -32602 && error?["message"]?.stringValue?.contains(word) == true)
    }
}
