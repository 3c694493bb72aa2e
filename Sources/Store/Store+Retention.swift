import Core

/// The limits on the age of rows and on the bytes of events.
package struct Retention: Sendable, Hashable {
    /// Days that ended requests with their resolutions, ended sessions, revoked devices and removed workspaces are
    /// kept.
    package var days: Int
    package var eventHours = 24
    /// The most bytes that the texts of the kept events have.
    package var eventBytes: Int64 = 256 << 20
    /// Hours after a rule's last match.
    package var ruleHours = 24

    package init(days: Int = 30) {
        self.days = days
    }
}

extension Store {
    /// Deletes rows that are too old, in transactions so small that a commit never waits long for one; to be called
    /// about once a minute. Then gives free pages back to the file system, a few at a time. Returns at once while
    /// another sweep runs.
    package func sweep(_ retention: Retention) async throws {
        guard !isSweeping else { return }
        isSweeping = true
        defer { isSweeping = false }
        let now = options.now()
        let cutoff = now.minus(hours: retention.days * 24)
        try await repeating { (database) throws(StoreError) in try self.trimEvents(database, retention, now) }
        try await repeating { (database) throws(StoreError) in try self.trimRequests(database, before: cutoff) }
        try await repeating { (database) throws(StoreError) in try self.trimSessions(database, before: cutoff) }
        try await repeating { (database) throws(StoreError) in
            try self.trimRules(database, before: now.minus(hours: retention.ruleHours))
        }
        try await repeating { (database) throws(StoreError) in try self.trimDevices(database, before: cutoff) }
        try await repeating { (database) throws(StoreError) in try self.trimRemovals(database, before: cutoff) }
        try await repeating { (database) throws(StoreError) in try self.trimReports(database, now) }
        var shares = ReportShares(options.reportLimits)
        try await repeating { (database) throws(StoreError) in try shares.trim(database) }
        try await repeating { (database) throws(StoreError) in try self.giveBackPages(database) }
    }

    /// Runs `slice`, which is one transaction each time, until it returns false: nothing is left.
    private func repeating(_ slice: (Database) throws(StoreError) -> Bool) async throws {
        var isUnfinished = true
        while isUnfinished {
            try Task.checkCancellation()
            do {
                isUnfinished = try withRepair { (database) throws(StoreError) in
                    defer { try? database.checkpoint(above: Self.checkpointPages) }
                    return try slice(database)
                }
            } catch {
                failed(error)
                throw error
            }
            await Task.yield()
        }
    }

    private static var sliceRows: Int { 100 }
    private static var sliceBytes: Int64 { 2 << 20 }

    private func trimEvents(
        _ database: Database, _ retention: Retention, _ now: Timestamp
    ) throws(StoreError) -> Bool {
        let oldest = now.minus(hours: retention.eventHours)
        let excess = eventTotal - retention.eventBytes
        var bytes: Int64 = 0
        let marks = try database.eventMarks(from: 1, limit: Self.sliceRows).prefix { mark in
            defer { bytes += mark.bytes }
            return (mark.at < oldest || mark.total - mark.bytes < excess) && bytes < Self.sliceBytes
        }
        guard let last = marks.last else { return false }
        let missing = max(missingThrough, last.sequence)
        try database.transaction(.normal) { () throws(StoreError) in
            try database.deleteEvents(through: last.sequence)
            try database.set(.missingThrough, missing)
        }
        live.missingThrough = missing
        return true
    }

    private func trimRequests(_ database: Database, before cutoff: Timestamp) throws(StoreError) -> Bool {
        var bytes: Int64 = 0
        let old = try database.query(
            "SELECT number, input_bytes FROM requests WHERE ended_at < ? ORDER BY ended_at LIMIT ?",
            [SQLValue(cutoff), SQLValue(Self.sliceRows)]
        ) { (number: $0.integer(), bytes: $0.integer()) }.prefix { row in
            defer { bytes += row.bytes }
            return bytes < Self.sliceBytes
        }
        guard !old.isEmpty else { return false }
        try database.transaction(.normal) { () throws(StoreError) in
            for row in old { try database.run("DELETE FROM requests WHERE number = ?", [.integer(row.number)]) }
        }
        return true
    }

    /// Deletes ended sessions, and those whose end was never reported once they had neither activity nor a request
    /// since `cutoff`.
    private func trimSessions(_ database: Database, before cutoff: Timestamp) throws(StoreError) -> Bool {
        let old = try database.query(
            """
            SELECT id FROM sessions WHERE ended_at < ?1
            UNION ALL
            SELECT id FROM sessions WHERE ended_at IS NULL AND last_activity < ?1 AND NOT EXISTS (
                SELECT 1 FROM requests WHERE session_id = sessions.id AND requests.created_at >= ?1)
            LIMIT ?2
            """, [SQLValue(cutoff), SQLValue(Self.sliceRows)]
        ) { $0.text() }
        guard !old.isEmpty else { return false }
        try database.transaction(.normal) { () throws(StoreError) in
            for id in old { try database.run("DELETE FROM sessions WHERE id = ?", [.text(id)]) }
        }
        for id in old { live.forgetSession(id: id) }
        return true
    }

    /// Deletes old rules of sessions that are over. Of the others the broker measures the age, by the time since the
    /// machine was started: the wall clock may be days ahead for a while.
    private func trimRules(_ database: Database, before cutoff: Timestamp) throws(StoreError) -> Bool {
        let old = try database.query(
            """
            SELECT id FROM rules WHERE last_match < ? AND NOT EXISTS (
                SELECT 1 FROM sessions WHERE sessions.id = session_id AND ended_at IS NULL)
            LIMIT ?
            """, [SQLValue(cutoff), SQLValue(Self.sliceRows)]
        ) { $0.text() }
        guard !old.isEmpty else { return false }
        try database.transaction(.normal) { () throws(StoreError) in
            for id in old { try database.deleteRule(id: id) }
        }
        for id in old { live.apply(.deleteRule(id: id)) }
        return true
    }

    private func trimDevices(_ database: Database, before cutoff: Timestamp) throws(StoreError) -> Bool {
        let old = live.devices.values.filter { $0.revokedAt.map { $0 < cutoff } ?? false }.map(\.id)
        guard !old.isEmpty else { return false }
        try database.transaction(.normal) { () throws(StoreError) in
            for id in old { try database.deleteDevice(id: id) }
        }
        for id in old { live.forgetDevice(id: id) }
        return false
    }

    /// Deletes the removed workspaces whose sessions are over by now, and the oldest where there are too many.
    private func trimRemovals(_ database: Database, before cutoff: Timestamp) throws(StoreError) -> Bool {
        try database.transaction(.normal) { () throws(StoreError) in
            try database.deleteRemovedWorkspaces(before: cutoff, leaving: Self.removalLimit)
        }
        return false
    }

    /// As many as `WorkspaceBook` remembers.
    private static var removalLimit: Int { 1000 }

    /// Gives free pages back if they are more than a quarter of the file; fewer are kept for reuse.
    private func giveBackPages(_ database: Database) throws(StoreError) -> Bool {
        let free = try database.query("PRAGMA freelist_count") { $0.integer() }.first ?? 0
        let all = try database.query("PRAGMA page_count") { $0.integer() }.first ?? 0
        guard free > 1024, free > all / 4 else { return false }
        try database.execute("PRAGMA incremental_vacuum(\(Self.pagesGivenBack))")
        return true
    }

    private static var pagesGivenBack: Int { 128 }
}

extension Timestamp {
    func minus(hours: Int) -> Timestamp {
        Timestamp(milliseconds: milliseconds - Int64(hours) * 3_600_000)
    }
}
