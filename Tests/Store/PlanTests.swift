import Core
import OrderedJSON
import Store
import Testing

struct PlanTests {
    /// A scan would grow with the log, and a hook would wait for it.
    @Test func noStatementScansATableThatGrows() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await exercise(store)
        let other = try OtherConnection(directory.database)
        var checked = 0
        for statement in await store.statementTexts where statement.contains("SELECT") || statement.contains("DELETE") {
            for step in try other.run("EXPLAIN QUERY PLAN " + statement).map({ $0[3] }) {
                let isScan = step.hasPrefix("SCAN") || step.contains("TEMP B-TREE")
                let isSmall =
                    step == "USE TEMP B-TREE FOR ORDER BY" || Self.smallTables.contains { step == "SCAN \($0)" }
                let isEnd = step == "SCAN events" && statement.hasSuffix("DESC LIMIT 1")
                // Of sessions that were reported a page is looked up in an index, and then sorted and joined.
                let isPage = statement.contains("AS page") && (step == "SCAN page" || step.hasPrefix("USE TEMP B-TREE"))
                #expect(
                    !isScan || isEnd || isPage || (isSmall && Self.readsSmallTable(statement)),
                    "\(step) in \(statement)")
                checked += 1
            }
        }
        #expect(checked > 15)
    }

    /// A start finds the requests that people were asked without reading those that were settled at once.
    @Test func aStartLooksAtRequestsAlone() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        let other = try OtherConnection(directory.database)
        let texts = await store.statementTexts.filter { $0.contains("deadline <> created_at") }
        #expect(texts.count == 1)
        for text in texts {
            let steps = try other.run("EXPLAIN QUERY PLAN " + text).map { $0[3] }
            #expect(steps.first == "SEARCH requests USING INDEX requests_asked_by_end (ended_at>?)")
        }
    }

    /// Tables that may be scanned: people grant few rules and devices, few Claude processes live at a time, and there are
    /// at most 500 workspaces, 1000 removed ones, 1000 run sessions, and 50 machines of each device that reports.
    private static let smallTables = [
        "rules", "devices", "sqlite_schema", "claude_processes", "boot", "workspaces", "run_sessions",
        "report_machines",
    ]

    private static func readsSmallTable(_ statement: String) -> Bool {
        smallTables.contains { statement.contains("FROM \($0)") }
    }

    private func exercise(_ store: Store) async throws {
        let ended = Samples.request(resolution: Samples.resolution())
        try await store.commit(
            [
                .request(Samples.request()), .request(ended), .rule(Samples.rule()), .session(Samples.session()),
                Samples.event(1), .deleteRule(id: "rule_9"), .deleteRules(sessionID: "s9"), .sequenceCeiling(9),
            ], .full)
        try await store.createDevice(Samples.device())
        _ = try await store.devices()
        _ = try await store.events(from: 1, limit: 1)
        _ = try await store.history(HistoryQuery(text: "x", sessionID: "s1", decision: .allow))
        _ = try await store.history(HistoryQuery())
        try await report(to: store)
        try await store.sweep(Retention(days: -9_999))
    }

    private func report(to store: Store) async throws {
        _ = try await store.take(ReportRowTests.received("Stop", noticeID: "n1"))
        _ = try await store.reportedMachines()
        for choice in [.all, .notEnded, .notEndedElsewhere, .status(.idle)] as [ReportedSessionQuery.Choice] {
            for machine in [nil, "m1"] {
                _ = try await store.reportedSessions(
                    ReportedSessionQuery(machineID: machine, choice: choice, limit: 1))
            }
        }
        _ = try await store.reportedEvents(sessionID: "s1", limit: 1)
        _ = try await store.reportNotices(after: .id("n1"), limit: 1)
        _ = try await store.reportNotice(id: "n1")
        let time = Timestamp(milliseconds: 1)
        let registration = PushRegistration(token: "t", platform: "ios", isSandbox: false)
        try await store.keep(KeptRegistration(registration, reporter: "d_1", registeredAt: time))
        try await store.forgetPushRegistration(token: "t", registeredBy: time)
        try await store.forgetPushRegistrations(reporter: "d_1")
    }
}
