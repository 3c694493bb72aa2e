import Core

/// Deletes what is old of reports, in one small transaction.
extension Store {
    /// Returns false once nothing is left.
    func trimReports(_ database: Database, _ now: Timestamp) throws(StoreError) -> Bool {
        let limits = options.reportLimits
        return try database.transaction(.normal) { () throws(StoreError) in
            if try database.trimReportEvents(before: now.minus(hours: limits.eventHours)) { return true }
            if try database.trimReportNotices(before: now.minus(hours: limits.noticeHours)) { return true }
            if try database.trimReportSessions(before: now.minus(hours: limits.sessionHours)) { return true }
            try database.deleteReportMachines(before: now.minus(hours: limits.machineHours))
            return false
        }
    }
}

extension Database {
    private static var sliceRows: Int { 200 }

    /// By the order of their numbers, in which they came.
    fileprivate func trimReportEvents(before cutoff: Timestamp) throws(StoreError) -> Bool {
        let old = try query(
            "SELECT number, received_at FROM report_events WHERE number > 0 ORDER BY number LIMIT ?",
            [SQLValue(Self.sliceRows)]
        ) { (number: $0.integer(), at: $0.time()) }.prefix { $0.at < cutoff }
        guard let last = old.last else { return false }
        try run("DELETE FROM report_events WHERE number <= ?", [.integer(last.number)])
        return true
    }

    fileprivate func trimReportNotices(before cutoff: Timestamp) throws(StoreError) -> Bool {
        try run(
            """
            DELETE FROM report_notices WHERE number IN (
                SELECT number FROM report_notices WHERE created_at < ? LIMIT ?)
            """, [SQLValue(cutoff), SQLValue(Self.sliceRows)])
        return changes > 0
    }

    /// A session stays as long as an event or a notification names it.
    fileprivate func trimReportSessions(before cutoff: Timestamp) throws(StoreError) -> Bool {
        try run(
            """
            DELETE FROM report_sessions WHERE id IN (
                SELECT id FROM report_sessions WHERE last_event < ?
                    AND NOT EXISTS (SELECT 1 FROM report_events WHERE session_id = report_sessions.id)
                    AND NOT EXISTS (SELECT 1 FROM report_notices WHERE session_id = report_sessions.id) LIMIT ?)
            """, [SQLValue(cutoff), SQLValue(Self.sliceRows)])
        return changes > 0
    }

    /// This machine stays, so that it keeps its id.
    fileprivate func deleteReportMachines(before cutoff: Timestamp) throws(StoreError) {
        try run(
            """
            DELETE FROM report_machines WHERE last_seen < ? AND reporter > ''
                AND NOT EXISTS (SELECT 1 FROM report_sessions WHERE machine_id = report_machines.id)
            """, [SQLValue(cutoff)])
    }
}

/// Deletes what is beyond a reporter's share, of one reporter after the other.
///
/// To find where a share ends takes milliseconds, in which a hook's commit may wait. So it is done once for each reporter,
/// and not again with each slice of rows that is deleted.
struct ReportShares {
    private let limits: ReportLimits
    /// The reporter whose turn it is; nil once all had theirs.
    private var reporter: String? = ""
    /// The last rows beyond its share, by their table, once they were looked for; 0 where there are none.
    private var ends: [(table: String, number: Int64)]?

    init(_ limits: ReportLimits) {
        self.limits = limits
    }

    /// One small transaction. Returns false once nothing is left.
    mutating func trim(_ database: Database) throws(StoreError) -> Bool {
        guard let reporter else { return false }
        return try database.transaction(.normal) { () throws(StoreError) in try trim(reporter, in: database) }
    }

    private mutating func trim(_ name: String, in database: Database) throws(StoreError) -> Bool {
        guard let ends else {
            self.ends = [
                ("report_events", try database.end(ofShare: limits.mostEvents, "report_events", of: name)),
                ("report_notices", try database.end(ofShare: limits.mostNotices, "report_notices", of: name)),
            ]
            return true
        }
        for end in ends where end.number > 0 {
            if try database.deleteRows(through: end.number, end.table, of: name) { return true }
        }
        if try database.deleteSessionsBeyond(limits.mostSessions, of: name) { return true }
        self.ends = nil
        reporter = try database.query(
            "SELECT reporter FROM report_events WHERE reporter > ? ORDER BY reporter LIMIT 1", [.text(name)]
        ) { $0.text() }.first
        return reporter != nil
    }
}

extension Database {
    /// The number of the newest row beyond the share; 0 if there is none.
    fileprivate func end(ofShare most: Int, _ table: String, of reporter: String) throws(StoreError) -> Int64 {
        try query(
            "SELECT number FROM \(table) WHERE reporter = ? ORDER BY number DESC LIMIT 1 OFFSET ?",
            [.text(reporter), SQLValue(most)]
        ) { $0.integer() }.first ?? 0
    }

    /// Deletes the oldest rows, a slice at a time. Returns false if there were none.
    fileprivate func deleteRows(
        through number: Int64, _ table: String, of reporter: String
    ) throws(StoreError) -> Bool {
        try run(
            """
            DELETE FROM \(table) WHERE number IN (
                SELECT number FROM \(table) WHERE reporter = ? AND number <= ? LIMIT ?)
            """, [.text(reporter), .integer(number), SQLValue(Self.sliceRows)])
        return changes > 0
    }

    /// The events of a session go first, a slice at a time: it may have all of its reporter's.
    fileprivate func deleteSessionsBeyond(_ most: Int, of reporter: String) throws(StoreError) -> Bool {
        let id = try query(
            "SELECT id FROM report_sessions WHERE reporter = ? ORDER BY last_event DESC LIMIT 1 OFFSET ?",
            [.text(reporter), SQLValue(most)]
        ) { $0.text() }.first
        guard let id else { return false }
        try run(
            """
            DELETE FROM report_events WHERE number IN (
                SELECT number FROM report_events WHERE session_id = ? LIMIT ?)
            """, [.text(id), SQLValue(Self.sliceRows)])
        if changes < Self.sliceRows { try run("DELETE FROM report_sessions WHERE id = ?", [.text(id)]) }
        return true
    }
}
