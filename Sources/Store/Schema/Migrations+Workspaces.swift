extension Migration {
    /// A removed workspace stays for a while: a session that ran by then makes none of its directory again. Several rows
    /// may have one path, of which at most one is not removed.
    static let workspaces = Migration(
        name: "workspaces",
        sql: """
            CREATE TABLE workspaces (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                path TEXT NOT NULL,
                auto_start INTEGER NOT NULL,
                origin TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                last_active INTEGER NOT NULL,
                removed_at INTEGER
            ) STRICT;
            CREATE INDEX workspaces_by_path ON workspaces (path);
            """)

    static let descriptions = Migration(
        name: "descriptions of workspaces",
        sql: """
            ALTER TABLE workspaces ADD COLUMN description TEXT NOT NULL DEFAULT '';
            """)
}
