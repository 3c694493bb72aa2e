import Core

/// Replaces a database that turns out to be damaged, or whose files turn out to be gone, while it is in use.
extension Store {
    /// Runs `body`. Where `body` finds damage, or the open files are no longer those at the path before or after it,
    /// sets the files at the path aside, fills a new database and runs `body` again. So nothing is confirmed that was
    /// written to a file that no start will read. Throws where that cannot be told, until it can.
    func withRepair<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            let database = try connection()
            switch files {
            case .inPlace: break
            case .lost(let what): throw StoreError(.lost, what)
            case .unseen(let why): throw StoreError(.cannotOpen, why)
            }
            let result = try body(database)
            if let loss { throw loss }
            return result
        } catch {
            let loss = loss
            guard error.kind == .corrupt || loss != nil else { throw error }
            try rebuild(after: loss ?? error, lost: [])
            return try body(try connection())
        }
    }

    private var files: HeldFiles.State {
        guard let database, let held else { return .inPlace }
        return held.state { database.logFrames }
    }

    private var loss: StoreError? {
        if case .lost(let what) = files { StoreError(.lost, what) } else { nil }
    }

    /// Checks that the files are still there, and begins new ones if they are not. To be called within a second after
    /// they changed: a write would notice too, but nothing may be written for hours.
    package func look() {
        guard database != nil || damage != nil else { return }
        do throws(StoreError) { try withRepair { (_) throws(StoreError) in } } catch { failed(error) }
    }

    private func connection() throws(StoreError) -> Database {
        if let database { return database }
        guard let damage else { throw StoreError(.closed) }
        try rebuild(after: damage.error, lost: damage.lost)
        return try connection()
    }

    /// Sets the damaged file aside and fills a new database. Throws if the file cannot be moved or the new database
    /// cannot be filled; the next use of the store continues from there.
    func rebuild(after error: StoreError, lost: [String]) throws(StoreError) {
        leave(error)
        database = nil
        held = nil
        damage = damage ?? Damage(error: error, lost: lost)
        if damage?.isSetAside == false {
            let path = try file.setAside(at: options.now())
            note(path, error, lost: (["the log", "the replay"] + lost).joined(separator: ", ") + " were lost")
            damage?.isSetAside = true
        }
        try fill()
    }

    private func leave(_ error: StoreError) {
        if held?.isIndexCut == true {
            database?.forget()
        } else if error.kind == .lost {
            database?.abandon()
        } else {
            database?.close()
        }
    }

    /// Fills a new database with the rows in force.
    private func fill() throws(StoreError) {
        file.discard()
        let fresh = try connect()
        try fresh.begin(boot: options.boot)
        let missing = max(missingThrough, live.ceiling)
        let (devices, workspaces) = (live.devices.values, live.workspaces.values)
        let (runSessions, boot) = (live.runSessions.values, options.boot)
        let termsBegin = live.termsBegin
        eventTotal = 0
        live.missingThrough = 0
        try write(live.changes + [.sequenceCeiling(live.ceiling)], to: fresh, .full, missingThrough: missing) {
            () throws(StoreError) in
            for device in devices { try fresh.write(device) }
            for workspace in workspaces { try fresh.write(workspace) }
            for session in runSessions { try fresh.write(session, boot: boot) }
            try fresh.set(.termsBegin, termsBegin)
        }
        held = HeldFiles(file.path)
        database = fresh
        damage = nil
        succeeded()
    }

    /// - Parameter path: The new path of the old file; `nil` if it was gone.
    func note(_ path: String?, _ error: StoreError, lost: String) {
        let what =
            error.kind == .lost ? "\(error.happened) (\(error.detail))" : "the database was damaged (\(error.detail))"
        let moved = path.map { "; what was there was moved to \($0)" } ?? ""
        let recover = path == nil ? "" : ". The sqlite3 command's .recover reads what is left of the old one"
        let text = "\(what)\(moved), and \(lost). A new one is in use\(recover)"
        shared.withLock { $0.notice = text }
    }
}

/// A repair that is not finished.
struct Damage {
    let error: StoreError
    let lost: [String]
    /// The damaged file was moved away: the file in its place is new and not yet filled.
    var isSetAside = false
}
