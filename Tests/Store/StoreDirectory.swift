import CSQLite
import Core
import FoundationEssentials
import Store
import TestSupport

/// A private directory with a database in it, gone at the end of the test.
final class StoreDirectory: Sendable {
    let path: String
    var database: String { path + "/cdev.db" }

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/cdev-store-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    func open(
        now: Int64 = 1_000_000_000, _ change: (inout StoreOptions) -> Void = { _ in }
    ) async throws -> (store: Store, remembered: Remembered) {
        var options = StoreOptions()
        // The store's options keep the directory alive: the store would notice that its files are gone.
        options.now = { [self] in
            _ = self
            return Timestamp(milliseconds: now)
        }
        change(&options)
        return try await Store.open(database, tools: Catalog.claude, options: options)
    }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// As `kill -9` would leave it: the files as they are at this moment.
    func snapshot() throws -> StoreDirectory {
        let copy = try StoreDirectory()
        for file in try files where !file.hasSuffix("-shm") {
            try FileManager.default.copyItem(atPath: path + "/" + file, toPath: copy.path + "/" + file)
        }
        return copy
    }

    func overwrite(_ bytes: [UInt8], at offset: Int = 0) throws {
        var data = FileManager.default.contents(atPath: database) ?? Data()
        if data.count < offset + bytes.count { data.append(Data(count: offset + bytes.count - data.count)) }
        data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        try data.write(to: URL(filePath: database))
    }
}

/// Another program's connection to the same file.
final class OtherConnection {
    private let handle: OpaquePointer?

    init(_ path: String) throws {
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK else { throw OtherConnectionFailure(sql: "open") }
        handle = opened
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// The rows' columns as text, NULL as "NULL".
    @discardableResult
    func run(_ sql: String) throws -> [[String]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw OtherConnectionFailure(sql: sql + ": " + String(cString: sqlite3_errmsg(handle)))
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                    })
            case SQLITE_DONE: return rows
            default: throw OtherConnectionFailure(sql: sql + ": " + String(cString: sqlite3_errmsg(handle)))
            }
        }
    }

    func script(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw OtherConnectionFailure(sql: String(cString: sqlite3_errmsg(handle)))
        }
    }
}

struct OtherConnectionFailure: Error {
    let sql: String
}

extension Store {
    /// One request of the audit log, with all its resolutions.
    func entry(of id: String) async throws -> HistoryEntry? {
        try await history(HistoryQuery()).entries.first { $0.request.id == id }
    }
}
