import Core
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing

@Suite struct EventHubTests {
    private let store = RecordingStore()
    private let threads = HeldThreads()
    private let encoded = Locked<[Int64]>([])

    private func subscribers(_ limits: EventQueueLimits = EventQueueLimits()) -> Subscribers<FakeSubscriber> {
        let polls = EventPolls(clock: ManualClock(), changed: ChangeSignal())
        return Subscribers(polls: polls, threads: threads, limits: limits) { [encoded] event in
            let sequence = if case .record(let record) = event { record.sequence } else { Int64(0) }
            encoded.withLock { $0.append(sequence) }
            return sequence
        }
    }

    private func hub(_ subscribers: Subscribers<FakeSubscriber>) -> EventHub {
        EventHub(persistence: store, listeners: [subscribers])
    }

    private func event(
        _ sequence: Int64, session: String = "s1", workspace: String = "", input: JSON = ["command": "touch x"]
    ) -> EventRecord {
        let request = PermissionRequest(
            id: "r_\(sequence)", toolUseID: "t", sessionID: session, event: .preToolUse, tool: .claude("Bash"),
            input: KeptJSON(input), cwd: "/p", createdAt: moment, deadline: moment)
        return EventRecord(
            sequence: sequence, at: moment, workspaceID: workspace, sessionID: session, body: .permission(request))
    }

    private func large(_ sequence: Int64, bytes: Int = 40_000) -> EventRecord {
        event(sequence, input: .string(String(repeating: "x", count: bytes)))
    }

    private let moment = Timestamp(milliseconds: 1_000_000_000)

    @Test func whereNobodyListensAnEventIsRecordedAndNoMore() {
        let subscribers = subscribers()
        let hub = hub(subscribers)
        hub.publish(event(1))
        let leaving = FakeSubscriber(1)
        subscribers.add(leaving)
        subscribers.remove(leaving)
        subscribers.add(FakeSubscriber(2, rights: [.report]))
        subscribers.add(FakeSubscriber(3, filter: EventFilter(kinds: [.prompt])))
        hub.publish(large(2))
        #expect(store.recorded == [1, 2])
        #expect(encoded.withLock { $0 } == [] && threads.count == 0)
    }

    @Test func anEventIsEncodedOnceForAll() {
        let subscribers = subscribers()
        let clients = (1...3).map { FakeSubscriber($0) }
        for client in clients { subscribers.add(client) }
        hub(subscribers).publish(event(7))
        #expect(encoded.withLock { $0 } == [7])
        #expect(clients.allSatisfy { $0.messages == [7] })
    }

    @Test func aLiveEventIsNotRecorded() {
        let subscribers = subscribers()
        let client = FakeSubscriber(1, filter: EventFilter(workspaces: [], sessions: []))
        subscribers.add(client)
        hub(subscribers).publish(LiveEvent(at: moment, body: .heartbeat(uptime: 30)))
        #expect(client.messages == [0] && store.recorded == [])
    }

    static let filters: [(EventFilter, [Int64])] = [
        (EventFilter(), [1, 2, 3, 4]), (EventFilter(sessions: ["s2"]), [2]),
        (EventFilter(sessions: ["s2", ""]), [2, 4]),
        (EventFilter(workspaces: ["w"]), [3]), (EventFilter(workspaces: ["w"], sessions: ["s2"]), []),
        (EventFilter(kinds: [.permission]), [1, 2, 3]), (EventFilter(sessions: ["s1"], kinds: [.deviceRevoked]), []),
    ]

    @Test(arguments: filters) func aSubscriberHearsWhatItAskedFor(_ filter: EventFilter, _ expected: [Int64]) {
        let subscribers = subscribers()
        let (client, blind) = (FakeSubscriber(1, filter: filter), FakeSubscriber(2, rights: [], filter: filter))
        subscribers.add(client)
        subscribers.add(blind)
        let hub = hub(subscribers)
        hub.publish(event(1))
        hub.publish(event(2, session: "s2"))
        hub.publish(event(3, workspace: "w"))
        let revoked = EventBody.deviceRevoked(id: "d_1", name: "phone", reason: "r", rules: [])
        hub.publish(EventRecord(sequence: 4, at: moment, sessionID: "", body: revoked))
        #expect(client.messages == expected && blind.messages == [])
    }

    /// Whoever subscribed to one workspace hears of it, of events of none, and of requests that it may answer.
    @Test(arguments: [(Set<Right>.viewer, [0, 3, 4]), (.approver, [0, 1, 3, 4])] as [(Set<Right>, [Int64])])
    func subscriptionsAreAFilter(_ rights: Set<Right>, _ expected: [Int64]) {
        let subscribers = subscribers()
        let subscriptions = WorkspaceSubscriptions()
        #expect(subscriptions.subscribe("w") && subscriptions.all == ["w"])
        let client = FakeSubscriber(1, rights: rights, filter: subscriptions.filter)
        subscribers.add(client)
        let hub = hub(subscribers)
        hub.publish(LiveEvent(at: moment, body: .heartbeat(uptime: 30)))
        hub.publish(event(1, workspace: "other"))
        let end = EventBody.sessionEnd(sessionID: "s1", cwd: "/p", reason: "")
        hub.publish(EventRecord(sequence: 2, at: moment, workspaceID: "other", sessionID: "s1", body: end))
        hub.publish(EventRecord(sequence: 3, at: moment, workspaceID: "w", sessionID: "s1", body: end))
        hub.publish(EventRecord(sequence: 4, at: moment, sessionID: "s1", body: end))
        #expect(client.messages == expected)
    }

    @Test func withoutSubscriptionsAllIsHeard() {
        let subscriptions = WorkspaceSubscriptions()
        #expect(subscriptions.filter == EventFilter())
        for number in 0..<WorkspaceBook.limit { #expect(subscriptions.subscribe("w\(number)")) }
        #expect(!subscriptions.subscribe("one more") && subscriptions.subscribe("w1"))
        subscriptions.unsubscribe("w1")
        #expect(subscriptions.subscribe("one more") && !subscriptions.all.contains("w1"))
        subscriptions.subscribeToAll()
        #expect(subscriptions.filter == EventFilter() && subscriptions.all == [])
    }

    @Test func anEventForSomeReachesThem() {
        let subscribers = subscribers()
        let clients = (1...3).map { FakeSubscriber($0) }
        for client in clients { subscribers.add(client) }
        let body = LiveEvent.Body.sessionLeft(client: "x", remaining: ["client-1", "client-3"])
        hub(subscribers).publish(LiveEvent(at: moment, body: body, audience: ["client-1", "client-3"]))
        #expect(clients.map(\.messages) == [[0], [], [0]])
    }

    @Test func aRecordGetsItsWorkspaceBeforeItIsKept() {
        let subscribers = subscribers()
        let client = FakeSubscriber(1, filter: EventFilter(workspaces: ["w"]))
        subscribers.add(client)
        let hub = EventHub(persistence: store, listeners: [subscribers]) { $0.cwd == "/p" ? "w" : "" }
        hub.publish(event(1))
        #expect(client.messages == [1] && store.recorded == [1])
    }

    @Test func whatIsSmallWaitsBehindWhatIsLarge() {
        let subscribers = subscribers()
        let (client, other) = (FakeSubscriber(1), FakeSubscriber(2, filter: EventFilter(sessions: ["s2"])))
        subscribers.add(client)
        subscribers.add(other)
        let hub = hub(subscribers)
        hub.publish(event(1))
        hub.publish(large(2))
        hub.publish(event(3))
        hub.publish(event(4, session: "s2"))
        #expect(store.recorded == [1, 2, 3, 4], "the record waits for nobody")
        #expect(client.messages == [1])
        threads.workOff()
        hub.publish(event(5, session: "s2"))
        #expect(client.messages == [1, 2, 3, 4, 5] && other.messages == [4, 5])
        #expect(encoded.withLock { $0 } == [1, 2, 3, 4, 5])
    }

    @Test(arguments: [EventQueueLimits(events: 2), EventQueueLimits(bytes: 90_000)])
    func aSubscriberWhoseQueueIsFullIsEndedAndNoOther(_ limits: EventQueueLimits) {
        let subscribers = subscribers(limits)
        let (full, other) = (FakeSubscriber(1), FakeSubscriber(2, filter: EventFilter(sessions: ["s2"])))
        subscribers.add(full)
        subscribers.add(other)
        let hub = hub(subscribers)
        hub.publish(large(1))
        hub.publish(large(2))
        #expect(full.ends == [])
        hub.publish(large(3))
        hub.publish(event(4, session: "s2"))
        #expect(full.ends.first == .queueFull(limits) && other.ends == [])
        threads.workOff()
        #expect(full.messages.starts(with: [1, 2]) && !full.messages.contains(3) && other.messages == [4])
        hub.publish(event(5))
        #expect(full.messages.last == 5, "what was worked off makes room again")
    }

    /// However large it is: it was taken in once already.
    @Test func oneEventAlwaysHasRoom() {
        let subscribers = subscribers(EventQueueLimits(bytes: 1))
        let client = FakeSubscriber(1)
        subscribers.add(client)
        hub(subscribers).publish(large(1))
        threads.workOff()
        #expect(client.messages == [1] && client.ends == [])
    }

    @Test func aRevokedDeviceIsEnded() {
        let subscribers = subscribers()
        let client = FakeSubscriber(1)
        subscribers.add(client)
        subscribers.close(device: "d_2", reason: "other")
        subscribers.close(device: "d_1", reason: "lost")
        #expect(client.ends == [.revoked("lost")])
    }
}

/// A device `d_1` that stays connected; its messages are the numbers of events.
private final class FakeSubscriber: Subscriber {
    let number: UInt64
    var id: String { "client-\(number)" }
    let caller: Caller
    let filter: EventFilter
    let isApprover = false
    private let told = Locked<[Int64]>([])
    private let ended = Locked<[SubscriptionEnd]>([])

    init(_ number: UInt64, rights: Set<Right> = .viewer, filter: EventFilter = EventFilter()) {
        self.number = number
        self.filter = filter
        caller = Caller(identity: .device(id: "d_1", name: "phone"), rights: rights)
    }

    var messages: [Int64] { told.withLock { $0 } }
    var ends: [SubscriptionEnd] { ended.withLock { $0 } }

    func receive(_ message: Int64) { told.withLock { $0.append(message) } }
    func end(_ end: SubscriptionEnd) { ended.withLock { $0.append(end) } }
}

/// Keeps what is to be done beside the loop until the test has it done.
private final class HeldThreads: EventThreads {
    private let waiting = Locked<[@Sendable () -> Void]>([])

    var count: Int { waiting.withLock { $0.count } }

    func beside(weight: Int, _ body: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(body) } }
    func onLoop(_ body: @escaping @Sendable () -> Void) { body() }

    func workOff() {
        let bodies = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for body in bodies { body() }
    }
}

private final class RecordingStore: Persistence {
    private let changes = Locked<[StoreChange]>([])

    var recorded: [Int64] {
        changes.withLock { $0 }.compactMap { if case .event(let record) = $0 { record.sequence } else { nil } }
    }

    func append(_ more: [StoreChange]) { changes.withLock { $0 += more } }
    func commit(_ changes: [StoreChange], _ durability: Durability) async throws {}
    func changedInput(ofRequest id: String) async throws -> KeptJSON? { nil }
}
