import Core

/// What happens when the database turns out to be damaged while it is in use.
extension Store {
    /// Runs `body`; where that finds damage, sets the file aside, fills a new one and runs it again.
    func mending<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
        do {
            return try body(try connection())
        } catch  where error.kind == .corrupt {
            try rebuild(after: error, lost: [])
            return try body(try connection())
        }
    }

    private func connection() throws(StoreError) -> Database {
        if let database { return database }
        guard let damage else { throw StoreError(.closed) }
        try rebuild(after: damage.error, lost: damage.lost)
        return try connection()
    }

    /// Throws where the file cannot be moved or the new one cannot be finished; the next use goes on from there.
    func rebuild(after error: StoreError, lost: [String]) throws(StoreError) {
        database?.close()
        database = nil
        damage = damage ?? Damage(error: error, lost: lost)
        if damage?.isSetAside == false {
            let path = try file.setAside(at: options.now())
            note(path, error, lost: (["the log", "the replay"] + lost).joined(separator: ", ") + " were lost")
            damage?.isSetAside = true
        }
        try fill()
    }

    /// A new database with what is in force.
    private func fill() throws(StoreError) {
        file.discard()
        let fresh = try connect()
        let missing = max(missingThrough, live.ceiling)
        let devices = live.devices.values
        eventTotal = 0
        live.missingThrough = 0
        try write(live.changes + [.sequenceCeiling(live.ceiling)], to: fresh, .full, missingThrough: missing) {
            () throws(StoreError) in
            for device in devices { try fresh.write(device) }
        }
        database = fresh
        damage = nil
    }

    func note(_ path: String, _ error: StoreError, lost: String) {
        let text = """
            the database was damaged (\(error.detail)); it was moved to \(path), and \(lost). A new one is in use. \
            The sqlite3 command's .recover reads what is left of the old one
            """
        shared { $0.notice = text }
    }
}

/// A repair that is not finished.
struct Damage {
    let error: StoreError
    let lost: [String]
    /// The file was moved away: what now lies in its place is a new one that is not yet filled.
    var isSetAside = false
}
