extension Migration {
    /// All steps, in order. Only ever append.
    package static let all = [
        first, devices, notices, asked, boot, grantors, records, deciders, words, heirs, terms, numbered,
        workspaces, runSessions, runServers, wishes, efforts, reports, openReports, projectSettings,
        descriptions, origins,
    ]

    private static let first = Migration(
        name: "requests, rules, sessions, tokens, events",
        sql: """
            CREATE TABLE meta (
                name TEXT PRIMARY KEY,
                value INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE requests (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                session_id TEXT NOT NULL,
                ended_at INTEGER,
                decision TEXT,
                opening INTEGER NOT NULL,
                tool_use_id TEXT NOT NULL,
                event TEXT NOT NULL,
                tool_name TEXT NOT NULL,
                cwd TEXT NOT NULL,
                prompt_id TEXT,
                permission_mode TEXT NOT NULL,
                agent_id TEXT,
                agent_type TEXT,
                patterns TEXT NOT NULL,
                deny_patterns TEXT NOT NULL,
                deadline INTEGER NOT NULL,
                is_terminal_prompt INTEGER NOT NULL,
                is_unverified INTEGER NOT NULL,
                is_attended INTEGER NOT NULL,
                relay_token TEXT,
                body_digest BLOB NOT NULL,
                input_bytes INTEGER NOT NULL,
                tool_input TEXT NOT NULL
            ) STRICT;
            -- An id ends in the time it was made at: so the index grows at its end, instead of in a page for each row.
            CREATE UNIQUE INDEX requests_by_id ON requests (substr(id, -10), id);
            CREATE INDEX requests_by_creation ON requests (created_at);
            CREATE INDEX requests_by_end ON requests (ended_at);
            CREATE INDEX requests_by_session ON requests (session_id, created_at);

            CREATE TABLE resolutions (
                request INTEGER NOT NULL REFERENCES requests (number) ON DELETE CASCADE,
                opening INTEGER NOT NULL,
                revision INTEGER NOT NULL,
                decision TEXT NOT NULL,
                scope TEXT,
                resolver TEXT NOT NULL,
                reason TEXT NOT NULL,
                at INTEGER NOT NULL,
                message TEXT,
                is_delivered INTEGER NOT NULL,
                is_confirmed INTEGER NOT NULL,
                updated_input TEXT,
                PRIMARY KEY (request, opening, revision)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE rules (
                id TEXT PRIMARY KEY,
                session_id TEXT NOT NULL,
                effect TEXT NOT NULL,
                pattern TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                granted_by TEXT NOT NULL,
                request_id TEXT NOT NULL,
                last_match INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX rules_by_match ON rules (last_match);
            CREATE INDEX rules_by_session ON rules (session_id);

            CREATE TABLE sessions (
                id TEXT PRIMARY KEY,
                cwd TEXT NOT NULL,
                root TEXT NOT NULL,
                transcript_path TEXT NOT NULL,
                permission_mode TEXT NOT NULL,
                started_at INTEGER NOT NULL,
                last_activity INTEGER NOT NULL,
                claude_pid INTEGER,
                claude_start_time INTEGER,
                is_attended INTEGER NOT NULL,
                is_unverified INTEGER NOT NULL,
                ended_at INTEGER,
                tools TEXT NOT NULL
            ) STRICT;
            CREATE INDEX sessions_by_end ON sessions (ended_at, last_activity);

            CREATE TABLE tokens (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                prefix TEXT NOT NULL,
                hash BLOB NOT NULL,
                rights TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                last_used INTEGER,
                revoked_at INTEGER
            ) STRICT, WITHOUT ROWID;
            CREATE UNIQUE INDEX tokens_by_name ON tokens (name) WHERE revoked_at IS NULL;

            -- total: the bytes of this event's text and of all before it, so that the difference of the last and the
            -- first is what is kept, without a scan.
            CREATE TABLE events (
                sequence INTEGER PRIMARY KEY,
                at INTEGER NOT NULL,
                bytes INTEGER NOT NULL,
                total INTEGER NOT NULL,
                text TEXT NOT NULL
            ) STRICT;
            """)

    /// Tokens become devices. `hash` holds the digests of the refresh tokens that may be used, one after the other.
    private static let devices = Migration(
        name: "devices",
        sql: """
            CREATE TABLE devices (
                id TEXT PRIMARY KEY,
                kind TEXT NOT NULL,
                name TEXT NOT NULL,
                rights TEXT NOT NULL,
                platform TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                hash BLOB NOT NULL,
                family BLOB,
                previous BLOB,
                renewed_at INTEGER,
                last_seen INTEGER,
                last_address TEXT,
                revoked_at INTEGER
            ) STRICT, WITHOUT ROWID;
            INSERT INTO devices
                SELECT id, 'token', name, rights, '', created_at, hash, NULL, NULL, NULL, last_used, NULL, revoked_at
                FROM tokens;
            DROP TABLE tokens;
            CREATE UNIQUE INDEX devices_by_name ON devices (name) WHERE revoked_at IS NULL;
            """)

    /// An index of the ended requests that people were asked. A request that was settled at once, as nearly all are,
    /// has its deadline at the time of the call and is not in the index.
    private static let asked = Migration(
        name: "questions that ended",
        sql: """
            CREATE INDEX requests_asked_by_end ON requests (ended_at)
                WHERE ended_at IS NOT NULL AND deadline <> created_at;
            """)

    /// Values that are valid until the machine boots again: `due` is an `Uptime`.
    private static let boot = Migration(
        name: "what lasts as long as the machine runs",
        sql: """
            ALTER TABLE requests ADD COLUMN due INTEGER;
            CREATE TABLE claude_processes (
                pid INTEGER PRIMARY KEY,
                start_time INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE boot (
                id TEXT PRIMARY KEY
            ) STRICT, WITHOUT ROWID;
            """)

    /// A rule is deleted with the device that granted it, which its id names: another device may get the same name. A
    /// rule whose device is gone gets an empty id, and the start drops it.
    private static let grantors = Migration(
        name: "devices of rules",
        sql: """
            ALTER TABLE rules ADD COLUMN device_id TEXT;
            UPDATE rules SET device_id = coalesce(
                (SELECT id FROM devices WHERE 'device ' || name = granted_by AND revoked_at IS NULL), '')
                WHERE granted_by LIKE 'device %';
            """)

    /// Events become records of no client's form. `text` is the body, written by `version`; what is there is of version 1,
    /// the whole notification as it was sent, and goes after a day as all events do.
    private static let records = Migration(
        name: "events as records",
        sql: """
            ALTER TABLE events ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
            ALTER TABLE events ADD COLUMN workspace_id TEXT NOT NULL DEFAULT '';
            ALTER TABLE events ADD COLUMN session_id TEXT NOT NULL DEFAULT '';
            ALTER TABLE events ADD COLUMN kind TEXT NOT NULL DEFAULT '';
            """)

    /// A device that repeats its answer is known by its id, which a device that got its name later does not have. Rows that
    /// are there have none: a repeat that comes across this step hears that the request is decided.
    private static let deciders = Migration(
        name: "devices of resolutions",
        sql: """
            ALTER TABLE resolutions ADD COLUMN device_id TEXT;
            """)

    /// The texts by which people recognise a session, so that a card has them after a restart, and the gate that a person
    /// set for the session.
    private static let words = Migration(
        name: "titles, prompts and gates of sessions",
        sql: """
            ALTER TABLE sessions ADD COLUMN title TEXT;
            ALTER TABLE sessions ADD COLUMN last_prompt TEXT;
            ALTER TABLE sessions ADD COLUMN gate TEXT;
            """)

    /// A session that goes on after `/clear`: its rules hold for its process only.
    private static let heirs = Migration(
        name: "sessions after /clear",
        sql: """
            ALTER TABLE sessions ADD COLUMN is_heir INTEGER NOT NULL DEFAULT 0;
            """)

    /// Sessions that only devices told of are read last at a start. Of those that are there nobody knows who told; they
    /// count as this machine's.
    private static let origins = Migration(
        name: "sessions of this machine",
        sql: """
            ALTER TABLE sessions ADD COLUMN is_of_this_machine INTEGER NOT NULL DEFAULT 1;
            DROP INDEX sessions_by_end;
            CREATE INDEX sessions_by_end ON sessions (ended_at, is_of_this_machine, last_activity);
            """)

    /// Milliseconds since 1970. Devices that were paired before this step had no term then: theirs begins with it, or a
    /// device that is in use would end without a warning.
    private static let terms = Migration(
        name: "the first term of devices",
        sql: """
            INSERT OR IGNORE INTO meta VALUES ('terms_begin', CAST(strftime('%s', 'now') AS INTEGER) * 1000);
            """)

    /// Resolutions get row numbers. In a table without them SQLite reads a whole row, with its changed input, wherever it
    /// compares a key.
    private static let numbered = Migration(
        name: "row numbers of resolutions",
        sql: """
            CREATE TABLE numbered (
                request INTEGER NOT NULL REFERENCES requests (number) ON DELETE CASCADE,
                opening INTEGER NOT NULL,
                revision INTEGER NOT NULL,
                decision TEXT NOT NULL,
                scope TEXT,
                resolver TEXT NOT NULL,
                reason TEXT NOT NULL,
                at INTEGER NOT NULL,
                message TEXT,
                is_delivered INTEGER NOT NULL,
                is_confirmed INTEGER NOT NULL,
                updated_input TEXT,
                device_id TEXT,
                PRIMARY KEY (request, opening, revision)
            ) STRICT;
            INSERT INTO numbered SELECT
                request, opening, revision, decision, scope, resolver, reason, at, message, is_delivered, is_confirmed,
                updated_input, device_id
            FROM resolutions;
            DROP TABLE resolutions;
            ALTER TABLE numbered RENAME TO resolutions;
            """)
}
