import Core
import Store
import Testing

/// Who may report a machine and a session: this machine's own hooks, else the first that did.
struct ReportOwnerTests {
    /// It would tell twice what this machine's own hooks tell.
    @Test func whatIsOurOwnNobodyElseReports() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: ReportRowTests.now)
        _ = try await store.take(ReportRowTests.received("SessionStart", by: ""))
        #expect(
            try await store.take(
                ReportRowTests.received("SessionEnd", machine: ReportRowTests.machine("m2"), by: "d_1")) == .done)
        #expect(try await store.reportedSessions(ReportedSessionQuery(limit: 9)).map(\.status) == [.active])
        #expect(try await store.reportVersions().events == 1)
        #expect(try await store.reportedMachines().map(\.machine.id) == ["m1"])
        #expect(try await store.ownMachineID() == "m1")
    }

    /// Another hook of this machine may have been the first to tell of it.
    @Test func whatOurOwnHooksTellIsOurs() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: ReportRowTests.now)
        #expect(try await store.ownMachineID() == nil)
        _ = try await store.take(
            ReportRowTests.received("SessionStart", machine: ReportRowTests.machine("m2"), by: "d_1"))
        _ = try await store.take(ReportRowTests.received("Stop", by: "", noticeID: "n1"))
        _ = try await store.take(
            ReportRowTests.received("SessionEnd", machine: ReportRowTests.machine("m2"), by: "d_1"))
        let sessions = try await store.reportedSessions(ReportedSessionQuery(limit: 9))
        #expect(sessions.map(\.machine.id) == ["m1"] && sessions.map(\.status) == [.waitingForInput])
    }

    /// Else a token could rename a machine, and show a session of its own as that machine's.
    @Test func whatAnotherReportsIsNotChanged() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: ReportRowTests.now)
        for id in ["d_1", "d_2"] { try await store.createDevice(Samples.device(id, name: id)) }
        let (box, desk, own) = (
            ReportRowTests.machine(), ReportRowTests.machine("m2", "desk"), ReportRowTests.machine("own", "here")
        )
        let first = [
            ReportRowTests.received("SessionStart"),
            ReportRowTests.received("SessionStart", session: "s2", machine: desk, by: "d_2"),
            ReportRowTests.received("SessionStart", session: "s3", machine: own, by: ""),
        ]
        for report in first { #expect(try await store.take(report) == .done) }
        let (machines, sessions) = (try await store.reportedMachines(), try await Self.sessions(store))
        for (report, taking) in [
            (
                ReportRowTests.received("Stop", session: "new", machine: ReportRowTests.machine("m1", "x"), by: "d_2"),
                .machineOfAnother
            ),
            (
                ReportRowTests.received("Stop", session: "new", machine: ReportRowTests.machine("own", "x"), by: "d_2"),
                .machineOfAnother
            ),
            (
                ReportRowTests.received("SessionEnd", session: "s1", machine: desk, by: "d_2", cwd: "/x"),
                .sessionOfAnother
            ),
            (ReportRowTests.received("Stop", session: "new", machine: desk, by: "local"), .machineOfAnother),
            (ReportRowTests.received("SessionEnd", session: "s3", machine: box), .done),
        ] as [(ReceivedReport, ReportTaking)] {
            #expect(try await store.take(report) == taking)
        }
        #expect(try await store.reportedMachines() == machines)
        #expect(try await Self.sessions(store) == sessions)
        #expect(try await store.reportVersions().events == 3)
    }

    /// A machine whose token was revoked gets another one, and goes on.
    @Test func whatARevokedTokenReportedIsTheNextOnes() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: ReportRowTests.now)
        for id in ["d_1", "d_2", "d_3"] { try await store.createDevice(Samples.device(id, name: id)) }
        _ = try await store.take(ReportRowTests.received("SessionStart"))
        _ = try await store.revokeDevice(id: "d_1", at: Timestamp(milliseconds: ReportRowTests.now))
        #expect(try await store.take(ReportRowTests.received("SessionEnd", by: "d_2")) == .done)
        #expect(try await Self.sessions(store).map(\.status) == [.ended])
        #expect(
            try await store.take(ReportRowTests.received("Stop", by: "d_3")) == .machineOfAnother,
            "it is the next one's now")
    }

    private static func sessions(_ store: Store) async throws -> [ReportedSession] {
        try await store.reportedSessions(ReportedSessionQuery(limit: 9))
    }
}
