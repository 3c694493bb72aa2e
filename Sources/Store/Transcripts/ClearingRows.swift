import Core

extension Database {
    /// How far the record of what was typed was read; `nil` before the first time.
    func clearingMark() throws(StoreError) -> SessionClearings.Mark? {
        try query("SELECT inode, end FROM clearings_read") {
            SessionClearings.Mark(inode: UInt64(bitPattern: $0.integer()), end: $0.integer())
        }.first
    }

    func add(_ clearings: SessionClearings) throws(StoreError) {
        try transaction(.normal) { () throws(StoreError) in
            for one in clearings.found {
                try run(
                    "INSERT OR IGNORE INTO clearings(session, time) VALUES(?, ?)",
                    [.text(one.sessionID), SQLValue(one.at)])
            }
            try run("DELETE FROM clearings_read")
            try run(
                "INSERT INTO clearings_read VALUES(?, ?)",
                [SQLValue(clearings.mark.inode), .integer(clearings.mark.end)])
        }
    }

    /// When the session was cleared at its terminal.
    func clearings(of session: String) throws(StoreError) -> [Timestamp] {
        try query("SELECT time FROM clearings WHERE session = ? ORDER BY time", [.text(session)]) { $0.time() }
    }
}
