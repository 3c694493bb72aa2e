import CSQLite
import Glibc
import OrderedJSON

/// A home whose database holds a week of reports: of each machine as many events, sessions and notifications as are kept.
struct ReportHistory {
    let home: String
    /// One of each machine, by which it reports.
    let tokens: [String]
    let sessions: Int

    private static let sessionsOfEach = 2000
    private static let noticesOfEach = 2000

    init(_ bench: Bench, machines: Int, eventsOfEach: Int) throws {
        home = try bench.makeDirectory("h")
        let daemon = try DaemonProcess(bench, home: home)
        let made = try (0..<machines).map { try daemon.device("machine \($0)") }
        tokens = made.map(\.token)
        daemon.stop()
        sessions = machines * Self.sessionsOfEach
        try Self.fill(home + "/cdev.db", made.map(\.id), eventsOfEach)
    }

    private static func fill(_ path: String, _ reporters: [String], _ eventsOfEach: Int) throws {
        let count = reporters.count
        let (events, sessions, notices) = (count * eventsOfEach, count * sessionsOfEach, count * noticesOfEach)
        let names = reporters.enumerated().map { "(\($0), '\($1)')" }.joined(separator: ", ")
        try Database.run(
            path,
            """
            PRAGMA synchronous = OFF;
            CREATE TEMP TABLE reporter (number INTEGER PRIMARY KEY, id TEXT);
            INSERT INTO reporter VALUES \(names);
            CREATE TEMP TABLE clock AS SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000 AS now;
            BEGIN;
            INSERT INTO report_machines (id, name, platform, reporter, first_seen, last_seen)
                SELECT 'machine-' || number, 'box ' || number, 'linux', id, now - \(week), now FROM reporter, clock;
            INSERT INTO report_sessions (id, machine_id, reporter, started_at, last_event, status, is_ended, cwd, title)
                \(series(sessions)) SELECT 'session-' || n.value, 'machine-' || number, id, \(time(sessions)), \(time(sessions)),
                iif(n.value % 2, 'ended', 'waiting_for_input'), n.value % 2, '/home/me/work', 'fix the build'
                FROM n, clock CROSS JOIN reporter ON number = n.value % \(count);
            INSERT INTO report_events
                (number, session_id, reporter, received_at, name, timestamp, tool_name, notification_type, message)
                \(series(events)) SELECT n.value, 'session-' || (n.value % \(sessions) + 1), id, \(time(events)), 'PreToolUse',
                strftime('%Y-%m-%dT%H:%M:%fZ', \(time(events)) / 1000.0, 'unixepoch'), 'Bash', NULL, 'runs the tests'
                FROM n, clock CROSS JOIN reporter ON number = (n.value % \(sessions) + 1) % \(count);
            INSERT INTO report_notices
                (number, id, event, session_id, machine_id, reporter, kind, title, body, created_at, is_acknowledged)
                \(series(notices)) SELECT n.value, 'notice-' || n.value, n.value, 'session-' || n.value,
                'machine-' || number, id, 'stop', 'fix the build', 'Session stopped: No reason given',
                now - (\(notices) - n.value) * 2000, 0
                FROM n, clock CROSS JOIN reporter ON number = n.value % \(count);
            INSERT OR REPLACE INTO meta VALUES ('report_number', \(events)), ('report_notice_number', \(notices));
            COMMIT; PRAGMA wal_checkpoint(TRUNCATE);
            """)
    }

    private static let week = 7 * 86_400_000

    private static func series(_ count: Int) -> String {
        "WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < \(count))"
    }

    /// Spread over the week, all but its first hour: what is older goes.
    private static func time(_ count: Int) -> String {
        "(now - (\(count) - n.value) * \(week - 3_600_000) / \(count))"
    }
}

/// A database that no daemon has open.
enum Database {
    static func run(_ path: String, _ sql: String) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else { throw BenchError("\(path) cannot be opened") }
        defer { sqlite3_close(handle) }
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchError("filling the database: \(String(cString: sqlite3_errmsg(handle)))")
        }
    }
}
