package import Services

/// The services that the methods call, as small protocols so that a test can replace each.
package struct MethodServices: Sendable {
    package let access: any AccessService
    package let devices: any DeviceService
    package let files: any FileService
    package let git: any GitService
    package let history: any HistoryService
    /// Called with the id of a workspace whose repository somebody looks at.
    package let noteInterest: @Sendable (String) -> Void
    package let notices: any NoticeService
    package let pairing: any PairingService
    package let permissions: any PermissionService
    package let polls: any PollService
    package let previews: any PreviewService
    package let reports: any ReportService
    package let runSessions: any RunSessionService
    package let sessions: any SessionService
    package let transcripts: any TranscriptService
    package let viewers: SessionViewers
    package let workspaces: any WorkspaceService

    package init(
        access: any AccessService, devices: any DeviceService, files: any FileService, git: any GitService,
        noteInterest: @escaping @Sendable (String) -> Void = { _ in },
        history: any HistoryService, notices: any NoticeService, pairing: any PairingService,
        permissions: any PermissionService,
        polls: any PollService, previews: any PreviewService, reports: any ReportService,
        runSessions: any RunSessionService,
        sessions: any SessionService,
        transcripts: any TranscriptService, viewers: SessionViewers, workspaces: any WorkspaceService
    ) {
        self.access = access
        self.devices = devices
        self.files = files
        self.git = git
        self.history = history
        self.noteInterest = noteInterest
        self.notices = notices
        self.pairing = pairing
        self.permissions = permissions
        self.polls = polls
        self.previews = previews
        self.reports = reports
        self.runSessions = runSessions
        self.sessions = sessions
        self.transcripts = transcripts
        self.viewers = viewers
        self.workspaces = workspaces
    }
}
