package import Services

/// The services that the methods call, as small protocols so that a test can replace each.
package struct MethodServices: Sendable {
    package let access: any AccessService
    package let devices: any DeviceService
    package let history: any HistoryService
    package let notices: any NoticeService
    package let pairing: any PairingService
    package let permissions: any PermissionService
    package let polls: any PollService
    package let previews: any PreviewService
    package let sessions: any SessionService

    package init(
        access: any AccessService, devices: any DeviceService, history: any HistoryService,
        notices: any NoticeService, pairing: any PairingService, permissions: any PermissionService,
        polls: any PollService, previews: any PreviewService, sessions: any SessionService
    ) {
        self.access = access
        self.devices = devices
        self.history = history
        self.notices = notices
        self.pairing = pairing
        self.permissions = permissions
        self.polls = polls
        self.previews = previews
        self.sessions = sessions
    }
}
