import Core
import Store
import Testing

struct DeviceTests {
    @Test(arguments: [Samples.device(), Samples.paired()]) func keepsDevices(_ device: Device) async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        var device = device
        try await store.createDevice(device)
        #expect(await store.synchronousLevel == 2)
        #expect(try await directory.snapshot().open().store.devices() == [device])
        device.lastSeen = Timestamp(milliseconds: 60_000)
        device.lastAddress = "::1"
        if case .paired(var chain) = device.credential {
            let token = chain.current[0]
            let now = Instant(wall: Timestamp(milliseconds: 5), uptime: Uptime(milliseconds: 5))
            #expect(chain.renew(token, with: [UInt8](repeating: 9, count: 32), at: now) == .current)
            device.credential = .paired(
                RefreshChain(
                    family: chain.family, current: chain.current, previous: chain.previous, renewedAt: chain.renewedAt))
        }
        let changed = device
        try await store.updateDevice(.normal) { changed }
        #expect(await store.synchronousLevel == 1)
        #expect(try await directory.snapshot().open().store.devices() == [device])
        device.revokedAt = Timestamp(milliseconds: 7)
        #expect(try await store.revokeDevice(id: device.id, at: Timestamp(milliseconds: 7)) == device)
        #expect(try await store.revokeDevice(id: device.id, at: Timestamp(milliseconds: 8)) == device)
        #expect(try await store.revokeDevice(id: "d_9", at: Timestamp(milliseconds: 8)) == nil)
        #expect(await store.synchronousLevel == 2)
        #expect(try await directory.snapshot().open().store.devices() == [device])
    }

    /// What was read before a revocation and is written after it must not undo it.
    @Test func aRevokedDeviceStaysRevoked() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        let device = Samples.paired()
        try await store.createDevice(device)
        _ = try await store.revokeDevice(id: device.id, at: Timestamp(milliseconds: 7))
        try await store.updateDevice(.full) { device }
        #expect(try await store.devices().map(\.revokedAt) == [Timestamp(milliseconds: 7)])
        try await store.createDevice(device)
        #expect(try await store.devices().map(\.revokedAt) == [Timestamp(milliseconds: 7)])
    }

    @Test func writesNothingOfADeviceThatIsUnknownOrGone() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.updateDevice(.full) { Samples.device() }
        try await store.updateDevice(.full) { nil }
        #expect(try await store.devices() == [])
    }

    @Test func aNameIsTakenUntilItsDeviceIsRevoked() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.createDevice(Samples.device("d_1"))
        await #expect(throws: StoreError.self) { try await store.createDevice(Samples.device("d_2")) }
        _ = try await store.revokeDevice(id: "d_1", at: Timestamp(milliseconds: 7))
        try await store.createDevice(Samples.device("d_2"))
        #expect(try await store.devices().map(\.id) == ["d_1", "d_2"])
        #expect(store.status.failure == nil)
    }

    @Test func theRulesItGrantedGoWithADevice() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.createDevice(Samples.device("d_1"))
        // d_0 is an earlier device of the same name.
        let kept = [Samples.rule("rule_2", by: "local", of: nil), Samples.rule("rule_4", of: "d_0")]
        try await store.commit([.rule(Samples.rule("rule_1", of: "d_1"))] + kept.map(StoreChange.rule), .full)
        store.append([.rule(Samples.rule("rule_3", of: "d_1"))])
        _ = try await store.revokeDevice(id: "d_1", at: Timestamp(milliseconds: 7))
        #expect(try await directory.snapshot().open().remembered.rules == kept, "at once, for a crash may follow")
    }

    @Test func revokedDevicesGoWithTheLog() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: 31 * 86_400_000)
        try await store.createDevice(Samples.device("d_1"))
        _ = try await store.revokeDevice(id: "d_1", at: Timestamp(milliseconds: 7))
        try await store.createDevice(Samples.device("d_2"))
        try await store.sweep(Retention())
        #expect(try await store.devices().map(\.id) == ["d_2"])
    }
}
