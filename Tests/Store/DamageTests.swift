import Core
import FoundationEssentials
import OrderedJSON
import Store
import Testing

struct DamageTests {
    static let garbage: [[UInt8]] = [
        Array("this is no database, and longer than a header is ............................................".utf8)
            + [UInt8](repeating: 1, count: 5000),
        [1, 2, 3], Array("SQLite format 3\0".utf8),
        Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0xff, count: 8000),
    ]

    @Test(arguments: garbage) func garbageIsSetAsideAndSaid(_ bytes: [UInt8]) async throws {
        let directory = try StoreDirectory()
        try directory.overwrite(bytes)
        let (store, remembered) = try await directory.open(now: 1_763_700_000_000)
        let aside = directory.path + "/cdev.db.corrupt-2025-11-21T04:40:00Z"
        #expect(try directory.contents(aside) == bytes)
        let notice = try #require(store.status.notice)
        #expect(notice.contains(aside) && notice.contains("rules") && notice.contains("devices"))
        // The time in milliseconds, which is above any number of the lost database.
        #expect(remembered.nextSequence == 1_763_700_000_001)
        try await store.commit([.rule(Samples.rule())], .full)
        #expect(store.status.failure == nil)
        #expect(try await directory.snapshot().open().store.status.notice == nil)
    }

    @Test func twoOnOneDayGetDifferentNames() async throws {
        let directory = try StoreDirectory()
        for _ in 0..<3 {
            try directory.overwrite(Self.garbage[0])
            let (store, _) = try await directory.open()
            try await store.close(nextSequence: 1)
        }
        #expect(try directory.files.filter { $0.hasPrefix("cdev.db.corrupt-") }.count == 3)
    }

    @Test func aFileCutShortKeepsWhatCanBeRead() async throws {
        let directory = try await filled()
        try directory.cut(to: try directory.size / 2)
        let (store, _) = try await directory.open()
        try await store.commit([.rule(Samples.rule("rule_9")), Samples.event(999_999)], .full)
        #expect(store.status.failure == nil)
    }

    /// Each table is damaged in turn; the rows of the other tables are still in force.
    @Test(arguments: ["rules", "sessions", "requests", "devices", "events", "meta", "resolutions"])
    func aBrokenTableCostsOnlyItself(_ table: String) async throws {
        let directory = try await filled()
        try directory.breakTable(table)
        let (store, kept) = try await directory.open(now: 2_000_000_000)
        #expect(kept.rules.isEmpty == (table == "rules"))
        #expect(kept.sessions.isEmpty == (table == "sessions"))
        #expect(kept.requests.isEmpty == (table == "requests" || table == "resolutions"))
        #expect(try await store.devices().isEmpty == (table == "devices"))
        #expect(kept.nextSequence >= 500)
        #expect(store.status.notice != nil)
        let again = try await directory.snapshot().open()
        #expect(again.store.status.notice == nil)
        #expect(again.remembered.rules == kept.rules)
        #expect(again.remembered.requests.filter(\.isOpen) == kept.requests.filter(\.isOpen))
    }

    /// The damage shows only when the page is read, hours after the start.
    @Test func damageInUseIsRepairedFromWhatIsInForce() async throws {
        let directory = try await filled()
        try directory.breakTable("requests_by_session")
        let (store, kept) = try await directory.open()
        #expect(store.status.notice == nil)
        let rule = Samples.rule("rule_2", effect: .deny)
        store.append([.rule(rule), Samples.event(700)])
        try await store.commit([.request(Samples.request("r_new"))], .full)
        #expect(store.status.failure == nil)
        #expect(store.status.notice?.contains("the log, the replay were lost") == true)
        let (second, remembered) = try await directory.snapshot().open()
        #expect(remembered.rules == kept.rules + [rule])
        #expect(remembered.requests.map(\.id) == ["r_1", "r_new"])
        #expect(remembered.sessions == kept.sessions)
        #expect(try await second.devices() == [Samples.device()])
        #expect(remembered.nextSequence > kept.nextSequence)
        #expect(try await second.events(from: 1, limit: 9).gap)
    }

    /// A new file would have the time of today, and devices that were paired long ago would have their days again.
    /// Where the time is lost too, days count from the pairing.
    @Test(arguments: [("requests_by_session", 7), ("meta", 0)])
    func aRepairGivesNoDeviceItsDaysAgain(_ broken: String, _ begin: Int64) async throws {
        let directory = try await filled()
        _ = try OtherConnection(directory.database).run("UPDATE meta SET value = 7 WHERE name = 'terms_begin'")
        try directory.breakTable(broken)
        let (store, _) = try await directory.open()
        try await store.commit([.request(Samples.request("r_new"))], .full)
        #expect(store.status.notice != nil)
        let (second, _) = try await directory.snapshot().open()
        #expect(try await second.termsBegin() == Timestamp(milliseconds: begin))
        #expect(try await second.devices() == [Samples.device()])
    }

    /// The input of an open request that a start did not read comes back with the relay. A row without the input would
    /// show the next start's approvers an empty call.
    @Test func aRepairWritesNoRequestWithoutItsInput() async throws {
        let directory = try StoreDirectory()
        let (first, _) = try await directory.open()
        let large = Samples.request("r_large", input: ["command": .string(String(repeating: "x", count: 20_000))])
        try await first.commit([.session(Samples.session()), .request(large), .request(Samples.request())], .full)
        try await first.close(nextSequence: 5)
        let (second, kept) = try await directory.open()
        #expect(kept.requests.map(\.input.bytesElsewhere) == [nil, large.input.text.utf8.count])
        try FileManager.default.removeItem(atPath: directory.database)
        await second.look()
        let remembered = try await directory.snapshot().open().remembered
        #expect(remembered.requests == [Samples.request()])
    }

    /// The directory is gone for a moment, just when the damaged file should be moved.
    @Test func aRepairThatFailsIsTriedAgain() async throws {
        let directory = try await filled()
        try directory.breakTable("requests_by_session")
        let (store, kept) = try await directory.open { options in
            options.now = {
                directory.hideIfAsked()
                return Timestamp(milliseconds: 1_000_000_000)
            }
        }
        try directory.askToHide()
        for _ in 0..<2 {
            await #expect(throws: StoreError.self) {
                try await store.commit([.request(Samples.request("r_new"))], .full)
            }
            #expect(store.status.failure?.kind == .cannotOpen)
        }
        try directory.show()
        try await store.commit([.request(Samples.request("r_new"))], .full)
        #expect(store.status.failure == nil)
        let remembered = try await directory.snapshot().open().remembered
        #expect(remembered.rules == kept.rules)
        #expect(remembered.requests.map(\.id) == ["r_1", "r_new"])
    }

    /// A file whose rows of rules, sessions, open requests, devices and events fill several pages, cleanly closed.
    private func filled() async throws -> StoreDirectory {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.createDevice(Samples.device())
        let old = (0..<200).map { Samples.request("old_\($0)", at: Int64($0), resolution: Samples.resolution(at: 5)) }
        let recent = Samples.request("r_0", resolution: Samples.resolution(at: 2_000_000_000))
        try await store.commit(
            old.map { .request($0) } + [.request(recent), .request(Samples.request()), .rule(Samples.rule())]
                + [.session(Samples.session())] + (1...300).map { Samples.event($0) }, .full)
        try await store.close(nextSequence: 500)
        return directory
    }
}
