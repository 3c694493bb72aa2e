import Core

/// The rows that a report writes.
extension Database {
    /// Returns whether the report may be written: a reporter may tell nothing of what another one reports.
    func taking(of received: ReceivedReport, mostMachines: Int) throws(StoreError) -> ReportTaking {
        let (report, reporter) = (received.report, received.reporter)
        if try isOfAnother("report_machines", report.machine.id, reporter) { return .machineOfAnother }
        if try isOfAnother("report_sessions", report.sessionID, reporter) { return .sessionOfAnother }
        let others = try query(
            "SELECT count(*) FROM report_machines WHERE reporter = ? AND id <> ?",
            [.text(reporter), .text(report.machine.id)]
        ) { $0.integer() }
        return (others.first ?? 0) < mostMachines ? .done : .tooManyMachines
    }

    /// What a token reported that is revoked or expired is the next one's: the machine may have got a new token.
    private func isOfAnother(_ table: String, _ id: String, _ reporter: String) throws(StoreError) -> Bool {
        guard !reporter.isEmpty else { return false }
        let rows = try query(
            """
            SELECT 1 FROM \(table) WHERE id = ?1 AND reporter <> ?2 AND (reporter = ''
                OR EXISTS (SELECT 1 FROM devices WHERE devices.id = reporter AND revoked_at IS NULL))
            """, [.text(id), .text(reporter)]
        ) { $0.integer() }
        return !rows.isEmpty
    }

    /// A machine keeps its platform.
    func writeMachine(of received: ReceivedReport) throws(StoreError) {
        let machine = received.report.machine
        try run(
            """
            INSERT INTO report_machines (id, name, platform, reporter, first_seen, last_seen)
            VALUES (?1, ?2, ?3, ?4, ?5, ?5)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, reporter = excluded.reporter, last_seen = excluded.last_seen
            """,
            [
                .text(machine.id), .text(machine.name), .text(machine.platform), .text(received.reporter),
                SQLValue(received.at),
            ])
    }

    /// A session keeps its first machine and its first title, but one that this machine's own hooks tell of is this
    /// machine's; its directory is the last that was told. A first event that says nothing of the state makes the session
    /// active.
    func writeSession(of received: ReceivedReport) throws(StoreError) {
        let report = received.report
        let status = ReportedStatus(after: report)
        try run(
            """
            INSERT INTO report_sessions
                (id, machine_id, reporter, started_at, last_event, status, is_ended, cwd, title)
            VALUES (?1, ?2, ?3, ?4, ?4, coalesce(?5, 'active'), coalesce(?6, 0), ?7, ?8)
            ON CONFLICT (id) DO UPDATE SET
                last_event = excluded.last_event, status = coalesce(?5, status), is_ended = coalesce(?6, is_ended),
                cwd = coalesce(?7, cwd), title = coalesce(title, ?8),
                machine_id = iif(?3 = '', ?2, machine_id), reporter = excluded.reporter
            """,
            [
                .text(report.sessionID), .text(report.machine.id), .text(received.reporter), SQLValue(received.at),
                SQLValue(status?.rawValue), SQLValue(status.map { $0 == .ended }), SQLValue(report.cwd),
                SQLValue(report.title),
            ])
    }

    func writeEvent(of received: ReceivedReport, number: Int64) throws(StoreError) {
        let report = received.report
        try run(
            """
            INSERT INTO report_events
                (number, session_id, reporter, received_at, name, timestamp, tool_name, notification_type, message)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(number), .text(report.sessionID), .text(received.reporter), SQLValue(received.at),
                .text(report.name), .text(report.timestamp), SQLValue(report.toolName),
                SQLValue(report.notificationType), SQLValue(report.message),
            ])
    }

    /// The title is the session's if it has one.
    func write(
        _ notice: ReportNotice, of received: ReceivedReport, event: Int64, number: Int64
    ) throws(StoreError) {
        let session = try query(
            "SELECT machine_id, coalesce(title, '') FROM report_sessions WHERE id = ?",
            [.text(received.report.sessionID)]
        ) { (machineID: $0.text(), title: $0.text()) }.first
        guard let session else { return }
        try run(
            """
            INSERT INTO report_notices
                (number, id, event, session_id, machine_id, reporter, kind, title, body, created_at, is_acknowledged)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
            """,
            [
                .integer(number), .text(received.noticeID), .integer(event), .text(received.report.sessionID),
                .text(session.machineID), .text(received.reporter), .text(notice.kind.rawValue),
                .text(session.title.isEmpty ? notice.fallbackTitle : session.title), .text(notice.body),
                SQLValue(try noticeTime(received.at)),
            ])
    }

    /// A millisecond behind the last notification of this second: clients ask for what is behind the last time they
    /// saw, and would miss another of the same time. A last time far ahead is that of a clock that was wrong.
    private func noticeTime(_ now: Timestamp) throws(StoreError) -> Timestamp {
        let last = try query(
            "SELECT created_at FROM report_notices WHERE created_at < ? ORDER BY created_at DESC LIMIT 1",
            [SQLValue(now + 1)]
        ) { $0.time() }.first
        guard let last, last >= now else { return now }
        return Timestamp(milliseconds: last.milliseconds + 1)
    }

    func write(_ kept: KeptRegistration, most: Int) throws(StoreError) {
        let (registration, reporter) = (kept.registration, kept.reporter)
        try run(
            """
            INSERT OR REPLACE INTO push_registrations (token, platform, is_sandbox, reporter, registered_at)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                .text(registration.token), .text(registration.platform), SQLValue(registration.isSandbox),
                .text(reporter), SQLValue(kept.registeredAt),
            ])
        try run(
            """
            DELETE FROM push_registrations WHERE token IN (
                SELECT token FROM push_registrations WHERE reporter = ? ORDER BY registered_at DESC LIMIT -1 OFFSET ?)
            """, [.text(reporter), SQLValue(most)])
    }

    /// Oldest first.
    func pushRegistrations() throws(StoreError) -> [KeptRegistration] {
        try query(
            """
            SELECT token, platform, is_sandbox, reporter, registered_at FROM push_registrations
            ORDER BY registered_at, token
            """
        ) { row in
            let registration = PushRegistration(token: row.text(), platform: row.text(), isSandbox: row.bool())
            return KeptRegistration(registration, reporter: row.text(), registeredAt: row.time())
        }
    }

    func deletePushRegistrations(reporter: String) throws(StoreError) {
        try run("DELETE FROM push_registrations WHERE reporter = ?", [.text(reporter)])
    }
}
