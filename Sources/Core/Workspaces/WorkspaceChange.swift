/// A workspace as it will be, once it is written.
package struct WorkspaceChange: Sendable, Hashable {
    package let workspace: Workspace
    /// The workspace that ends so that there is room.
    package var displaced: Workspace?

    package init(workspace: Workspace, displaced: Workspace? = nil) {
        self.workspace = workspace
        self.displaced = displaced
    }
}

/// A workspace that a person removed.
package struct WorkspaceRemoval: Sendable, Hashable {
    package let workspace: Workspace
    package let at: Timestamp

    package init(workspace: Workspace, at: Timestamp) {
        self.workspace = workspace
        self.at = at
    }
}

/// The reasons for which the book refuses a change.
package enum WorkspaceRefusal: Error, Sendable, Hashable {
    /// There are `limit` workspaces that people added.
    case full(limit: Int)
    /// The name is none that `WorkspaceName` takes.
    case name
    case unknown(String)
}
