import Core
import Services
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PushSubscriptionTests {
    private struct Silence: NoticeSender {
        func send(_ notice: Notice, number: UInt64, to channel: String) async -> NoticeOutcome { .delivered }
        func stop() {}
    }

    private struct NoLinks: AnswerLinkStore {
        func keep(_ link: AnswerLink) async throws {}
        func forgetAnswerLinks(_ hashes: [[UInt8]]) async throws {}
    }

    private let store = FakeStore()
    private let devices: DeviceManager
    private let notifier: Notifier
    private let changed = ChangeSignal()

    init() {
        let clock = ManualClock()
        let source = FakeSecrets()
        let register = DeviceRegister([], store: store, source: source, clock: clock)
        let pushes = PushSubscriptions([], store: store, sender: FakePushSender(), register: register, clock: clock)
        let links = AnswerLinks(
            store: NoLinks(), links: [], grants: [:], source: source, clock: clock, log: NoLog())
        notifier = Notifier(
            policy: NoticePolicy(), channels: [], sender: Silence(), links: links, pushes: pushes,
            apps: PushRegistrations([], store: store, register: register, isConfigured: false), changed: changed,
            clock: clock, log: NoLog())
        devices = DeviceManager(
            register: register, store: store, broker: Broker(clock: clock, store: store),
            connections: [FakeConnections()], listeners: [notifier], source: source, clock: clock, log: NoLog())
    }

    private func phone() async throws -> (id: String, caller: Caller) {
        let device = try await devices.createToken(name: "phone", level: .approve).device
        return (device.id, Caller(identity: .device(id: device.id, name: device.name), rights: device.rights))
    }

    private let keys = PushKeys(endpoint: "https://push.example/1", p256dh: [4], authentication: [1])

    @Test func aSubscribedDeviceCountsUntilItIsRevoked() async throws {
        let (id, caller) = try await phone()
        #expect(notifier.approvers == 0)
        try await notifier.subscribe(keys, by: caller)
        #expect(notifier.approvers == 1 && store.subscribed == [id])
        _ = try await devices.revoke(.id(id), reason: "lost")
        #expect(notifier.approvers == 0 && store.subscribed == [])
    }

    @Test func aDeviceRevokedWhileItSubscribesIsNotSubscribed() async throws {
        let (id, caller) = try await phone()
        store.onKeep { [devices] in _ = try? await devices.revoke(.id(id), reason: "lost") }
        await #expect(throws: NoticeFailure.invalid("this device was revoked")) {
            try await notifier.subscribe(keys, by: caller)
        }
        #expect(notifier.approvers == 0 && store.subscribed == [])
    }

    @Test func aSubscriptionThatEndedIsForgottenLater() async throws {
        let (_, caller) = try await phone()
        try await notifier.subscribe(keys, by: caller)
        store.isFull = true
        await #expect(throws: NoticeFailure.self) { try await notifier.unsubscribe(caller) }
        #expect(notifier.approvers == 0 && !store.subscribed.isEmpty)
        store.isFull = false
        await notifier.pushes.writeForgotten()
        #expect(store.subscribed == [])
    }

    @Test func whoTakesNoMessagesIsNotSubscribed() async throws {
        let (_, caller) = try await phone()
        await #expect(throws: NoticeFailure.invalid("no endpoint")) {
            try await notifier.subscribe(PushKeys(endpoint: "", p256dh: [], authentication: []), by: caller)
        }
        await #expect(throws: NoticeFailure.self, "no device") {
            try await notifier.subscribe(keys, by: Caller(identity: .local(pid: 1), rights: .owner))
        }
        #expect(store.subscribed == [])
    }
}
