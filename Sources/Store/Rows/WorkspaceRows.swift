import Core

extension Database {
    /// Writes the workspace in place of another of the same directory. A removed one stays removed.
    func write(_ workspace: Workspace) throws(StoreError) {
        try run(
            "DELETE FROM workspaces WHERE path = ? AND id <> ? AND removed_at IS NULL",
            [.text(workspace.path), .text(workspace.id)])
        try write(workspace, removedAt: nil)
    }

    /// Leaves another workspace of the same directory alone: it may have been added since.
    func write(_ removal: WorkspaceRemoval) throws(StoreError) {
        try write(removal.workspace, removedAt: removal.at)
    }

    private func write(_ workspace: Workspace, removedAt: Timestamp?) throws(StoreError) {
        try run(
            """
            INSERT INTO workspaces (id, name, description, path, auto_start, origin, created_at, last_active, removed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, description = excluded.description, auto_start = excluded.auto_start,
                origin = excluded.origin, last_active = excluded.last_active, removed_at = coalesce(removed_at, excluded.removed_at)
            """,
            [
                .text(workspace.id), .text(workspace.name), .text(workspace.description), .text(workspace.path),
                SQLValue(workspace.isStartedWithDaemon), .text(workspace.origin.rawValue),
                SQLValue(workspace.createdAt), SQLValue(workspace.lastActive), SQLValue(removedAt),
            ])
    }

    func deleteWorkspace(id: String) throws(StoreError) {
        try run("DELETE FROM workspaces WHERE id = ?", [.text(id)])
    }

    /// Leaves the `count` that were removed last, if they were not removed before `cutoff`.
    func deleteRemovedWorkspaces(before cutoff: Timestamp, leaving count: Int) throws(StoreError) {
        try run(
            """
            DELETE FROM workspaces WHERE removed_at < ?1 OR id IN (
                SELECT id FROM workspaces WHERE removed_at IS NOT NULL ORDER BY removed_at DESC LIMIT -1 OFFSET ?2)
            """, [SQLValue(cutoff), SQLValue(count)])
    }

    /// All workspaces, removed ones included, oldest first.
    func workspaces() throws(StoreError) -> [(workspace: Workspace, removedAt: Timestamp?)] {
        try query(
            """
            SELECT id, name, description, path, auto_start, origin, created_at, last_active, removed_at
            FROM workspaces ORDER BY created_at, id
            """, []
        ) { (row: inout Row) throws(StoreError) in
            (try Workspace(&row), try row.optional { $0.time() })
        }
    }
}

extension Workspace {
    fileprivate init(_ row: inout Row) throws(StoreError) {
        let id = row.text()
        let name = row.text()
        let description = row.text()
        let path = row.text()
        let isStartedWithDaemon = row.integer() != 0
        let origin: Origin = try row.spelled(Origin.init(rawValue:))
        let createdAt = row.time()
        self.init(
            id: id, name: name, description: description, path: path, isStartedWithDaemon: isStartedWithDaemon,
            origin: origin, createdAt: createdAt, lastActive: row.time())
    }
}
