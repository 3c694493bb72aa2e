extension Migration {
    /// What machines report of their sessions. `reporter` is whom a row is counted for; empty for this machine's own
    /// hooks. The rows of `report_events` and `report_notices` have the numbers that `meta` counts, so a number is
    /// never used again.
    static let reports = Migration(
        name: "reports of sessions",
        sql: """
            CREATE TABLE report_machines (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                platform TEXT NOT NULL,
                reporter TEXT NOT NULL,
                first_seen INTEGER NOT NULL,
                last_seen INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX report_machines_by_reporter ON report_machines (reporter);

            CREATE TABLE report_sessions (
                id TEXT PRIMARY KEY,
                machine_id TEXT NOT NULL REFERENCES report_machines (id) ON DELETE CASCADE,
                reporter TEXT NOT NULL,
                started_at INTEGER NOT NULL,
                last_event INTEGER NOT NULL,
                status TEXT NOT NULL,
                is_ended INTEGER NOT NULL,
                cwd TEXT,
                title TEXT
            ) STRICT;
            CREATE INDEX report_sessions_by_machine ON report_sessions (machine_id, last_event DESC);
            CREATE INDEX report_sessions_by_end ON report_sessions (is_ended, last_event DESC);
            CREATE INDEX report_sessions_by_status ON report_sessions (status, last_event DESC);
            CREATE INDEX report_sessions_by_event ON report_sessions (last_event);
            CREATE INDEX report_sessions_by_reporter ON report_sessions (reporter, last_event DESC);

            CREATE TABLE report_events (
                number INTEGER PRIMARY KEY,
                session_id TEXT NOT NULL REFERENCES report_sessions (id) ON DELETE CASCADE,
                reporter TEXT NOT NULL,
                received_at INTEGER NOT NULL,
                name TEXT NOT NULL,
                timestamp TEXT NOT NULL,
                tool_name TEXT,
                notification_type TEXT,
                message TEXT
            ) STRICT;
            CREATE INDEX report_events_by_session ON report_events (session_id, timestamp DESC, number DESC);
            CREATE INDEX report_events_by_reporter ON report_events (reporter, number);

            CREATE TABLE report_notices (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL,
                event INTEGER NOT NULL,
                session_id TEXT NOT NULL REFERENCES report_sessions (id) ON DELETE CASCADE,
                machine_id TEXT NOT NULL,
                reporter TEXT NOT NULL,
                kind TEXT NOT NULL,
                title TEXT NOT NULL,
                body TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                is_acknowledged INTEGER NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX report_notices_by_id ON report_notices (id);
            CREATE INDEX report_notices_by_creation ON report_notices (created_at, number);
            CREATE INDEX report_notices_by_session ON report_notices (session_id);
            CREATE INDEX report_notices_by_reporter ON report_notices (reporter, number);

            CREATE TABLE push_registrations (
                token TEXT PRIMARY KEY,
                platform TEXT NOT NULL,
                is_sandbox INTEGER NOT NULL,
                reporter TEXT NOT NULL,
                registered_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX push_registrations_by_reporter ON push_registrations (reporter, registered_at DESC);
            """)

    /// A list of machines counts the sessions of each that have not ended.
    static let openReports = Migration(
        name: "open sessions of machines",
        sql: "CREATE INDEX report_sessions_open ON report_sessions (machine_id) WHERE is_ended = 0;")
}
