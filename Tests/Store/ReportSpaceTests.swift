import Core
import Platform
import Store
import Testing

/// The room that reports take on the disk.
@Suite(.timeLimit(.minutes(5))) struct ReportSpaceTests {
    private static let day: Int64 = 86_400_000
    private static let eventsOfADay = 600

    private let directory: StoreDirectory
    private let clock = Locked(Timestamp(milliseconds: 100 * day))

    init() throws {
        directory = try StoreDirectory()
    }

    private func open(_ change: (inout StoreOptions) -> Void = { _ in }) async throws -> Store {
        let (clock, directory) = (clock, directory)
        return try await directory.open { options in
            options.now = {
                _ = directory
                return clock.withLock { $0 }
            }
            change(&options)
        }.store
    }

    /// A day of reports of two machines, a few sessions each; and what the sweeps of that day do.
    private func spendDay(_ number: Int, _ store: Store, events: Int = eventsOfADay) async throws {
        let begin = (100 + Int64(number)) * Self.day
        clock.withLock { $0 = Timestamp(milliseconds: begin) }
        for event in 0..<events {
            let (machine, at) = (event % 2, begin + Int64(event) * 100_000)
            let report = ReportRowTests.received(
                event % 10 == 0 ? "Stop" : "PostToolUse", session: "s\(number)-\(event % 20)",
                machine: ReportRowTests.machine("m\(machine)"), by: "d_\(machine)",
                timestamp: Timestamp(milliseconds: at).rfc3339WithMilliseconds,
                message: String(repeating: "x", count: 1000), noticeID: "n\(number)-\(event)", at: at)
            _ = try await store.take(report)
        }
        try await store.sweep(Retention())
    }

    private func pages() throws -> Int {
        Int(try OtherConnection(directory.database).run("PRAGMA page_count")[0][0]) ?? 0
    }

    @Test func afterTheFirstWeekTheFileGrowsNoMore() async throws {
        let store = try await open()
        var sizes: [Int] = []
        for number in 0..<14 {
            try await spendDay(number, store)
            sizes.append(try pages())
        }
        // A day's rows go with the first sweep that comes seven days after them.
        let week = sizes[8]
        #expect(week > 1024 && sizes[2] < week / 2, "\(sizes)")
        #expect(sizes.dropFirst(9).allSatisfy { $0 <= week + week / 20 }, "\(sizes)")
        // Nobody reports any more: the pages go back to the file system, all but a few megabytes.
        for number in 40..<42 { try await spendDay(number, store, events: 0) }
        #expect(try pages() < 1200)
        let rows = try OtherConnection(directory.database).run("SELECT count(*) FROM report_sessions")
        #expect(rows == [["0"]])
    }

    /// A machine that reports without end keeps to its share before the week is over.
    @Test func aFloodGrowsTheFileToItsShareOnly() async throws {
        let store = try await open { $0.reportLimits.mostEvents = 300 }
        var sizes: [Int] = []
        for number in 0..<5 {
            try await spendDay(number, store, events: 1000)
            sizes.append(try pages())
        }
        // The file has room for the share and for what comes between two sweeps.
        #expect(sizes.dropFirst(2).allSatisfy { $0 <= sizes[1] + sizes[1] / 5 }, "\(sizes)")
        let rows = try OtherConnection(directory.database).run(
            "SELECT reporter, count(*) FROM report_events GROUP BY 1 ORDER BY 1")
        #expect(rows == [["d_0", "300"], ["d_1", "300"]])
    }
}
