import Core
import Store
import Testing

/// What is kept of reports.
struct ReportRowTests {
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 24 * hour
    static let now: Int64 = 100 * day

    static func machine(_ id: String = "m1", _ name: String = "box") -> ReportingMachine {
        ReportingMachine(id: id, name: name, platform: "linux")
    }

    static func received(
        _ name: String, _ type: String? = nil, session: String = "s1", machine: ReportingMachine = machine(),
        by reporter: String = "d_1", timestamp: String = "2026-11-22T07:18:04.875Z", cwd: String? = nil,
        prompt: String? = nil, message: String? = nil, noticeID: String = "", at: Int64 = now
    ) -> ReceivedReport {
        let report = SessionReport(
            machine: machine, sessionID: session, name: name, timestamp: timestamp, cwd: cwd, message: message,
            notificationType: type, prompt: prompt)
        let notice = ReportNotice(of: report)
        return ReceivedReport(
            report: report, reporter: reporter, notice: notice, noticeID: notice == nil ? "" : noticeID,
            at: Timestamp(milliseconds: at))
    }

    @Test func aSessionFollowsItsEvents() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        let other = Self.machine("m2", "other")
        for (offset, report) in [
            Self.received("PreToolUse", cwd: "/a"), Self.received("UserPromptSubmit", prompt: ""),
            Self.received("UserPromptSubmit", machine: other, cwd: "/b", prompt: "first"),
            Self.received("UserPromptSubmit", prompt: "second"), Self.received("Stop", noticeID: "n1"),
            Self.received("PostToolUse"),
        ].enumerated() {
            let at = Timestamp(milliseconds: Self.now + Int64(offset))
            #expect(
                try await store.take(
                    ReceivedReport(
                        report: report.report, reporter: report.reporter, notice: report.notice,
                        noticeID: report.noticeID, at: at)) == .done)
        }
        let expected = ReportedSession(
            id: "s1", machine: Self.machine(), startedAt: Timestamp(milliseconds: Self.now),
            lastEvent: Timestamp(milliseconds: Self.now + 5), status: .waitingForInput, cwd: "/b", title: "first")
        #expect(try await store.reportedSessions(ReportedSessionQuery(limit: 9)) == [expected])
        let machines = try await store.reportedMachines()
        #expect(machines.map(\.machine.id) == ["m1", "m2"] && machines.map(\.openSessions) == [1, 0])
        let notices = try await store.reportNotices(after: nil, limit: 9)
        #expect(notices.map(\.title) == ["first"] && notices.map(\.eventNumber) == [5])
        #expect(notices.map(\.body) == ["Session stopped: No reason given"] && notices.map(\.id) == ["n1"])
    }

    @Test func theNumbersRiseAcrossStarts() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        #expect(try await store.reportVersions() == ReportVersions(events: 0, notices: 0))
        _ = try await store.take(Self.received("SessionStart"))
        _ = try await store.take(Self.received("Stop", noticeID: "n1"))
        #expect(try await store.reportVersions() == ReportVersions(events: 2, notices: 1))
        let (later, _) = try await directory.snapshot().open(now: Self.now + 9 * Self.day)
        try await later.sweep(Retention())
        #expect(try await later.reportedEvents(sessionID: "s1", limit: 9) == [])
        _ = try await later.take(Self.received("Stop", noticeID: "n2", at: Self.now + 9 * Self.day))
        #expect(try await later.reportVersions() == ReportVersions(events: 3, notices: 2))
        #expect(try await later.reportedEvents(sessionID: "s1", limit: 9).map(\.number) == [3])
    }

    @Test func whatHasEndedStaysSoUntilItBeginsAgain() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        for (name, isOpen) in [
            ("SessionEnd", false), ("PostToolUse", false), ("UserPromptSubmit", true), ("PostToolUse", true),
        ] {
            _ = try await store.take(Self.received(name))
            let open = try await store.reportedSessions(ReportedSessionQuery(choice: .notEnded, limit: 9))
            let all = try await store.reportedSessions(ReportedSessionQuery(limit: 9))
            #expect(open.count == (isOpen ? 1 : 0) && all.map(\.status) == [isOpen ? .active : .ended], "\(name)")
        }
    }

    @Test func aMachineMayChangeItsNameAlone() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        _ = try await store.take(Self.received("Stop"))
        let renamed = ReportingMachine(id: "m1", name: "laptop", platform: "mac")
        _ = try await store.take(Self.received("SessionEnd", machine: renamed, at: Self.now + 1))
        let machine = try #require(try await store.reportedMachines().first)
        #expect(machine.machine == Self.machine("m1", "laptop"))
        #expect(machine.firstSeen.milliseconds == Self.now && machine.lastSeen.milliseconds == Self.now + 1)
    }

    @Test func lists() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        for (offset, (session, machine, name)) in [
            ("a", "m1", "Stop"), ("b", "m1", "SessionEnd"), ("c", "m2", "SessionStart"), ("d", "m2", "SessionEnd"),
            ("e", "m2", "Stop"),
        ].enumerated() {
            _ = try await store.take(
                Self.received(
                    name, session: session, machine: Self.machine(machine), noticeID: session,
                    at: Self.now + Int64(offset)))
        }
        func ids(
            _ machine: String? = nil, _ choice: ReportedSessionQuery.Choice = .all, limit: Int = 9, offset: Int = 0
        ) async throws -> String {
            let query = ReportedSessionQuery(machineID: machine, choice: choice, limit: limit, offset: offset)
            return try await store.reportedSessions(query).map(\.id).joined()
        }
        #expect(try await ids() == "ecadb")
        #expect(try await ids(limit: 2, offset: 2) == "ad")
        #expect(try await ids(nil, .notEnded) == "eca")
        #expect(try await ids(nil, .status(.waitingForInput)) == "ea")
        #expect(try await ids("m2") == "edc", "by the last event alone")
        #expect(try await ids("m2", .status(.ended)) == "d")
        #expect(try await ids("m2", .notEnded) == "ec")
        #expect(try await ids("m9") == "")
        _ = try await store.take(
            Self.received("SessionStart", session: "own", machine: Self.machine("own"), by: "", at: Self.now + 9))
        #expect(try await ids(nil, .notEndedElsewhere) == "eca")
    }

    @Test func eventsByTheTimesThatTheMachineTold() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        for time in ["2026-11-22T07:00:01Z", "2026-11-22T07:00:03Z", "2026-11-22T07:00:02Z", "2026-11-22T07:00:03Z"] {
            _ = try await store.take(Self.received("PreToolUse", timestamp: time, message: time))
        }
        let events = try await store.reportedEvents(sessionID: "s1", limit: 3)
        #expect(events.map(\.number) == [4, 2, 3] && events.first?.message == "2026-11-22T07:00:03Z")
        #expect(try await store.reportedEvents(sessionID: "s9", limit: 3) == [])
    }

    /// A client asks for what is behind the last time it saw, or behind an id.
    @Test func noTwoNotificationsHaveOneTime() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        for id in ["n1", "n2", "n3"] { _ = try await store.take(Self.received("Stop", noticeID: id)) }
        let all = try await store.reportNotices(after: nil, limit: 9)
        #expect(all.map(\.createdAt.milliseconds) == [Self.now, Self.now + 1, Self.now + 2])
        func ids(after place: ReportNoticePlace?) async throws -> [String] {
            try await store.reportNotices(after: place, limit: 9).map(\.id)
        }
        #expect(try await ids(after: .time(Timestamp(milliseconds: Self.now))) == ["n2", "n3"])
        #expect(try await ids(after: .id("n2")) == ["n3"])
        #expect(try await ids(after: .id("nobody")) == ["n1", "n2", "n3"])
        try await store.acknowledgeReportNotices(["n2", "nobody", "n2"])
        #expect(try await store.reportNotices(after: nil, limit: 9).map(\.isAcknowledged) == [false, true, false])
    }

    /// What came later is behind an id, whatever its time.
    @Test func theClockIsSetBackBetweenNotifications() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        _ = try await store.take(Self.received("Stop", noticeID: "n1"))
        _ = try await store.take(Self.received("Stop", noticeID: "n2", at: Self.now - 3_600_000))
        #expect(try await store.reportNotices(after: .id("n1"), limit: 9).map(\.id) == ["n2"])
        #expect(try await store.reportNotices(after: .id("n2"), limit: 9).isEmpty)
    }

    // MARK: What goes

    @Test func whatIsOldGoes() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        let rows: [(id: String, reporter: String, age: Int64)] = [
            ("ancient", "d_1", 31 * Self.day), ("own", "", 31 * Self.day), ("old", "d_1", 7 * Self.day + 1),
            ("new", "d_1", 7 * Self.day), ("fresh", "d_1", 1),
        ]
        for row in rows {
            _ = try await store.take(
                Self.received(
                    "Stop", session: row.id, machine: Self.machine(row.id), by: row.reporter, noticeID: row.id,
                    at: Self.now - row.age))
        }
        try await store.sweep(Retention())
        let sessions = try await store.reportedSessions(ReportedSessionQuery(limit: 9))
        #expect(sessions.map(\.id) == ["fresh", "new"])
        for (id, count) in [("old", 0), ("new", 1)] {
            #expect(try await store.reportedEvents(sessionID: id, limit: 9).count == count)
        }
        #expect(try await store.reportNotices(after: nil, limit: 9).map(\.id) == ["fresh"])
        let machines = try await store.reportedMachines().map(\.machine.id)
        #expect(machines == ["fresh", "new", "old", "own"], "this machine keeps its id")
    }

    @Test func notificationsGoAfterADay() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        for (id, age) in [("old", Self.day + 1), ("new", Self.day)] {
            _ = try await store.take(Self.received("Stop", noticeID: id, at: Self.now - age))
        }
        try await store.sweep(Retention())
        #expect(try await store.reportNotices(after: nil, limit: 9).map(\.id) == ["new"])
        #expect(try await store.reportedEvents(sessionID: "s1", limit: 9).count == 2)
    }

    @Test func eachReporterHasItsShare() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now) { options in
            options.reportLimits.mostEvents = 5
            options.reportLimits.mostNotices = 2
            options.reportLimits.mostSessions = 3
        }
        for number in 0..<9 {
            _ = try await store.take(
                Self.received(
                    "Stop", session: "s\(number)", noticeID: "n\(number)", at: Self.now + Int64(number)))
        }
        _ = try await store.take(Self.received("Stop", session: "other", by: "d_2", noticeID: "other"))
        try await store.sweep(Retention())
        let sessions = try await store.reportedSessions(ReportedSessionQuery(limit: 99)).map(\.id)
        #expect(sessions == ["s8", "s7", "s6", "other"])
        #expect(try await store.reportNotices(after: nil, limit: 9).map(\.id).sorted() == ["n7", "n8", "other"])
        let rows = try OtherConnection(directory.database).run("SELECT count(*) FROM report_events")
        #expect(rows == [["4"]])
    }

    @Test func aReporterHasSoManyMachines() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now) { $0.reportLimits.mostMachines = 2 }
        for (id, reporter, taking) in [
            ("m1", "d_1", .done), ("m2", "d_1", .done), ("m3", "d_1", .tooManyMachines), ("m3", "d_2", .done),
            ("m1", "d_1", .done),
        ] as [(String, String, ReportTaking)] {
            let report = Self.received("SessionStart", session: id, machine: Self.machine(id), by: reporter)
            #expect(try await store.take(report) == taking)
        }
        #expect(try await store.reportVersions().events == 4)
    }

    @Test func aTokenIsRegisteredOnceAndTheOldestGo() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now) { $0.reportLimits.mostRegistrations = 2 }
        for (offset, token) in ["a", "b", "a", "c"].enumerated() {
            let registration = PushRegistration(token: token, platform: "ios", isSandbox: offset > 1)
            try await store.keep(
                KeptRegistration(
                    registration, reporter: "d_1", registeredAt: Timestamp(milliseconds: Self.now + Int64(offset))))
        }
        let rows = try OtherConnection(directory.database).run(
            "SELECT token, is_sandbox FROM push_registrations ORDER BY token")
        #expect(rows == [["a", "1"], ["c", "1"]])
    }

    @Test func aRegistrationGoesWithItsDevice() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        let device = Samples.device("d_1")
        try await store.createDevice(device)
        let times = (1...4).map { Timestamp(milliseconds: Self.now + $0) }
        let kept = zip(["a", "b", "c", "d"], ["d_1", "d_2", "d_2", "d_3"]).enumerated().map { offset, pair in
            KeptRegistration(
                PushRegistration(token: pair.0, platform: "ios", isSandbox: offset == 1), reporter: pair.1,
                registeredAt: times[offset])
        }
        for registration in kept { try await store.keep(registration) }
        #expect(try await store.pushRegistrations() == kept)
        _ = try await store.revokeDevice(id: "d_1", at: times[0])
        #expect(try await store.pushRegistrations() == Array(kept.dropFirst()))
        // Renewed since the push service looked.
        try await store.forgetPushRegistration(token: "b", registeredBy: times[0])
        #expect(try await store.pushRegistrations() == Array(kept.dropFirst()))
        try await store.forgetPushRegistration(token: "b", registeredBy: times[1])
        #expect(try await store.pushRegistrations() == Array(kept.dropFirst(2)))
        try await store.forgetPushRegistrations(reporter: "d_2")
        #expect(try await store.pushRegistrations() == [kept[3]])
    }

    @Test func aNotificationIsFoundByItsID() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: Self.now)
        _ = try await store.take(Self.received("UserPromptSubmit", prompt: "fix it"))
        _ = try await store.take(Self.received("Stop", noticeID: "n1"))
        let found = try #require(try await store.reportNotice(id: "n1"))
        #expect(found.title == "fix it" && found.sessionID == "s1" && found.kind == .stop)
        #expect(try await store.reportNotice(id: "n2") == nil)
    }
}
