/// One step of the schema. Sealed: once released, its text never changes, and it names no type of the program, so that
/// an old database goes through the same steps in ten years.
package struct Migration: Sendable {
    package let name: String
    package let sql: String

    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}

/// Brings a database to the latest version, one transaction for each step. Its version is the number of steps it has
/// taken, kept in `user_version`.
struct Migrator {
    let migrations: [Migration]

    /// `application_id` of our files: `cdev`.
    static let applicationID: Int64 = 0x6364_6576

    func run(on database: Database) throws(StoreError) {
        let version = try header("user_version", of: database)
        try checkOwner(of: database, version: version)
        guard version <= migrations.count else {
            throw StoreError(.newer(found: version, supported: migrations.count))
        }
        // Takes effect only in an empty file, and before the first table.
        if version == 0 { try database.execute("PRAGMA auto_vacuum=INCREMENTAL") }
        try useWAL(database)
        for (index, migration) in migrations.enumerated().dropFirst(version) {
            try database.transaction(.full) { () throws(StoreError) in
                try database.execute(migration.sql)
                try database.execute("PRAGMA user_version=\(index + 1)")
                try database.execute("PRAGMA application_id=\(Self.applicationID)")
            }
        }
    }

    private func checkOwner(of database: Database, version: Int) throws(StoreError) {
        let owner = Int64(try header("application_id", of: database))
        if owner == Self.applicationID { return }
        let tables = try database.query("SELECT 1 FROM sqlite_schema LIMIT 1") { $0.integer() }
        guard owner == 0, version == 0, tables.isEmpty else { throw StoreError(.foreign) }
    }

    private func useWAL(_ database: Database) throws(StoreError) {
        let mode = try database.query("PRAGMA journal_mode=WAL") { $0.text() }
        guard mode == ["wal"] else {
            throw StoreError(.cannotOpen, "this file system does not support SQLite's WAL mode")
        }
    }

    private func header(_ name: String, of database: Database) throws(StoreError) -> Int {
        Int(try database.query("PRAGMA \(name)") { $0.integer() }.first ?? 0)
    }
}
