import Core
import OrderedJSON
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct RefreshTests {
    @Test func tradesOneTokenForTheNext() async throws {
        let test = try await TestDaemon()
        let first = try await test.paired()
        test.clock.advance(by: 899)
        #expect(try await test.status(first) == 200)
        test.clock.advance(by: 1)
        #expect(try await test.status(first) == 401, "an access token is good for 15 minutes")
        let second = try PairedDevice(try await test.refresh(first.refresh).json)
        #expect(second.id == first.id && second.refresh != first.refresh)
        #expect(try await test.status(second) == 200)
        await test.daemon.stop()
    }

    @Test func anOldOneRevokesTheDeviceAndSaysSo() async throws {
        let test = try await TestDaemon()
        let watcher = try await test.approver()
        let first = try await test.paired()
        let second = try PairedDevice(try await test.refresh(first.refresh).json)
        let third = try PairedDevice(try await test.refresh(second.refresh).json)
        let socket = try await test.socket(third)
        #expect(try await test.refresh(first.refresh).status.code == 401)
        let event = try await watcher.message("event/device_revoked")
        #expect(event["device_id"]?.stringValue == first.id)
        #expect(event["reason"]?.stringValue?.contains("old refresh token") == true)
        #expect(try await socket.lastFrame() != nil)
        for device in [first, second, third] {
            #expect(try await test.status(device) == 401)
            #expect(try await test.refresh(device.refresh).status.code == 401)
        }
        #expect(try await test.call("device/list")["count"] == 0)
        await test.daemon.stop()
        let next = try await TestDaemon(home: test.home, clock: test.clock)
        #expect(try await next.refresh(third.refresh).status.code == 401, "it is revoked for good")
        await next.daemon.stop()
    }

    @Test func theLastOneIsGoodWhileItsAnswerMayBeLost() async throws {
        let test = try await TestDaemon()
        let first = try await test.paired()
        _ = try await test.refresh(first.refresh)
        test.clock.advance(by: 60)
        let again = try PairedDevice(try await test.refresh(first.refresh).json)
        #expect(try await test.status(again) == 200)
        _ = try PairedDevice(try await test.refresh(again.refresh).json)
        #expect(try await test.refresh(first.refresh).status.code == 401, "its successor was used")
        #expect(try await test.status(again) == 401)
        await test.daemon.stop()
    }

    @Test func aMinuteLaterItIsOld() async throws {
        let test = try await TestDaemon()
        let first = try await test.paired()
        _ = try await test.refresh(first.refresh)
        test.clock.advance(by: 61)
        #expect(try await test.refresh(first.refresh).status.code == 401)
        #expect(try await test.call("device/list")["count"] == 0)
        await test.daemon.stop()
    }

    /// Tabs without a common lock: each gets an answer, and each answer is good.
    @Test func manyAtOnceAreNoTheft() async throws {
        let test = try await TestDaemon()
        let first = try await test.paired()
        let all = try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            for _ in 0..<4 { group.addTask { try await test.refresh(first.refresh) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let devices = try all.map { try PairedDevice($0.json) }
        for device in devices { #expect(try await test.status(device) == 200) }
        await test.daemon.stop()
        // What was given out is what was written down.
        let next = try await TestDaemon(home: test.home, clock: test.clock)
        #expect(try await next.refresh(devices[1].refresh).status.code == 200)
        await next.daemon.stop()
    }

    @Test func outlivesTheDaemon() async throws {
        let test = try await TestDaemon()
        let first = try await test.paired()
        await test.daemon.stop()
        let next = try await TestDaemon(home: test.home, clock: test.clock)
        #expect(try await next.status(first) == 401, "an access token does not")
        let second = try PairedDevice(try await next.refresh(first.refresh).json)
        #expect(try await next.status(second) == 200)
        await next.daemon.stop()
    }

    @Test func endsAfterAWeekAway() async throws {
        let test = try await TestDaemon()
        let device = try await test.paired()
        let kept = try await test.paired(name: "kept")
        let socket = try await test.socket(kept)
        for _ in 0..<3 {
            // Not ring by ring: some things are looked at every second.
            test.clock.jump(by: 2.5 * 86_400)
            test.clock.advance(by: 60)
            while try await isUnseen("kept", by: test) {}
        }
        #expect(try await test.refresh(device.refresh).status.code == 401)
        try await socket.say(#"{"jsonrpc":"2.0","id":5,"method":"device/list"}"#)
        let list = try await socket.message(id: 5)["result"]
        #expect(list?["count"] == 1, "a connected one lives on, whatever became of its access token")
        await test.daemon.stop()
    }

    /// Connected devices are noted once a minute, on a thread of its own.
    private func isUnseen(_ name: String, by test: TestDaemon) async throws -> Bool {
        let devices = try await test.call("device/list")["devices"]?.arrayValue ?? []
        let seen = devices.first { $0["name"]?.stringValue == name }?["last_seen"]?.stringValue ?? ""
        let time = try #require(Timestamp(rfc3339: seen))
        return test.clock.now().wall.seconds(since: time) > 120
    }

    @Test(arguments: ["", "cdev_r_", "cdev_r_x", "cdev_s_x", "cdev_r_" + String(repeating: "é", count: 30)])
    func whatIsNoTokenHarmsNobody(_ token: String) async throws {
        let test = try await TestDaemon()
        let device = try await test.paired()
        #expect([400, 401].contains(try await test.refresh(token).status.code))
        let foreign = "cdev_r_" + String(repeating: "A", count: 65)
        #expect(try await test.refresh(foreign).status.code == 401)
        #expect(try await test.refresh(String(device.refresh.dropLast())).status.code == 401)
        let signOut = try await test.post("/api/auth/revoke", ["refresh_token": .string(foreign)])
        #expect(signOut.status.code == 200)
        #expect(try await test.status(device) == 200)
        await test.daemon.stop()
    }

    @Test func signsOut() async throws {
        let test = try await TestDaemon()
        let device = try await test.paired()
        let socket = try await test.socket(device)
        let answer = try await test.post("/api/auth/revoke", ["refresh_token": .string(device.refresh)])
        #expect(answer.json == ["success": true, "orphaned_workspaces": []])
        #expect(try await socket.lastFrame() == .close(code: 1008, reason: "this device was revoked: it signed out"))
        #expect(try await test.refresh(device.refresh).status.code == 401)
        await test.daemon.stop()
    }
}
