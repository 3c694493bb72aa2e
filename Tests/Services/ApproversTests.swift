import Core
import Platform
import Services
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ApproversTests {
    private final class Source: ApproverSource {
        private let count: Locked<Int>

        init(_ count: Int) { self.count = Locked(count) }

        var approvers: Int { count.withLock { $0 } }
        func set(_ new: Int) { count.withLock { $0 = new } }
    }

    private let clock = ManualClock()
    private let broker: Broker
    private let changed = ChangeSignal()

    init() {
        broker = Broker(clock: clock, store: FakeStore())
    }

    private func until(_ count: Int) async throws {
        while await broker.stats().approvers != count { try await letOthersRun() }
    }

    @Test func addsUpAllSources() async {
        await Approvers([Source(2), Source(1)], broker: broker).tell()
        #expect(await broker.stats().approvers == 3)
    }

    @Test func tellsAfterEachChangeUntilTheEnd() async throws {
        let source = Source(0)
        let approvers = Approvers([source], broker: broker)
        let following = Task { [changed] in await approvers.follow(changed) }
        for count in [1, 2, 0] {
            source.set(count)
            changed.send()
            try await until(count)
        }
        changed.finish()
        await following.value
    }

    @Test func whoPollsCountsForAMomentMore() async throws {
        let polls = EventPolls(clock: clock, changed: changed)
        let approvers = Approvers([polls], broker: broker)
        let following = Task { [changed] in await approvers.follow(changed) }
        let caller = Caller(identity: .device(id: "d", name: "phone"), rights: .approver)
        let poll = Task { await polls.waitForEvent(from: 1, seconds: 25, by: caller, isApprover: true) }
        try await until(1)
        polls.published(1)
        #expect(await poll.value == .event)
        #expect(polls.approvers == 1, "it asks again")
        clock.advance(by: 11)
        try await until(0)
        changed.finish()
        await following.value
    }
}
