package import Core

/// The part of the database that reports need.
package protocol ReportStore: Sendable {
    /// Writes machine, session, event and notification in one transaction, or nothing.
    func take(_ report: ReceivedReport) async throws -> ReportTaking
    /// The id by which this machine reported; `nil` before it did.
    func ownMachineID() async throws -> String?
    func reportVersions() async throws -> ReportVersions
    /// The last seen first.
    func reportedMachines() async throws -> [ReportedMachine]
    /// Those of one machine by their last event; those of all machines with the ended ones behind the others.
    func reportedSessions(_ query: ReportedSessionQuery) async throws -> [ReportedSession]
    /// The newest first, by the times that the machine told.
    func reportedEvents(sessionID: String, limit: Int) async throws -> [ReportedEvent]
    /// The oldest first.
    func reportNotices(after place: ReportNoticePlace?, limit: Int) async throws -> [KeptReportNotice]
    /// `nil` if there is none.
    func reportNotice(id: String) async throws -> KeptReportNotice?
    /// Ids that are not known are passed over.
    func acknowledgeReportNotices(_ ids: [String]) async throws
    /// Replaces an earlier registration of the same token.
    func keep(_ registration: KeptRegistration) async throws
}
