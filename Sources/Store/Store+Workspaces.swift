package import Core

/// Workspaces. A lost change would bring back a directory that was withdrawn from other devices, so each call returns
/// after its commit.
extension Store {
    /// The workspaces in force and the removed ones, each oldest first.
    package func workspaces() throws(StoreError) -> (kept: [Workspace], removed: [WorkspaceRemoval]) {
        let rows = try withRepair { (database) throws(StoreError) in try database.workspaces() }
        return (
            rows.filter { $0.removedAt == nil }.map(\.workspace),
            rows.compactMap { row in row.removedAt.map { WorkspaceRemoval(workspace: row.workspace, at: $0) } }
        )
    }

    /// Writes workspaces, in place of others of the same directory, and deletes others, in one transaction.
    package func keep(_ workspaces: [Workspace], forgetting ids: [String]) throws(StoreError) {
        try change(.full) { (database) throws(StoreError) in
            for id in ids { try database.deleteWorkspace(id: id) }
            for workspace in workspaces { try database.write(workspace) }
        }
        for id in ids { live.forgetWorkspace(id: id) }
        for workspace in workspaces { live.note(workspace) }
    }

    /// Keeps that a person removed the workspace, even one whose row is missing.
    package func remove(_ removal: WorkspaceRemoval) throws(StoreError) {
        try change(.full) { (database) throws(StoreError) in try database.write(removal) }
        live.forgetWorkspace(id: removal.workspace.id)
    }
}
