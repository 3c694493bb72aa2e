package import Core
import Foundation
package import OrderedJSON
import Platform
import Rules
package import Services

/// Memory in place of the database; a test says what it does.
package final class FakeStore: DeviceStore, PushRegistrationStore, PushSubscriptionStore, Persistence {
    private struct Full: Error {}

    private struct State {
        var devices: [String: Device] = [:]
        var subscriptions: [String: PushSubscription] = [:]
        var registrations: [String: KeptRegistration] = [:]
        var isFull = false
        var onKeep: @Sendable () async -> Void = {}
    }

    private let state = Locked(State())

    package init() {}

    package var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Called while a subscription is written.
    package func onKeep(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.onKeep = body } }

    package var subscribed: [String] { state.withLock { $0.subscriptions.keys.sorted() } }
    package func device(_ id: String) -> Device? { state.withLock { $0.devices[id] } }

    private func change(_ body: (inout State) -> Void) throws(Full) {
        let isFull = state.withLock { state in
            if !state.isFull { body(&state) }
            return state.isFull
        }
        if isFull { throw Full() }
    }

    package func append(_ changes: [StoreChange]) {}
    package func commit(_ changes: [StoreChange], _ durability: Durability) async throws {}
    package func changedInput(ofRequest id: String) async throws -> KeptJSON? { nil }

    package func create(_ device: Device) async throws(DeviceFailure) {
        do throws(Full) { try change { $0.devices[device.id] = device } } catch { throw .store("full") }
    }

    package func revokeDevice(id: String, at time: Timestamp) async throws -> Device? {
        try change { state in
            state.devices[id]?.revokedAt = time
            state.registrations = state.registrations.filter { $0.value.reporter != id }
        }
        return device(id)
    }

    package func updateDevice(_ durability: Durability, _ current: @Sendable () -> Device?) async throws {
        let device = current()
        try change { if let device { $0.devices[device.id] = device } }
    }

    package func keep(_ subscription: PushSubscription) async throws {
        await state.withLock { $0.onKeep }()
        try change { $0.subscriptions[subscription.deviceID] = subscription }
    }

    package var registered: [String] { state.withLock { $0.registrations.keys.sorted() } }

    package func keep(_ registration: KeptRegistration) async throws {
        await state.withLock { $0.onKeep }()
        try change { $0.registrations[registration.registration.token] = registration }
    }

    package func forgetPushRegistration(token: String, registeredBy time: Timestamp) async throws {
        try change { state in
            if let kept = state.registrations[token], kept.registeredAt <= time { state.registrations[token] = nil }
        }
    }

    package func forgetPushRegistrations(reporter: String) async throws {
        try change { state in state.registrations = state.registrations.filter { $0.value.reporter != reporter } }
    }

    package func forgetPushSubscription(device id: String) async throws {
        try change { $0.subscriptions[id] = nil }
    }
}

/// Numbers in place of secrets, and texts in place of digests.
package final class FakeSecrets: SecretSource {
    private let count = Locked(0)

    package init() {}

    package func random(bytes count: Int) -> String {
        let number = self.count.withLock { last in
            last += 1
            return last
        }
        let length = (count * 8 + 5) / 6
        return String("\(number)".reversed() + String(repeating: "0", count: length)).prefix(length).description
    }

    package func digest(_ text: String) -> [UInt8] { Array(text.utf8) }
}

/// What connected devices and those who listen for revocations were told, in order.
package final class FakeConnections: DeviceConnections, RevocationListener {
    private let told = Locked<[String]>([])
    /// What a revocation could not end for good.
    private let left = Locked<String?>(nil)

    package init() {}

    package var devices: Set<String> { [] }
    package var log: [String] { told.withLock { $0 } }
    package var unwritten: String? {
        get { left.withLock { $0 } }
        set { left.withLock { $0 = newValue } }
    }

    package func close(device id: String, reason: String) { told.withLock { $0.append("closed \(id)") } }
    package func deviceRevoked(_ id: String) async -> String? {
        told.withLock { $0.append("revoked \(id)") }
        return left.withLock { $0 }
    }
    package func deviceEndsSoon(_ device: Device) { told.withLock { $0.append("ends soon \(device.id)") } }
}

package struct FakePushSender: PushSender {
    package init() {}

    package func publicKey() throws(NoticeFailure) -> String { "key" }
    package func check(_ keys: PushKeys) throws(NoticeFailure) {
        if keys.endpoint.isEmpty { throw .invalid("no endpoint") }
    }
}

package struct NoLog: Log {
    package init() {}

    package func debug(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) {}
    package func info(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) {}
    package func warning(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) {}
    package func error(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) {}
}

// MARK: A broker

extension Broker {
    /// Asks nobody and knows no rules.
    package init(
        clock: ManualClock, store: any Persistence, onEvent: @escaping @Sendable (EventRecord) -> Void = { _ in },
        read: @escaping @Sendable (TranscriptQuery) async -> TranscriptEnd? = { _ in nil }
    ) {
        self.init(
            policy: Policy(), environment: QuietEnvironment(clock: clock, onEvent: onEvent, read: read),
            persistence: store, evaluator: NoRules(), claudeRules: NoClaudeRules(), executor: QueueExecutor())
    }
}

private struct QuietEnvironment: BrokerEnvironment {
    let clock: ManualClock
    let onEvent: @Sendable (EventRecord) -> Void
    let read: @Sendable (TranscriptQuery) async -> TranscriptEnd?

    func now() -> Instant { clock.now() }
    func makeID(_ prefix: String) -> String { prefix + UUID().uuidString }
    func wake(at time: Uptime, _ body: @escaping @Sendable () async -> Void) {}
    func publish(_ event: EventRecord) { onEvent(event) }
    func beside<Value: Sendable>(root: String, _ body: @escaping @Sendable () -> Value) async -> Value? { body() }
    func end(of transcript: TranscriptQuery) async -> TranscriptEnd? { await read(transcript) }
    func startTime(ofProcess pid: Int32) -> UInt64? { nil }
}

private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "broker")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private struct NoRules: RuleEvaluator {
    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers { RuleOffers() }
    func allowing(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> [SessionRule] { [] }
    func denying(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? { nil }
    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool { false }
    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool { false }
}

private struct NoClaudeRules: ClaudeRules {
    func allows(tool: String, input: JSON, root: String) -> Bool { false }
}
