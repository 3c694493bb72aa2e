package import Core
import Platform

/// The database, for all that must outlive the daemon: SQLite in WAL mode, with one connection on one thread.
///
/// Appended changes are queued and written in one transaction within 50 ms, in the order they came. A commit writes the
/// queue in front of its own changes, including what was appended while the commit waited for its turn. While the
/// database fails, commits throw, the queue keeps what was appended (`QueueLimits`), and the store tries again.
///
/// A damaged database, or one whose files were deleted, replaced or truncated under the daemon, is set aside as
/// `cdev.db.corrupt-<time>` and a new one is filled with what is in force: open requests, rules, sessions, devices and workspaces.
/// `status.notice` says so and names what was lost.
package actor Store: Persistence {
    let file: DatabaseFile
    let options: StoreOptions
    let tools: any ToolCatalog
    nonisolated let shared: Locked<SharedState>
    private nonisolated let thread: StoreThread

    var database: Database?
    var live = LiveRows()
    /// The running total of the bytes of events.
    var eventTotal: Int64 = 0
    /// The open files of `database`, by which a loss is noticed.
    var held: HeldFiles?
    /// Not `nil` while a damaged file is being replaced.
    var damage: Damage?
    var retryDelay = StoreOptions.flushDelay
    var isSweeping = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    private init(path: String, tools: any ToolCatalog, options: StoreOptions) throws(StoreError) {
        file = DatabaseFile(path: path)
        self.options = options
        self.tools = tools
        shared = Locked(SharedState(options))
        thread = StoreThread()
        try thread.start()
    }

    deinit {
        thread.stop()
    }

    /// Opens the database, makes or migrates it, and reads the state in force. Nothing else is read, so a large
    /// database opens as fast as a small one. Throws if the file belongs to a newer cdev or another program, is locked,
    /// or cannot be read or written.
    package static func open(
        _ path: String, tools: any ToolCatalog, options: StoreOptions = StoreOptions()
    ) async throws(StoreError) -> (store: Store, remembered: Remembered) {
        let store = try Store(path: path, tools: tools, options: options)
        return (store, try await store.start())
    }

    package nonisolated var status: StoreStatus {
        shared.withLock { state in
            StoreStatus(
                failure: state.failure, notice: state.notice, queued: state.queue.count,
                droppedEvents: state.queue.droppedEvents, droppedRequests: state.queue.droppedRequests)
        }
    }

    /// The paths of the files that an open database consists of.
    package static func files(of database: String) -> [String] { HeldFiles.suffixes.map { database + $0 } }

    /// Writes the queue and the number that the next event will get, and closes. Later calls throw; later appended
    /// changes are lost. After a stop without `close`, the next start numbers events above all numbers that may have
    /// been given out.
    package func close(nextSequence: Int64) throws(StoreError) {
        defer {
            shared.withLock { $0.isClosed = true }
            database?.close()
            database = nil
            held = nil
            damage = nil
        }
        let batch = takeQueue()
        let missing = missingThrough
        try withRepair { (database) throws(StoreError) in
            try self.write(batch, to: database, .full, missingThrough: missing) { () throws(StoreError) in
                try database.set(.sequenceCeiling, nextSequence - 1)
                try database.set(.cleanNext, nextSequence)
            }
        }
    }
}
