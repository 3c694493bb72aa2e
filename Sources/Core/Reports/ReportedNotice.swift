/// A notification of a reported session on its way to the apps that registered for pushes.
package struct ReportedNotice: Sendable, Hashable {
    /// As clients fetch it.
    package let kept: KeptReportNotice
    /// Title and body without what the agent or its user wrote.
    package let plainTitle: String
    package let plainBody: String
    /// The directory that the event was in; empty if the machine did not tell.
    package let cwd: String
    /// The request of this machine that it is about.
    package let card: ReportedCard?

    package init(_ kept: KeptReportNotice, of notice: ReportNotice, in report: SessionReport) {
        self.kept = kept
        (plainTitle, plainBody) = (notice.fallbackTitle, notice.plainBody)
        (cwd, card) = (report.cwd ?? "", report.card)
    }
}

/// The open request of this machine that a report is about.
package struct ReportedCard: Sendable, Hashable {
    package let requestID: String
    package let deadline: Timestamp

    package init(requestID: String, deadline: Timestamp) {
        self.requestID = requestID
        self.deadline = deadline
    }
}
