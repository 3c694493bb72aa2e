import Core
import OrderedJSON
import Store
import Testing

struct MigrationTests {
    /// A released step never changes. Where this fails, undo the change and append a step.
    @Test func theStepsAreSealed() {
        let sums: [UInt64] = [
            6_488_297_821_844_398_308, 17_836_149_461_071_618_818, 7_787_057_351_142_448_583,
            12_736_958_605_444_603_599, 15_857_990_765_731_241_229, 11_889_711_358_212_698_220,
            11_190_569_133_259_123_144, 17_171_389_383_114_876_457, 3_666_801_401_803_024_053,
            13_493_535_327_275_466_192, 3_954_351_137_616_858_801, 9_713_446_144_461_858_242,
            74_060_567_345_554_887, 4_521_693_545_276_129_134, 16_974_270_771_575_731_392,
            9_043_538_272_328_403_074, 2_645_598_154_292_020_661, 18_249_169_320_559_112_878,
            7_299_429_339_622_007_865, 16_266_376_800_151_430_272,
            11_518_419_913_011_267_449, 17_143_517_645_593_059_936,
        ]
        #expect(Migration.all.map { Self.checksum($0.sql) } == sums)
    }

    /// In a table without row numbers SQLite reads a whole row to compare its key, and these are as long as people like.
    @Test func rowsOfAnyLengthHaveNumbers() async throws {
        let directory = try StoreDirectory()
        _ = try await directory.open()
        let tables = try OtherConnection(directory.database).run(
            "SELECT name FROM pragma_table_list WHERE wr = 0 AND name IN ('events', 'requests', 'resolutions') ORDER BY 1"
        )
        #expect(tables == [["events"], ["requests"], ["resolutions"]])
    }

    @Test func aNewFileTakesAllSteps() async throws {
        let directory = try StoreDirectory()
        _ = try await directory.open()
        let other = try OtherConnection(directory.database)
        #expect(try other.run("PRAGMA user_version") == [["\(Migration.all.count)"]])
        #expect(try other.run("PRAGMA application_id") == [["\(0x6364_6576)"]])
        #expect(try other.run("PRAGMA auto_vacuum") == [["2"]])
        #expect(try other.run("PRAGMA integrity_check") == [["ok"]])
    }

    /// The rows as each released version wrote them, in SQL, so that no change of the program changes them.
    static let fixtures: [Int: String] = [
        1: """
        INSERT INTO requests VALUES (
            7, 'r_1', 1000000000, 's1', NULL, NULL, 1, 'toolu_r_1', 'PreToolUse', 'Bash', '/home/u/work', 'p1',
            'default', 'a1', 'explore', '["Bash(touch:*)"]', '["Bash(touch x)"]', 1000060000, 0, 0, 1, 'token',
            x'010200ff', 21, '{"command":"touch x"}');
        INSERT INTO rules VALUES (
            'rule_1', 's1', 'allow', 'Bash(touch:*)', 1000000000, 'device phone', 'r_1', 1000000000);
        INSERT INTO sessions VALUES (
            's1', '/home/u/work/sub', '/home/u/work', '/t.jsonl', 'plan', 1000000000, 1000000001, 77, -2, 0, 1,
            NULL, '[]');
        INSERT INTO tokens VALUES (
            't_1', 'phone', 'cdev_s_', x'0102', '["decide","read","report"]', 1000000000, 1000000001, NULL);
        INSERT INTO events (sequence, at, bytes, total, text) VALUES (41, 1000000000, 15, 15, '{"sequence":41}');
        """,
        2: """
        INSERT INTO devices VALUES (
            't_1', 'token', 'phone', '["decide","read","report"]', '', 1000000000, x'0102', NULL, NULL, NULL,
            1000000001, NULL, NULL);
        """,
        3: notices, 4: notices, 5: notices, 6: notices, 7: notices, 8: notices,
        9: notices, 10: notices, 11: notices, 12: notices,
        13: notices + workspaces, 14: notices + workspaces + runSessions,
        15: notices + workspaces + runSessions.replacing("17);", with: "17, '[]');"),
        16: notices + workspaces
            + runSessions.replacing("17);", with: "17, '[]', 'default', 'cdev-2-3');"),
        17: notices + workspaces
            + runSessions.replacing("17);", with: "17, '[]', 'default', 'cdev-2-3', 'high');"),
        18: reported, 19: reported,
        20: reported.replacing("'high');", with: "'high', 'ignored');"),
        21: described, 22: described,
    ]

    private static let described = reported.replacing("'high');", with: "'high', 'ignored');")
        .replacing("NULL);\nINSERT INTO workspaces", with: "NULL, 'mine');\nINSERT INTO workspaces")
        .replacing("1000000002);", with: "1000000002, '');")

    private static let reported =
        notices + workspaces + runSessions.replacing("17);", with: "17, '[]', 'default', 'cdev-2-3', 'high');")
        + reports

    private static let notices = """
        INSERT INTO devices VALUES (
            't_1', 'token', 'phone', '["decide","read","report"]', '', 1000000000, x'0102', NULL, NULL, NULL,
            1000000001, NULL, NULL);
        INSERT INTO push_subscriptions VALUES ('t_1', 'phone', 'https://push.example/1', x'04', x'05', 1000000000);
        INSERT INTO answer_links VALUES (x'01', 'r_1', 1, 'deny', 'ntfy', x'02', 1000000000, 1000060000, NULL);
        """

    private static let workspaces = """
        INSERT INTO workspaces VALUES ('ws-1', 'p', '/p', 1, 'seen', 1000000000, 1000000001, NULL);
        INSERT INTO workspaces VALUES ('ws-2', 'q', '/q', 0, 'added', 1000000000, 1000000001, 1000000002);
        """

    private static let runSessions = """
        INSERT INTO run_sessions VALUES (
            's_1', 'ws-1', '/p', 1000000000, 1000000001, 'a1', 'plan', 'm', NULL, 'ending', 'never_started', 'no',
            'terminated', 2, 7, 5, '', 1, 0, 1, '["t"]', '[["p","started",true]]', '[["r","permission",7,9]]', 17);
        """

    private static let reports = """
        INSERT INTO report_machines VALUES ('m1', 'box', 'linux', 't_1', 1000000000, 1000000001);
        INSERT INTO report_sessions VALUES (
            's9', 'm1', 't_1', 1000000000, 1000000001, 'waiting_for_input', 0, '/p', 'fix it');
        INSERT INTO report_events VALUES (
            7, 's9', 't_1', 1000000000, 'Stop', '1970-01-12T13:46:40Z', NULL, NULL, NULL);
        INSERT INTO report_notices VALUES (
            3, 'n1', 7, 's9', 'm1', 't_1', 'stop', 'fix it', 'Session stopped: No reason given', 1000000000, 1);
        INSERT INTO push_registrations VALUES ('aa', 'ios', 1, 't_1', 1000000000);
        """

    private let phone = Device(
        id: "t_1", name: "phone", rights: .approver, createdAt: Timestamp(milliseconds: 1_000_000_000),
        credential: .token(hash: [1, 2]), lastSeen: Timestamp(milliseconds: 1_000_000_001))

    @Test(arguments: 1...Migration.all.count) func everyOlderVersionIsTakenOver(_ version: Int) async throws {
        let directory = try StoreDirectory()
        do {
            let other = try OtherConnection(directory.database)
            try other.script("PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;")
            for step in Migration.all.prefix(version) { try other.script(step.sql) }
            try other.script(
                "PRAGMA user_version=\(version); PRAGMA application_id=\(0x6364_6576);"
                    + "INSERT INTO meta VALUES ('sequence_ceiling', 41), ('clean_next', 42);")
            let first = try #require(Self.fixtures[1])
            let asked = version < 5 ? first : first.replacing(#""touch x"}');"#, with: #""touch x"}', NULL);"#)
            let old = version < 6 ? asked : asked.replacing("'r_1', 1000000000);", with: "'r_1', 1000000000, 't_1');")
            let texts = version < 9 ? old : old.replacing("NULL, '[]');", with: "NULL, '[]', NULL, NULL, NULL);")
            let heirs = version < 10 ? texts : texts.replacing("NULL, NULL, NULL);", with: "NULL, NULL, NULL, 0);")
            let origins = version < 22 ? heirs : heirs.replacing("NULL, NULL, 0);", with: "NULL, NULL, 0, 1);")
            // Rows that later versions left as they were, and rows that they changed.
            let fixture =
                version == 1
                ? origins
                : origins.replacing(/INSERT INTO tokens[^;]*;/, with: "")
                    + (try #require(Self.fixtures[version], "version \(version) needs a fixture"))
            try other.script(fixture)
        }
        let (store, kept) = try await directory.open()
        #expect(kept.requests == [Samples.request()])
        #expect(kept.rules == [Samples.rule()])
        #expect(kept.sessions == [Samples.session()])
        #expect(try await store.devices() == [phone])
        let workspaces = try await store.workspaces()
        #expect(workspaces.kept.map(\.path) == (version < 13 ? [] : ["/p"]))
        #expect(workspaces.removed.map(\.workspace.path) == (version < 13 ? [] : ["/q"]))
        #expect(workspaces.kept.map(\.description) == (version < 13 ? [] : [version < 21 ? "" : "mine"]))
        let runs = try await store.runSessions()
        #expect(runs.map(\.id) == (version < 14 ? [] : ["s_1"]))
        #expect(runs.allSatisfy { $0.life == .ending(RunEnding(.end(.neverStarted("no")), step: .terminated)) })
        #expect(runs.map(\.projectSettings) == (version < 14 ? [] : [version < 20 ? nil : .ignored]))
        let reported = try await store.reportedSessions(ReportedSessionQuery(limit: 9))
        #expect(reported.map(\.status) == (version < 18 ? [] : [.waitingForInput]))
        #expect(try await store.reportNotices(after: nil, limit: 9).map(\.id) == (version < 18 ? [] : ["n1"]))
        #expect(kept.nextSequence == 42)
        let event = StoredEvent.notification(sequence: 41, text: #"{"sequence":41}"#)
        #expect(try await store.events(from: 41, limit: 1) == EventPage(events: [event], nextSequence: 42))
    }

    @Test func aStepThatFailsLeavesTheVersionBefore() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit([.rule(Samples.rule())], .full)
        try await store.close(nextSequence: 1)
        let broken = Migration(name: "broken", sql: "DELETE FROM rules; SELECT nonsense;")
        await #expect(throws: StoreError.self) {
            _ = try await directory.open { $0.migrations = Migration.all + [broken] }
        }
        #expect(try await directory.open().remembered.rules == [Samples.rule()])
    }

    @Test func aNewerDatabaseIsRefusedAndLeftAlone() async throws {
        let directory = try StoreDirectory()
        let later = Migration(name: "later", sql: "ALTER TABLE rules ADD COLUMN later TEXT;")
        let (store, _) = try await directory.open { $0.migrations = Migration.all + [later] }
        try await store.close(nextSequence: 1)
        let before = try directory.contents(directory.database)
        let known = Migration.all.count
        await #expect { _ = try await directory.open() } throws: { error in
            (error as? StoreError)?.kind == .newer(found: known + 1, supported: known)
                && "\(error)".contains("version \(known + 1)") && "\(error)".contains("up to \(known)")
        }
        #expect(try directory.contents(directory.database) == before)
        #expect(try directory.files == ["cdev.db"])
    }

    @Test(arguments: ["CREATE TABLE other (x)", "PRAGMA user_version=1", "PRAGMA application_id=77"])
    func somebodyElsesDatabaseIsRefusedAndLeftAlone(_ sql: String) async throws {
        let directory = try StoreDirectory()
        try OtherConnection(directory.database).script(sql)
        let before = try directory.contents(directory.database)
        await #expect { _ = try await directory.open() } throws: { ($0 as? StoreError)?.kind == .foreign }
        #expect(try directory.contents(directory.database) == before)
    }

    /// FNV-1a.
    private static func checksum(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
