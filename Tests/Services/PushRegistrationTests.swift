import Core
import Services
import TestSupport
import Testing

/// Apps that registered for pushes, and for whom they count.
@Suite(.timeLimit(.minutes(1))) struct PushRegistrationTests {
    private struct Answers: NoticeSender {
        func send(_ notice: Notice, number: UInt64, to channel: String) async -> NoticeOutcome { .gone }
        func stop() {}
    }

    private struct NoLinks: AnswerLinkStore {
        func keep(_ link: AnswerLink) async throws {}
        func forgetAnswerLinks(_ hashes: [[UInt8]]) async throws {}
    }

    private let store = FakeStore()
    private let clock = ManualClock()
    private let register: DeviceRegister
    private let devices: DeviceManager
    private let apps: PushRegistrations
    private let notifier: Notifier

    init() {
        let source = FakeSecrets()
        register = DeviceRegister([], store: store, source: source, clock: clock)
        apps = PushRegistrations([], store: store, register: register, isConfigured: true, most: 2)
        let pushes = PushSubscriptions([], store: store, sender: FakePushSender(), register: register, clock: clock)
        let links = AnswerLinks(
            store: NoLinks(), links: [], grants: [:], source: source, clock: clock, log: NoLog())
        notifier = Notifier(
            policy: NoticePolicy(), channels: [], sender: Answers(), links: links, pushes: pushes, apps: apps,
            changed: ChangeSignal(), clock: clock, log: NoLog())
        devices = DeviceManager(
            register: register, store: store, broker: Broker(clock: clock, store: store),
            connections: [FakeConnections()], listeners: [notifier], source: source, clock: clock, log: NoLog())
    }

    private func registration(_ token: String, by reporter: String, platform: String = "ios") -> KeptRegistration {
        KeptRegistration(
            PushRegistration(token: token, platform: platform, isSandbox: false), reporter: reporter,
            registeredAt: clock.now().wall)
    }

    @discardableResult private func register(
        _ token: String, by reporter: String, platform: String = "ios"
    ) async throws -> Bool {
        let registration = registration(token, by: reporter, platform: platform)
        try await store.keep(registration)
        clock.jump(by: 1)
        return await notifier.registered(registration)
    }

    private func token() async throws -> String {
        try await devices.createToken(name: "app", level: .approve).device.id
    }

    private func pair(_ platform: String, _ level: AccessLevel = .approve) async throws -> String {
        let id = try await devices.pair(name: "phone", level: level, platform: platform, address: "::1").device.id
        let paired = EventBody.devicePaired(id: id, name: "phone", rights: level.rights)
        notifier.heard(.record(EventRecord(sequence: 1, at: clock.now().wall, sessionID: "", body: paired)))
        return id
    }

    private var channels: [String] { (notifier.description.arrayValue ?? []).compactMap { $0["channel"]?.stringValue } }

    /// The app cannot answer, so it is somebody to wait for only beside one of our devices on a phone.
    @Test func anAppCountsBesideAPairedPhone() async throws {
        let app = try await token()
        try await register("ab01", by: app)
        #expect(notifier.approvers == 0 && channels == ["apns app (ab01)"])
        for (platform, level) in [("Linux", AccessLevel.approve), ("Android", .approve), ("iPhone", .view)] {
            _ = try await pair(platform, level)
            #expect(notifier.approvers == 0, "\(platform)")
        }
        let phone = try await pair("iPhone")
        #expect(notifier.approvers == 1)
        try await register("ab02", by: app)
        #expect(notifier.approvers == 2)
        _ = try await devices.revoke(.id(phone), reason: "lost")
        #expect(notifier.approvers == 0 && channels.count == 2)
    }

    @Test func aRegistrationEndsWithItsDevice() async throws {
        let app = try await token()
        try await register("ab01", by: app)
        _ = try await devices.revoke(.id(app), reason: "lost")
        #expect(channels == [] && store.registered == [] && !notifier.takesReports)
    }

    @Test func aDeviceThatIsRevokedWhileItRegistersIsNotRegistered() async throws {
        let app = try await token()
        _ = try await devices.revoke(.id(app), reason: "lost")
        #expect(try await register("ab01", by: app) == false)
        #expect(channels == [] && store.registered == [])
    }

    @Test func whatIsNoneOfApplesIsKeptAndNotSentTo() async throws {
        let app = try await token()
        try await register("an-android-token", by: app, platform: "android")
        try await register("../../x", by: app)
        #expect(channels == [] && store.registered.count == 2)
    }

    @Test func theOldestGoBeyondAShare() async throws {
        let app = try await token()
        for token in ["ab01", "ab02", "ab01", "ab03"] { try await register(token, by: app) }
        #expect(channels == ["apns app (ab01)", "apns app (ab03)"])
    }

    @Test func anAppThatIsGoneIsForgotten() async throws {
        try await register("ab01", by: try await token())
        _ = await notifier.test() as [ChannelTest]
        #expect(channels == [])
        while store.registered != [] { try await letOthersRun() }
    }

    @Test func aStartKnowsWhatWasRegistered() async throws {
        let app = try await token()
        let kept = [
            registration("ab01", by: app), registration("ab02", by: "d_gone"), registration("ab03", by: "local"),
        ]
        let later = PushRegistrations(kept, store: store, register: register, isConfigured: true)
        #expect(
            ["ab01", "ab02", "ab03"].map { later.registration(channel: "apns \($0)") != nil } == [true, false, true])
    }
}
