import Core
import Services
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct DeviceManagerTests {
    private let clock = ManualClock()
    private let store = FakeStore()
    private let connections = FakeConnections()
    private let register: DeviceRegister
    private let devices: DeviceManager

    init() {
        let source = FakeSecrets()
        register = DeviceRegister([], store: store, source: source, clock: clock)
        devices = DeviceManager(
            register: register, store: store, broker: Broker(clock: clock, store: store), connections: [connections],
            listeners: [connections], source: source, clock: clock, log: NoLog())
    }

    @Test func admitsADeviceByItsTokenOnceItIsWritten() async throws {
        store.isFull = true
        await #expect(throws: DeviceFailure.store("full")) {
            try await devices.createToken(name: "phone", level: .approve)
        }
        #expect(await devices.devices().isEmpty)
        store.isFull = false
        let (token, device) = try await devices.createToken(name: "phone", level: .approve)
        #expect(store.device(device.id) == device)
        #expect(register.owner(of: token, at: nil)?.id == device.id && register.admits(device.id))
        #expect(register.owner(of: token + "x", at: nil) == nil)
    }

    @Test func aRevokedDeviceIsOutBeforeThatIsWritten() async throws {
        let (token, device) = try await devices.createToken(name: "phone", level: .approve)
        store.isFull = true
        await #expect(throws: DeviceFailure.self) { try await devices.revoke(.name("phone"), reason: "lost") }
        #expect(register.owner(of: token, at: nil) == nil && !register.admits(device.id))
        #expect(connections.log == ["closed \(device.id)", "revoked \(device.id)"])
        #expect(store.device(device.id)?.revokedAt == nil)
    }

    /// A prompt that the device sent would be run behind a restart.
    @Test func whatADeviceBeganIsEndedForGoodBeforeItIsConfirmed() async throws {
        let (_, device) = try await devices.createToken(name: "phone", level: .drive)
        connections.unwritten = "a prompt is not dropped for good"
        for _ in 0..<2 {
            await #expect(throws: DeviceFailure.self) { try await devices.revoke(.id(device.id), reason: "lost") }
        }
        connections.unwritten = nil
        #expect(try await devices.revoke(.id(device.id), reason: "lost").device.id == device.id)
    }

    @Test func aRevocationIsConfirmedOnceItIsWritten() async throws {
        let (_, device) = try await devices.createToken(name: "phone", level: .approve)
        store.isFull = true
        await #expect(throws: DeviceFailure.self) { try await devices.revoke(.id(device.id), reason: "lost") }
        await #expect(throws: DeviceFailure.self, "asked again") {
            try await devices.revoke(.id(device.id), reason: "lost")
        }
        store.isFull = false
        #expect(try await devices.revoke(.name("phone"), reason: "lost").device.id == device.id)
        #expect(store.device(device.id)?.revokedAt != nil)
        await #expect(throws: DeviceFailure.unknown("phone")) {
            try await devices.revoke(.name("phone"), reason: "lost")
        }
    }

    @Test func aRevocationIsWrittenLater() async throws {
        let (_, device) = try await devices.createToken(name: "phone", level: .approve)
        store.isFull = true
        await #expect(throws: DeviceFailure.self) { try await devices.revoke(.id(device.id), reason: "lost") }
        await devices.writeRevocations()
        #expect(store.device(device.id)?.revokedAt == nil)
        store.isFull = false
        await devices.writeRevocations()
        #expect(store.device(device.id)?.revokedAt != nil)
    }

    @Test func anOldRefreshTokenRevokesTheDevice() async throws {
        let first = try await devices.pair(name: "phone", level: .approve, platform: "", address: "10.0.0.1")
        guard case .credentials(let second) = await devices.refresh(first.refresh, at: "10.0.0.1") else {
            Issue.record("a current token is renewed")
            return
        }
        #expect(register.owner(of: second.access, at: nil)?.id == first.device.id)
        guard case .credentials(let third) = await devices.refresh(second.refresh, at: "10.0.0.1") else {
            Issue.record("and the next")
            return
        }
        guard case .refused = await devices.refresh(first.refresh, at: "10.0.0.9") else {
            Issue.record("an old token is refused")
            return
        }
        #expect(register.owner(of: third.access, at: nil) == nil && !register.admits(first.device.id))
    }
}
