extension Migration {
    static let notices = Migration(
        name: "push subscriptions, answer links",
        sql: """
            CREATE TABLE push_subscriptions (
                device_id TEXT PRIMARY KEY,
                device_name TEXT NOT NULL,
                endpoint TEXT NOT NULL,
                p256dh BLOB NOT NULL,
                authentication BLOB NOT NULL,
                created_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE answer_links (
                hash BLOB PRIMARY KEY,
                request_id TEXT NOT NULL,
                opening INTEGER NOT NULL,
                verb TEXT NOT NULL,
                channel TEXT NOT NULL,
                destination BLOB NOT NULL,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                used_at INTEGER
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX answer_links_by_expiry ON answer_links (expires_at);
            """)
}
