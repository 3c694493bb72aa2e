import Core

extension Store {
    func start() throws(StoreError) -> Remembered {
        do {
            database = try connect()
        } catch  where error.kind == .corrupt {
            return try beginAnew(after: error)
        }
        return try load()
    }

    func connect() throws(StoreError) -> Database {
        try file.prepare()
        let database = try Database(path: file.path, busyTimeout: options.busyTimeoutMilliseconds, tools: tools)
        // fullfsync: on macOS a plain fsync leaves data in the drive. secure_delete: FAST zeroes deleted content only
        // in pages that are written anyway. temp_store: in a file, the statement journals are five sixths of all that
        // is written while calls are recorded.
        try database.execute(
            """
            PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA secure_delete=FAST;
            PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON; PRAGMA journal_size_limit=67108864;
            PRAGMA temp_store=MEMORY;
            """)
        try Migrator(migrations: options.migrations).run(on: database)
        return database
    }

    /// Replaces a file of which nothing can be read.
    private func beginAnew(after error: StoreError) throws(StoreError) -> Remembered {
        let path = try file.setAside(at: options.now())
        note(path, error, lost: "all of it was lost: rules, devices, open requests, the log and the replay")
        database = try connect()
        try database?.begin(boot: options.boot)
        return try begin(Remembered(), ceiling: ceilingByClock, isClean: true)
    }

    /// For a database whose ceiling is lost: the milliseconds since 1970 are above every sequence number that was given
    /// out, since no daemon sends a thousand events a second.
    private var ceilingByClock: Int64 { options.now().milliseconds }

    private func load() throws(StoreError) -> Remembered {
        var salvage = Salvage()
        guard let database else { throw StoreError(.closed) }
        let ends = RememberedEnds(
            asked: options.now().minus(hours: 1), askedLimit: Self.askedLimit, settledLimit: Self.settledLimit)
        let ceiling = try salvage("the event counter", 0) { () throws(StoreError) in
            try database.meta(.sequenceCeiling) ?? 0
        }
        let cleanNext = try salvage("", nil) { () throws(StoreError) in try database.meta(.cleanNext) }
        let missing = try salvage("", nil) { () throws(StoreError) in try database.meta(.missingThrough) }
        live.termsBegin = try salvage("", 0) { () throws(StoreError) in try database.meta(.termsBegin) ?? 0 }
        let devices = try salvage("devices", []) { () throws(StoreError) in try database.devices() }
        let workspaces = try salvage("workspaces", []) { () throws(StoreError) in try database.workspaces() }
        let rules = try salvage("rules", []) { () throws(StoreError) in try database.rules() }
        // Before the rows are read that only the present boot may have written.
        _ = try salvage("", ()) { () throws(StoreError) in try database.begin(boot: options.boot) }
        let sessions = try salvage("sessions", []) { () throws(StoreError) in try database.liveSessions() }
        let claudes = try salvage("Claude's processes", []) { () throws(StoreError) in try database.claudeProcesses() }
        let requests = try salvage("open requests", []) { () throws(StoreError) in
            try database.liveRequests(ends)
        }
        eventTotal = try salvage("", 0) { () throws(StoreError) in try database.eventTotal() }
        let remembered = Remembered(requests: requests, rules: rules, sessions: sessions, claudes: claudes)
        live.missingThrough = missing ?? 0
        let runSessions = try salvage("run sessions", []) { () throws(StoreError) in
            try database.runSessions(boot: options.boot)
        }
        for session in runSessions { live.note(session) }
        for device in devices { live.note(device) }
        for row in workspaces where row.removedAt == nil { live.note(row.workspace) }
        remember(remembered)
        if let damage = salvage.damage { try rebuild(after: damage, lost: salvage.lost) }
        let isCounterLost = salvage.lost.contains("the event counter")
        return try begin(
            remembered, ceiling: isCounterLost ? ceilingByClock : ceiling,
            isClean: (cleanNext ?? 1) == ceiling + 1 && salvage.damage == nil)
    }

    /// The most ended requests, of those that people were asked, that a start reads; the newest.
    private static var askedLimit: Int { 1000 }
    /// The number of the last recorded requests that a start searches for those that were settled at once: far more
    /// than can be on their way to a relay at a time.
    private static var settledLimit: Int { 100 }

    private func remember(_ remembered: Remembered) {
        for process in remembered.claudes { live.apply(.claudeProcess(process)) }
        for session in remembered.sessions { live.apply(.session(session)) }
        for rule in remembered.rules { live.apply(.rule(rule)) }
        live.remember(remembered.requests)
    }

    /// Reserves the first sequence numbers before any is given out. After an unclean stop the last events may not have
    /// been written, so a client that asks for one of them gets `gap`.
    private func begin(_ remembered: Remembered, ceiling: Int64, isClean: Bool) throws(StoreError) -> Remembered {
        var remembered = remembered
        remembered.nextSequence = ceiling + 1
        live.ceiling = ceiling
        guard let database else { throw StoreError(.closed) }
        try write(
            [.sequenceCeiling(ceiling + Self.reserve)], to: database, .full,
            missingThrough: isClean ? live.missingThrough : max(live.missingThrough, ceiling))
        held = HeldFiles(file.path)
        return remembered
    }

    /// The number of sequence numbers that may be given out before the broker's own ceiling is written.
    private static var reserve: Int64 { 10_000 }
}

/// Reads what can be read of a damaged database, and notes the names of the parts that could not be read.
struct Salvage {
    private(set) var damage: StoreError?
    private(set) var lost: [String] = []

    mutating func callAsFunction<Value>(
        _ name: String, _ fallback: Value, _ read: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        do {
            return try read()
        } catch  where error.kind == .corrupt {
            damage = error
            if !name.isEmpty { lost.append(name) }
            return fallback
        }
    }
}
