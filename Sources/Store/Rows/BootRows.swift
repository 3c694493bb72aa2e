import Core

/// Rows that are valid until the machine boots again.
extension Database {
    /// Deletes the values of an earlier boot.
    /// - Parameter boot: The id of the present boot; empty if it is not known; then all rows count as an earlier
    ///   boot's.
    func begin(boot: String) throws(StoreError) {
        let known = try query("SELECT id FROM boot") { $0.text() }
        guard boot.isEmpty || known != [boot] else { return }
        try transaction(.normal) { () throws(StoreError) in
            try run("UPDATE requests SET due = NULL WHERE ended_at IS NULL")
            // No process lives that long: a start time is counted from the boot, and 0 is no process's.
            if !boot.isEmpty, let last = known.first, !last.isEmpty {
                try run(
                    "UPDATE sessions SET claude_start_time = 0 WHERE ended_at IS NULL AND claude_start_time IS NOT NULL"
                )
            }
            try run("DELETE FROM claude_processes")
            try run("DELETE FROM boot")
            try run("INSERT INTO boot (id) VALUES (?)", [.text(boot)])
        }
    }

    func write(claude process: ProcessIdentity) throws(StoreError) {
        try run(
            "INSERT OR REPLACE INTO claude_processes (pid, start_time) VALUES (?, ?)",
            [SQLValue(process.pid), SQLValue(process.startTime)])
    }

    func delete(claude process: ProcessIdentity) throws(StoreError) {
        try run(
            "DELETE FROM claude_processes WHERE pid = ? AND start_time = ?",
            [SQLValue(process.pid), SQLValue(process.startTime)])
    }

    func claudeProcesses() throws(StoreError) -> [ProcessIdentity] {
        try query("SELECT pid, start_time FROM claude_processes ORDER BY pid", []) { row in
            ProcessIdentity(
                pid: Int32(truncatingIfNeeded: row.integer()), startTime: UInt64(bitPattern: row.integer()))
        }
    }
}
