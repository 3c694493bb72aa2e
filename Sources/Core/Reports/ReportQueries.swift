/// A report on its way to the database.
package struct ReceivedReport: Sendable, Hashable {
    package let report: SessionReport
    /// Whom it is counted for: the id of the device that sent it; empty for this machine's own hooks.
    package let reporter: String
    package let notice: ReportNotice?
    /// The id of the notification, if there is one.
    package let noticeID: String
    package let at: Timestamp

    package init(report: SessionReport, reporter: String, notice: ReportNotice?, noticeID: String, at: Timestamp) {
        self.report = report
        self.reporter = reporter
        self.notice = notice
        self.noticeID = noticeID
        self.at = at
    }
}

/// What became of a report.
package enum ReportTaking: Sendable, Hashable {
    /// It is written, or passed over because this machine's own hooks tell the same.
    case done
    /// The machine is one that another reporter reports, or this one itself.
    case machineOfAnother
    case sessionOfAnother
    case tooManyMachines
}

/// The choice and the part of a list of reported sessions.
package struct ReportedSessionQuery: Sendable, Hashable {
    package enum Choice: Sendable, Hashable {
        case all
        case notEnded
        /// Those that have not ended, without this machine's.
        case notEndedElsewhere
        case status(ReportedStatus)
    }

    /// `nil` for the sessions of all machines.
    package let machineID: String?
    package let choice: Choice
    package let limit: Int
    package let offset: Int

    package init(machineID: String? = nil, choice: Choice = .all, limit: Int, offset: Int = 0) {
        self.machineID = machineID
        self.choice = choice
        self.limit = limit
        self.offset = offset
    }
}

/// The notification behind which a list begins.
package enum ReportNoticePlace: Sendable, Hashable {
    case id(String)
    case time(Timestamp)
}

/// The ceilings of what is kept of reports. Each is for one reporter, so that none takes the others' room.
package struct ReportLimits: Sendable, Hashable {
    package var eventHours = 7 * 24
    package var machineHours = 30 * 24
    package var noticeHours = 24
    package var sessionHours = 7 * 24
    /// Events beyond are deleted, the oldest first; about 30 MB, 250 MB at the most.
    package var mostEvents = 100_000
    /// A further machine is refused.
    package var mostMachines = 50
    package var mostNotices = 2000
    package var mostRegistrations = 20
    /// Sessions beyond are deleted, the one that was silent for longest first.
    package var mostSessions = 2000

    package init() {}
}
