import CSQLite
import Core

/// The database of the index of transcripts. Whatever is wrong with it, it is deleted and made anew.
enum TranscriptSchema {
    /// Raised with each change of the tables, or of what is written into them: an index of another version is deleted.
    static let version = 4

    /// Lines are numbered by `file << 32 | number`, so that a page is one range of keys. The texts are not kept: the file
    /// has them. A word has no positions, which takes a third of the space; hits are compared with the text. Words are
    /// merged sixteen steps at a time, not four: of a gigabyte that spares a fifth of the time, and a search looks into
    /// some ten parts more.
    static let tables = """
        CREATE TABLE files(
          id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, session TEXT NOT NULL, agent TEXT,
          inode INTEGER, size INTEGER, modified INTEGER, end INTEGER, head INTEGER, head_length INTEGER, tail INTEGER,
          cwd TEXT, name TEXT, summary TEXT, prompt TEXT, messages INTEGER NOT NULL DEFAULT 0, first_time INTEGER,
          last_time INTEGER, branch TEXT, model TEXT, input INTEGER, output INTEGER, cost INTEGER, forked_from TEXT,
          begins_cleared INTEGER, cleared_at INTEGER, call TEXT, agent_type TEXT, agent_summary TEXT);
        CREATE INDEX files_session ON files(session);
        CREATE INDEX files_cwd ON files(cwd);
        CREATE INDEX files_fork ON files(forked_from) WHERE forked_from IS NOT NULL;
        CREATE TABLE lines(
          id INTEGER PRIMARY KEY, offset INTEGER NOT NULL, length INTEGER NOT NULL, time INTEGER, flags INTEGER NOT NULL,
          mark INTEGER NOT NULL);
        CREATE UNIQUE INDEX lines_mark ON lines(mark, id >> 32);
        CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, detail=none);
        INSERT INTO words(words, rank) VALUES('hashsize', 8388608);
        INSERT INTO words(words, rank) VALUES('automerge', 16);
        CREATE TABLE clearings(session TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY(session, time)) WITHOUT ROWID;
        CREATE TABLE clearings_read(inode INTEGER NOT NULL, end INTEGER NOT NULL);
        CREATE TABLE gone(lines INTEGER NOT NULL);
        INSERT INTO gone VALUES(0);
        """

    /// Opens the database, or makes it.
    static func open(_ path: String) throws(StoreError) -> Database {
        let file = DatabaseFile(path: path)
        do throws(StoreError) {
            return try connect(file)
        } catch  where error.isCurable {
            file.discard()
            return try connect(file)
        }
    }

    private static func connect(_ file: DatabaseFile) throws(StoreError) -> Database {
        try file.prepare()
        let database = try Database(path: file.path, busyTimeout: 5000, tools: NoTools())
        try database.execute(
            """
            PRAGMA journal_mode=WAL; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;
            PRAGMA journal_size_limit=67108864; PRAGMA cache_size=-16384;
            """)
        let found = try database.query("PRAGMA user_version") { $0.integer() }.first ?? 0
        guard found != version else { return try checked(database) }
        let tables = try database.query("SELECT count(*) FROM sqlite_schema") { $0.integer() }.first ?? 0
        guard found == 0, tables == 0 else {
            database.close()
            throw StoreError(.newer(found: Int(found), supported: version))
        }
        try database.transaction(.normal) { () throws(StoreError) in
            try database.execute(Self.tables)
            try database.execute("PRAGMA user_version=\(version)")
        }
        return database
    }

    /// An index of which more was given up than is in use is made anew: words cannot be taken out of it.
    private static func checked(_ database: Database) throws(StoreError) -> Database {
        let gone = try database.query("SELECT lines FROM gone") { $0.integer() }.first ?? 0
        guard gone > 10_000 else { return database }
        let used = try database.query("SELECT sum(messages) FROM files") { $0.integer() }.first ?? 0
        guard gone > used else { return database }
        database.close()
        throw StoreError(.corrupt, "more is given up than in use")
    }
}

extension StoreError {
    /// True if a new database has not this error.
    var isCurable: Bool {
        switch kind {
        case .corrupt, .foreign, .lost, .newer, .other: true
        default: false
        }
    }
}

/// The index names no tools.
private struct NoTools: ToolCatalog {
    func tool(named name: String, of agent: Agent) -> Tool { Tool(name: name, kind: .other) }
}
