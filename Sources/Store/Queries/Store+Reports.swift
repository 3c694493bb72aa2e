package import Core

/// Reports of sessions. Where the database turns out to be damaged they are lost: the machines go on reporting.
extension Store {
    /// What others report of a session that this machine's own hooks tell of is passed over: it would tell everything twice,
    /// and what is here is known better.
    package func take(_ received: ReceivedReport) throws(StoreError) -> ReportTaking {
        var taking = ReportTaking.done
        try change(.normal) { (database) throws(StoreError) in
            guard try !database.isOwn(received) else { return }
            taking = try database.taking(of: received, mostMachines: options.reportLimits.mostMachines)
            if taking == .done { try database.write(received) }
        }
        return taking
    }

    package func ownMachineID() throws(StoreError) -> String? {
        try withRepair { (database) throws(StoreError) in
            try database.query("SELECT id FROM report_machines WHERE reporter = '' LIMIT 1") { $0.text() }.first
        }
    }

    package func reportVersions() throws(StoreError) -> ReportVersions {
        try withRepair { (database) throws(StoreError) in
            ReportVersions(
                events: try database.meta(.reportNumber) ?? 0, notices: try database.meta(.reportNoticeNumber) ?? 0)
        }
    }

    package func reportedMachines() throws(StoreError) -> [ReportedMachine] {
        try withRepair { (database) throws(StoreError) in try database.reportedMachines() }
    }

    package func reportedSessions(_ query: ReportedSessionQuery) throws(StoreError) -> [ReportedSession] {
        try withRepair { (database) throws(StoreError) in try database.reportedSessions(query) }
    }

    package func reportedEvents(sessionID: String, limit: Int) throws(StoreError) -> [ReportedEvent] {
        try withRepair { (database) throws(StoreError) in
            try database.reportedEvents(sessionID: sessionID, limit: limit)
        }
    }

    package func reportNotices(after place: ReportNoticePlace?, limit: Int) throws(StoreError) -> [KeptReportNotice] {
        try withRepair { (database) throws(StoreError) in
            try database.reportNotices(after: place, limit: limit)
        }
    }

    package func reportNotice(id: String) throws(StoreError) -> KeptReportNotice? {
        try withRepair { (database) throws(StoreError) in try database.reportNotice(id: id) }
    }

    package func acknowledgeReportNotices(_ ids: [String]) throws(StoreError) {
        guard !ids.isEmpty else { return }
        try change(.normal) { (database) throws(StoreError) in
            for id in ids {
                try database.run("UPDATE report_notices SET is_acknowledged = 1 WHERE id = ?", [.text(id)])
            }
        }
    }

    package func keep(_ registration: KeptRegistration) throws(StoreError) {
        let most = options.reportLimits.mostRegistrations
        try change(.normal) { (database) throws(StoreError) in try database.write(registration, most: most) }
    }

    /// Oldest first.
    package func pushRegistrations() throws(StoreError) -> [KeptRegistration] {
        try withRepair { (database) throws(StoreError) in try database.pushRegistrations() }
    }

    package func forgetPushRegistration(token: String, registeredBy time: Timestamp) throws(StoreError) {
        try change(.normal) { (database) throws(StoreError) in
            try database.run(
                "DELETE FROM push_registrations WHERE token = ? AND registered_at <= ?", [.text(token), SQLValue(time)])
        }
    }

    package func forgetPushRegistrations(reporter: String) throws(StoreError) {
        try change(.full) { (database) throws(StoreError) in try database.deletePushRegistrations(reporter: reporter) }
    }
}

extension Database {
    fileprivate func countUp(_ name: Meta) throws(StoreError) -> Int64 {
        let next = (try meta(name) ?? 0) + 1
        try set(name, next)
        return next
    }

    fileprivate func write(_ received: ReceivedReport) throws(StoreError) {
        let number = try countUp(.reportNumber)
        try writeMachine(of: received)
        try writeSession(of: received)
        try writeEvent(of: received, number: number)
        guard let notice = received.notice else { return }
        try write(notice, of: received, event: number, number: try countUp(.reportNoticeNumber))
    }

    fileprivate func isOwn(_ received: ReceivedReport) throws(StoreError) -> Bool {
        guard !received.reporter.isEmpty else { return false }
        return try query("SELECT reporter FROM report_sessions WHERE id = ?", [.text(received.report.sessionID)]) {
            $0.text()
        } == [""]
    }

    fileprivate func reportedMachines() throws(StoreError) -> [ReportedMachine] {
        try query(
            """
            SELECT id, name, platform, first_seen, last_seen,
                (SELECT count(*) FROM report_sessions WHERE machine_id = report_machines.id AND is_ended = 0)
            FROM report_machines ORDER BY last_seen DESC, id
            """
        ) { row in
            let machine = ReportingMachine(id: row.text(), name: row.text(), platform: row.text())
            return ReportedMachine(
                machine: machine, firstSeen: row.time(), lastSeen: row.time(), openSessions: Int(row.integer()))
        }
    }

    /// Each choice has an index that gives the rows in their order; a `+` keeps the planner from another one. What is
    /// before the page is passed over in the index alone.
    fileprivate func reportedSessions(_ query: ReportedSessionQuery) throws(StoreError) -> [ReportedSession] {
        let isOfOne = query.machineID != nil
        let (column, comparison, value): (String, String, SQLValue) =
            switch query.choice {
            case .all: ("is_ended", ">=", 0)
            case .notEnded: ("is_ended", "=", 0)
            case .notEndedElsewhere: ("report_sessions.reporter > '' AND is_ended", "=", 0)
            case .status(let status): ("status", "=", .text(status.rawValue))
            }
        let times = "last_event DESC, report_sessions.rowid"
        let order = !isOfOne && query.choice == .all ? "is_ended, \(times)" : times
        return try self.query(
            """
            SELECT report_sessions.id, report_machines.id, name, platform, started_at, last_event, status, cwd, title
            FROM (
                SELECT rowid AS row FROM report_sessions
                WHERE \(isOfOne ? "machine_id = ?1 AND +" : "")\(column) \(comparison) ?2
                ORDER BY \(order) LIMIT ?3 OFFSET ?4
            ) AS page CROSS JOIN report_sessions ON report_sessions.rowid = page.row
                CROSS JOIN report_machines ON report_machines.id = machine_id
            ORDER BY \(order)
            """, [SQLValue(query.machineID), value, SQLValue(query.limit), SQLValue(query.offset)],
            ReportedSession.init)
    }

    fileprivate func reportedEvents(sessionID: String, limit: Int) throws(StoreError) -> [ReportedEvent] {
        try query(
            """
            SELECT number, name, timestamp, tool_name, notification_type, message FROM report_events
            WHERE session_id = ? ORDER BY timestamp DESC, number DESC LIMIT ?
            """, [.text(sessionID), SQLValue(limit)]
        ) { row throws(StoreError) in
            ReportedEvent(
                number: row.integer(), name: row.text(), timestamp: row.text(),
                toolName: try row.optional { $0.text() }, notificationType: try row.optional { $0.text() },
                message: try row.optional { $0.text() })
        }
    }

    /// Everything is behind an id that nobody knows. What is behind a known one came later, whatever the clock was set to
    /// meanwhile.
    fileprivate func reportNotices(
        after place: ReportNoticePlace?, limit: Int
    ) throws(StoreError) -> [KeptReportNotice] {
        switch place {
        case .id(let id):
            let known = try query("SELECT number FROM report_notices WHERE id = ?", [.text(id)]) { $0.integer() }.first
            guard let known else { return try reportNotices(after: nil, limit: limit) }
            return try query(
                "\(Self.selectNotices) WHERE number > ? ORDER BY number LIMIT ?",
                [.integer(known), SQLValue(limit)], KeptReportNotice.init)
        case .time(let time): return try reportNotices(behind: time, limit: limit)
        case nil: return try reportNotices(behind: Timestamp(milliseconds: .min), limit: limit)
        }
    }

    private func reportNotices(behind time: Timestamp, limit: Int) throws(StoreError) -> [KeptReportNotice] {
        try query(
            "\(Self.selectNotices) WHERE created_at > ? ORDER BY created_at, number LIMIT ?",
            [SQLValue(time), SQLValue(limit)], KeptReportNotice.init)
    }

    fileprivate func reportNotice(id: String) throws(StoreError) -> KeptReportNotice? {
        try query("\(Self.selectNotices) WHERE id = ?", [.text(id)], KeptReportNotice.init).first
    }

    private static var selectNotices: String {
        """
        SELECT id, event, session_id, machine_id, kind, title, body, created_at, is_acknowledged
        FROM report_notices
        """
    }
}

extension KeptReportNotice {
    fileprivate init(_ row: inout Row) throws(StoreError) {
        self.init(
            id: row.text(), eventNumber: row.integer(), sessionID: row.text(), machineID: row.text(),
            kind: try row.spelled(ReportNotice.Kind.init(rawValue:)), title: row.text(), body: row.text(),
            createdAt: row.time(), isAcknowledged: row.bool())
    }
}

extension ReportedSession {
    fileprivate init(_ row: inout Row) throws(StoreError) {
        let id = row.text()
        let machine = ReportingMachine(id: row.text(), name: row.text(), platform: row.text())
        self.init(
            id: id, machine: machine, startedAt: row.time(), lastEvent: row.time(),
            status: try row.spelled(ReportedStatus.init(rawValue:)), cwd: try row.optional { $0.text() },
            title: try row.optional { $0.text() })
    }
}
