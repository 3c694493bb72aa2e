import CSQLite
import Glibc

/// A home whose database holds many calls of the past: each the copy of one that a rule has settled, a second apart.
struct History {
    let home: String

    init(_ bench: Bench, rows: Int, sessions: Int = 100) throws {
        home = try bench.makeDirectory("h")
        let daemon = try DaemonProcess(bench, home: home)
        let approver = try daemon.approver()
        try daemon.allow(sessions: ["past"], by: approver)
        let call = HTTPText.post("/hooks/claude", HookInput.bash(session: "past", id: "past"))
        _ = try daemon.client().exchange(call)
        daemon.stop()
        try Self.multiply(home + "/cdev.db", rows, sessions)
    }

    private static func multiply(_ path: String, _ rows: Int, _ sessions: Int) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else { throw BenchError("\(path) cannot be opened") }
        defer { sqlite3_close(handle) }
        let columns = try names(handle, "requests")
        // The oldest comes first, as they did.
        let ago = "(\(rows) - n.value) * 1000"
        let changed = [
            "number": "1000 + n.value", "id": "'past-' || n.value", "created_at": "created_at - \(ago)",
            "ended_at": "ended_at - \(ago)", "deadline": "created_at - \(ago)",
            "session_id": "'session-' || (n.value % \(sessions))", "tool_use_id": "'tool-' || n.value",
            "relay_token": "'token-' || n.value",
        ]
        let values = columns.map { changed[$0] ?? $0 }.joined(separator: ", ")
        let series = "WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < \(rows))"
        try run(
            handle,
            """
            PRAGMA synchronous = OFF; BEGIN;
            INSERT INTO requests \(series) SELECT \(values) FROM n, (SELECT * FROM requests WHERE session_id = 'past'
                AND ended_at IS NOT NULL LIMIT 1);
            INSERT INTO resolutions (request, opening, revision, decision, resolver, reason, at, is_delivered, is_confirmed)
                SELECT number, 1, 0, 'allow', 'rule past', 'a rule', created_at, 1, 1
                FROM requests WHERE number > 1000;
            COMMIT; PRAGMA wal_checkpoint(TRUNCATE);
            """)
    }

    private static func names(_ handle: OpaquePointer, _ table: String) throws -> [String] {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, "SELECT name FROM pragma_table_info('\(table)')", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        var names: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW { names.append(String(cString: sqlite3_column_text(statement, 0))) }
        return names
    }

    private static func run(_ handle: OpaquePointer, _ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchError("filling the database: \(String(cString: sqlite3_errmsg(handle)))")
        }
    }
}
