/// A directory whose sessions, files and repository people look at and change from other devices.
package struct Workspace: Sendable, Hashable {
    /// The reason for which the workspace exists.
    package enum Origin: String, Sendable, Hashable, CaseIterable {
        /// A person added it; it stays until a person removes it.
        case added
        /// A session ran there; it ends `Workspace.seenDays` after the last one.
        case seen
    }

    /// Days after its last session for which a workspace that nobody added is kept.
    package static let seenDays = 30

    /// `ws-…`, never used again for another directory.
    package let id: String
    package var name: String
    /// What a client said of it; empty if none did.
    package var description: String
    /// Absolute, symbolic links resolved, without a slash at the end.
    package let path: String
    package var isStartedWithDaemon: Bool
    package var origin: Origin
    package let createdAt: Timestamp
    /// When a session was last active there.
    package var lastActive: Timestamp

    package init(
        id: String, name: String, description: String = "", path: String, isStartedWithDaemon: Bool = false,
        origin: Origin, createdAt: Timestamp, lastActive: Timestamp
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.path = path
        self.isStartedWithDaemon = isStartedWithDaemon
        self.origin = origin
        self.createdAt = createdAt
        self.lastActive = lastActive
    }
}
