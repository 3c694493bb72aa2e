package import Core

/// Which events a subscriber is told. A set that is `nil` lets all through, and `""` in one stands for what concerns no
/// workspace or no session.
package struct EventFilter: Sendable, Hashable {
    private let workspaces: Set<String>?
    private let sessions: Set<String>?
    private let kinds: Set<EventKind>?

    package init(workspaces: Set<String>? = nil, sessions: Set<String>? = nil, kinds: Set<EventKind>? = nil) {
        self.workspaces = workspaces
        self.sessions = sessions
        self.kinds = kinds
    }

    /// Whether a caller that asked for these events is told of this one, which it must have the right to.
    package func admits(_ event: PublishedEvent, for caller: Caller) -> Bool {
        caller.may(event.kind.right) && kinds?.contains(event.kind) ?? true
            && Self.contains(event.workspaceID, in: workspaces) && Self.contains(event.sessionID, in: sessions)
    }

    private static func contains(_ id: String?, in wanted: Set<String>?) -> Bool {
        guard let wanted, let id else { return true }
        return wanted.contains(id)
    }
}
