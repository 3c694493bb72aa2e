import CSQLite
import Core

/// One connection to the database. Not `Sendable`: the actor that opened it owns it.
final class Database {
    /// The event that a commit must survive.
    enum Synchronous: String {
        /// The end of the process.
        case normal = "NORMAL"
        /// The loss of power.
        case full = "FULL"
    }

    /// Looks up the tools that rows name.
    let tools: any ToolCatalog
    private let handle: OpaquePointer
    private var statements: [StatementText: OpaquePointer] = [:]
    private var synchronous = Synchronous.full
    /// Pages in the write-ahead log after the last commit; 0 after a checkpoint.
    private(set) var walPages = 0

    /// Opens an existing file. SQLite reads it with the first statement, so a damaged file throws there.
    init(path: String, busyTimeout milliseconds: Int32, tools: any ToolCatalog) throws(StoreError) {
        self.tools = tools
        _ = Self.configured
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened, code == SQLITE_OK else {
            defer { sqlite3_close_v2(opened) }
            throw StoreError(code: code, message: opened.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory")
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, milliseconds)
        // Replaces SQLite's own hook, which would checkpoint, and so wait for the disk, inside a commit.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(handle, { Database.from($0).noteWAL($3) }, context)
    }

    /// Once for the process, before its first connection.
    private static let configured = csqlite_skip_memory_statistics()

    deinit {
        close()
    }

    private var isClosed = false

    func close() {
        guard !isClosed else { return }
        isClosed = true
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// The number of frames in the write-ahead log according to its shared index, so also after another process has
    /// written or emptied the log.
    var logFrames: Int64 { csqlite_wal_frames(handle) }

    /// Closes, and leaves the file at the log's path: it may be another database's.
    func abandon() {
        var keepsLog: Int32 = 1
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
        close()
    }

    /// Gives the connection up without closing it: closing would read the index, which `HeldFiles.isIndexCut` forbids.
    /// It stays open, unused, as long as the process lives.
    func forget() {
        isClosed = true
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Database {
        Unmanaged<Database>.fromOpaque(context!).takeUnretainedValue()
    }

    private func noteWAL(_ pages: Int32) -> Int32 {
        walPages = Int(pages)
        return SQLITE_OK
    }

    /// Sets the longest wait of a statement for another process's lock.
    func wait(milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Runs one or more statements that are not worth keeping prepared.
    func execute(_ sql: String) throws(StoreError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    var statementTexts: [String] { statements.keys.map(\.text).sorted() }

    /// Copies the write-ahead log into the database once the log has `pages`, except for pages whose old version is
    /// still read by another connection.
    func checkpoint(above pages: Int) throws(StoreError) {
        guard walPages >= pages else { return }
        walPages = 0
        try check(sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil))
    }
}

extension Database {
    /// Runs `body` in one transaction: all of it is written, or nothing.
    func transaction<Result>(
        _ level: Synchronous, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try set(level)
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // A full disk may have rolled back already. Whatever the rollback returns, the first error is thrown.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    /// This pragma acts while it is compiled, so it cannot be kept prepared; and it is refused inside a transaction.
    private func set(_ level: Synchronous) throws(StoreError) {
        guard level != synchronous else { return }
        try execute("PRAGMA synchronous=\(level.rawValue)")
        synchronous = level
    }

    func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) {
        _ = try query(sql, values) { _ in }
    }

    func query<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        try bind(values, to: statement)
        var found: [Value] = []
        while try step(statement) {
            var row = Row(statement)
            found.append(try read(&row))
        }
        return found
    }

    private func step(_ statement: OpaquePointer) throws(StoreError) -> Bool {
        let code = sqlite3_step(statement)
        guard code != SQLITE_DONE else { return false }
        guard code == SQLITE_ROW else { throw failure(code) }
        return true
    }

    private func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let known = statements[StatementText(text: sql)] { return known }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw StoreError(.other, "an empty statement") }
        statements[StatementText(text: sql)] = statement
        return statement
    }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> StoreError {
        StoreError(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
}

/// Binding. SQLite copies every value.
extension Database {
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private func bind(_ values: [SQLValue], to statement: OpaquePointer) throws(StoreError) {
        for (index, value) in values.enumerated() {
            try check(Self.bind(value, at: Int32(index + 1), to: statement))
        }
    }

    private static func bind(_ value: SQLValue, at index: Int32, to statement: OpaquePointer) -> Int32 {
        switch value {
        case .blob(let bytes) where bytes.isEmpty: return sqlite3_bind_zeroblob(statement, index, 0)
        case .blob(let bytes): return sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), copied)
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .null: return sqlite3_bind_null(statement, index)
        case .text(let text): return bind(text, at: index, to: statement)
        }
    }

    /// The length is passed, so a NUL inside is a character like any other. `withUTF8` copies nothing where the bytes
    /// are contiguous, which is nearly always.
    private static func bind(_ text: String, at index: Int32, to statement: OpaquePointer) -> Int32 {
        guard !text.isEmpty else { return sqlite3_bind_text(statement, index, "", 0, copied) }
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), copied)
            }
        }
    }
}

/// A statement's text as the key of its prepared form. Only its length is hashed: of some sixty statements few have the
/// same length, and hashing a whole text at each use would cost more than the comparison.
private struct StatementText: Hashable {
    let text: String

    func hash(into hasher: inout Hasher) {
        hasher.combine(text.utf8.count)
    }
}
