package import Core

/// What the methods need of the daemon, in small pieces so that a test can stand in for each.
package struct Services: Sendable {
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

package protocol AccessService: Sendable {
    /// Whether the caller may still do what it came in with: a device can be revoked while it is connected.
    func admits(_ caller: Caller) async -> Bool
    /// A caller asked for what it may not do: to be logged, and shown if it is a process inside an agent.
    func refused(_ caller: Caller, method: String) async
}

package protocol HistoryService: Sendable {
    /// One search at a time for each caller; throws `HistoryBusy` where too many of his wait already.
    func history(_ query: HistoryQuery, by caller: Caller) async throws -> HistoryPage
    /// Events numbered `sequence` and above, as many as `maxBytes` hold and `limit` allows.
    func events(from sequence: Int64, limit: Int, maxBytes: Int) async throws -> EventPage
}

/// So many searches of one caller wait for their turn, and no more may.
package struct HistoryBusy: Error {
    package let waiting: Int

    package init(waiting: Int) {
        self.waiting = waiting
    }
}

/// The broker, as approvers see it.
package protocol PermissionService: Sendable {
    func pending(sessionID: String?) async -> [PermissionRequest]
    func request(id: String) async -> PermissionRequest?
    func respond(
        _ responses: [PermissionResponse], by caller: Caller
    ) async -> [Result<PermissionReceipt, ResponseFailure>]
    /// Returns once no start can bring the rule back.
    func revokeRule(id: String) async throws(RevocationFailure) -> SessionRule
    func rules(sessionID: String?) async -> [SessionRule]
}

/// Callers that ask for events and wait for the next one.
package protocol PollService: Sendable {
    /// Returns once an event numbered `sequence` or above was published, after `seconds`, when the caller's task is
    /// cancelled, when its device is revoked, or when the daemon stops. While an approver waits, and for a moment after,
    /// questions are held for it.
    func waitForEvent(from sequence: Int64, seconds: Int, by caller: Caller, isApprover: Bool) async -> PollOutcome
}

/// How the wait for an event ended.
package enum PollOutcome: Sendable, Hashable {
    case event, nothing
    /// The caller may hear nothing more.
    case revoked
}

/// Looks at the disk for people who look at a card.
package protocol PreviewService: Sendable {
    func preview(requestID: String) async -> PreviewOutcome
}

package enum PreviewOutcome: Sendable, Hashable {
    /// The tool changes no file and is no plan, or its input is not what that tool takes.
    case nothing(tool: String)
    case preview(Preview)
    /// No open question has this id.
    case unknown
}

package protocol SessionService: Sendable {
    func sessions() async -> [SessionView]
    func stats() async -> BrokerStats
    func status() async -> DaemonStatus
}
