package import Core

/// Takes what machines report of their sessions, and tells of it.
package protocol ReportService: Sendable {
    /// - Parameter caller: Whose share the report counts towards.
    func take(_ report: SessionReport, by caller: Caller) async throws(ReportFailure)
    func versions() async throws(ReportFailure) -> ReportVersions
    func machines() async throws(ReportFailure) -> [ReportedMachine]
    func sessions(_ query: ReportedSessionQuery) async throws(ReportFailure) -> [ReportedSession]
    func events(sessionID: String, limit: Int) async throws(ReportFailure) -> [ReportedEvent]
    func notices(after place: ReportNoticePlace?, limit: Int) async throws(ReportFailure) -> [KeptReportNotice]
    func acknowledge(_ ids: [String], by caller: Caller) async throws(ReportFailure)
    func register(_ registration: PushRegistration, by caller: Caller) async throws(ReportFailure)
}

/// The reasons for which a request about reports failed.
package enum ReportFailure: Error, Sendable, Hashable {
    case forbidden
    /// The member with this name is the id of what another caller reports, or of this machine.
    case ofAnother(member: String)
    /// The member with this name has more bytes than `limit`.
    case tooLong(member: String, limit: Int)
    case tooManyMachines(limit: Int)
    /// The database failed; the words say how.
    case store(String)
}
