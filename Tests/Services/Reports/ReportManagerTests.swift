import Core
import Platform
import Services
import TestSupport
import Testing

/// Who may report what, and which reports people are told of.
@Suite struct ReportManagerTests {
    private let store = RememberedReports()
    private let clock = ManualClock()
    private let manager: ReportManager

    init() {
        manager = ReportManager(store: store, clock: clock)
    }

    private static func caller(_ rights: Set<Right>) -> Caller {
        Caller(identity: .device(id: "d_1", name: "phone"), rights: rights)
    }

    private static let phone = caller(AccessLevel.approve.rights)

    private static func report(
        _ name: String = "Stop", session: String = "s1", machine: String = "m1", type: String? = nil
    ) -> SessionReport {
        SessionReport(
            machine: ReportingMachine(id: machine, name: "box", platform: "linux"), sessionID: session, name: name,
            timestamp: "2026-11-22T07:18:04.875Z", notificationType: type)
    }

    /// The failure of `body`; nil if it succeeded.
    private static func failure(of body: () async throws(ReportFailure) -> Void) async -> ReportFailure? {
        do throws(ReportFailure) {
            try await body()
            return nil
        } catch { return error }
    }

    private static let registration = PushRegistration(token: "aa", platform: "ios", isSandbox: false)

    /// The routes look at the rights first; the service does not rely on it.
    @Test func withoutTheRightNothingIsWritten() async {
        let (viewer, agent) = (Self.caller(AccessLevel.view.rights), Self.caller([.report]))
        await #expect(throws: ReportFailure.forbidden) { try await manager.take(Self.report(), by: viewer) }
        for caller in [viewer, agent] {
            await #expect(throws: ReportFailure.forbidden) { try await manager.acknowledge(["n1"], by: caller) }
            await #expect(throws: ReportFailure.forbidden) { try await manager.register(Self.registration, by: caller) }
        }
        let isUntouched = store.taken.withLock(\.isEmpty) && store.acknowledged.withLock(\.isEmpty)
        #expect(isUntouched && store.tokens.withLock(\.isEmpty))
    }

    @Test func withItItIsCountedForItsDevice() async throws {
        try await manager.take(Self.report(), by: Self.phone)
        try await manager.take(Self.report(), by: Caller(identity: .local(pid: 7), rights: .owner))
        #expect(store.taken.withLock { $0.map(\.reporter) } == ["d_1", "local"])
        try await manager.acknowledge(["n1"], by: Self.phone)
        try await manager.register(Self.registration, by: Self.phone)
        #expect(store.acknowledged.withLock { $0 } == ["n1"] && store.tokens.withLock { $0 } == ["aa"])
    }

    @Test(
        arguments: [
            (report(session: String(repeating: "s", count: 256)), nil),
            (report(session: String(repeating: "s", count: 257)), .tooLong(member: "session_id", limit: 256)),
            (report(machine: String(repeating: "é", count: 128)), nil),
            (report(machine: String(repeating: "é", count: 129)), .tooLong(member: "device_id", limit: 256)),
        ] as [(SessionReport, ReportFailure?)])
    func anIDThatIsTooLongIsRefused(report: SessionReport, failure: ReportFailure?) async {
        let found = await Self.failure { () async throws(ReportFailure) in
            try await manager.take(report, by: Self.phone)
        }
        #expect(found == failure && store.taken.withLock(\.count) == (failure == nil ? 1 : 0))
    }

    @Test func aTokenThatIsTooLongIsRefused() async {
        for (count, failure) in [(1024, nil), (1025, ReportFailure.tooLong(member: "push_token", limit: 1024))] {
            let token = String(repeating: "a", count: count)
            let registration = PushRegistration(token: token, platform: "ios", isSandbox: false)
            let found = await Self.failure { () async throws(ReportFailure) in
                try await manager.register(registration, by: Self.phone)
            }
            #expect(found == failure)
        }
    }

    @Test(
        arguments: [
            (.tooManyMachines, .tooManyMachines(limit: 50)), (.machineOfAnother, .ofAnother(member: "device_id")),
            (.sessionOfAnother, .ofAnother(member: "session_id")),
        ] as [(ReportTaking, ReportFailure)])
    func whatIsNotWrittenIsSaid(answer: ReportTaking, failure: ReportFailure) async {
        store.answer.withLock { $0 = answer }
        await #expect(throws: failure) { try await manager.take(Self.report(), by: Self.phone) }
    }

    /// Else a report that is refused, or passed over since this machine tells the same, would keep its notification back.
    @Test func whatAnotherReportsKeepsNoNotificationBack() async throws {
        store.answer.withLock { $0 = .sessionOfAnother }
        await #expect(throws: ReportFailure.ofAnother(member: "session_id")) {
            try await manager.take(Self.report(), by: Self.phone)
        }
        store.answer.withLock { $0 = .done }
        try await manager.take(Self.report(), by: Caller(identity: .local(pid: 7), rights: .owner))
        #expect(store.taken.withLock { $0.map { $0.notice != nil } } == [true, true])
    }

    /// Two of one kind within half a minute are one; what is held back is stored as an event all the same.
    @Test func peopleAreToldOncePerHalfMinute() async throws {
        for (seconds, session) in [(0.0, "s1"), (29.9, "s1"), (0, "s2"), (0.1, "s1")] {
            clock.advance(by: seconds)
            try await manager.take(Self.report(session: session), by: Self.phone)
        }
        let told = store.taken.withLock { $0.map { $0.notice != nil } }
        #expect(told == [true, false, true, true])
        try await manager.take(Self.report("Notification", type: "idle_prompt"), by: Self.phone)
        #expect(store.taken.withLock { $0.last?.notice?.kind } == .idle)
        let ids = store.taken.withLock { Set($0.map(\.noticeID)) }
        #expect(ids.count == 5)
    }
}
