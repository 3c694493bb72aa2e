package import Core

/// The events that a subscriber asks for. A set that is `nil` admits all; `""` in a set stands for events that concern no
/// workspace or no session.
package struct EventFilter: Sendable, Hashable {
    private let workspaces: Set<String>?
    private let sessions: Set<String>?
    private let kinds: Set<EventKind>?
    private let keepsRequests: Bool

    /// - Parameter keepsRequests: True if requests and their ends pass whatever their workspace, where the caller may
    ///   answer them: the daemon holds calls for whoever may answer, so no such client may fail to hear of one.
    package init(
        workspaces: Set<String>? = nil, sessions: Set<String>? = nil, kinds: Set<EventKind>? = nil,
        keepsRequests: Bool = false
    ) {
        self.workspaces = workspaces
        self.sessions = sessions
        self.kinds = kinds
        self.keepsRequests = keepsRequests
    }

    /// The workspaces that are asked for by their ids.
    package var namedWorkspaces: Set<String> { (workspaces ?? []).subtracting([""]) }

    /// True if the filter lets the event through and the caller has the right to see it.
    package func admits(_ event: PublishedEvent, for caller: Caller) -> Bool {
        caller.may(event.kind.right) && kinds?.contains(event.kind) ?? true
            && (Self.contains(event.workspaceID, in: workspaces) || isKept(event.kind, caller))
            && Self.contains(event.sessionID, in: sessions)
    }

    private func isKept(_ kind: EventKind, _ caller: Caller) -> Bool {
        keepsRequests && (kind == .permission || kind == .permissionResolved) && caller.may(.decide)
    }

    private static func contains(_ id: String?, in wanted: Set<String>?) -> Bool {
        guard let wanted, let id else { return true }
        return wanted.contains(id)
    }
}
