extension Migration {
    /// Sessions that the daemon runs, without those that have ended.
    static let runSessions = Migration(
        name: "run sessions",
        sql: """
            CREATE TABLE run_sessions (
                id TEXT PRIMARY KEY,
                workspace_id TEXT NOT NULL,
                directory TEXT NOT NULL,
                started_at INTEGER NOT NULL,
                last_activity INTEGER NOT NULL,
                agent_id TEXT NOT NULL,
                mode TEXT NOT NULL,
                model TEXT,
                title TEXT,
                life TEXT NOT NULL,
                end_reason TEXT,
                end_text TEXT,
                end_step TEXT,
                run INTEGER NOT NULL,
                pid INTEGER,
                start_time INTEGER,
                boot TEXT NOT NULL,
                has_conversation INTEGER NOT NULL,
                is_busy INTEGER NOT NULL,
                tells_state INTEGER NOT NULL,
                tasks TEXT NOT NULL,
                prompts TEXT NOT NULL,
                requests TEXT NOT NULL,
                read_to INTEGER NOT NULL
            ) STRICT;
            """)

    /// Servers of tools that a session's children get.
    static let runServers = Migration(
        name: "servers of run sessions",
        sql: """
            ALTER TABLE run_sessions ADD COLUMN servers TEXT NOT NULL DEFAULT '[]';
            """)

    /// The mode that a session's process was told and has not answered, and the request that told it.
    static let wishes = Migration(
        name: "wished modes",
        sql: """
            ALTER TABLE run_sessions ADD COLUMN wished_mode TEXT;
            ALTER TABLE run_sessions ADD COLUMN wish_request TEXT;
            """)

    /// How hard the model of a session is to think.
    static let efforts = Migration(
        name: "efforts",
        sql: """
            ALTER TABLE run_sessions ADD COLUMN effort TEXT;
            """)

    /// Whether the project's own settings count in the process of a session.
    static let projectSettings = Migration(
        name: "settings of projects",
        sql: """
            ALTER TABLE run_sessions ADD COLUMN project_settings TEXT;
            """)
}
