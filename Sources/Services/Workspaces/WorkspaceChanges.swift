package import Core

/// What people do with workspaces.
extension WorkspaceManager {
    /// Seconds of a search for repositories; less than the patience, so that a slow search gives what it found.
    private static let searching: Double = 2

    package func add(_ wish: WorkspaceWish) async throws(WorkspaceFailure) -> WorkspaceView {
        let path = try await resolve(wish.path, creating: wish.createsDirectory)
        if let problem = parts.places.problem(with: path) { throw .directory(problem, path: path) }
        let (workspace, isNew) = try await inTurn { () throws(WorkspaceFailure) in
            let known = register.state.withLock { $0.book.at(path) }
            let change = try change { book throws(WorkspaceRefusal) in
                try book.adding(
                    path, name: wish.name, description: wish.description, isStartedWithDaemon: wish.isStartedWithDaemon,
                    id: makeID(), at: now)
            }
            return (try await make(change), known?.origin != .added)
        }
        if isNew {
            parts.log.info("workspace added", ["workspace": workspace.id])
            announce(.workspaceAdded(workspace))
        }
        return await view(of: workspace)
    }

    package func update(
        _ id: String, name: String?, isStartedWithDaemon: Bool?
    ) async throws(WorkspaceFailure) -> WorkspaceView {
        let workspace = try await inTurn { () throws(WorkspaceFailure) in
            try await make(
                try change { book throws(WorkspaceRefusal) in
                    try book.updating(id, name: name, isStartedWithDaemon: isStartedWithDaemon)
                })
        }
        return await view(of: workspace)
    }

    package func remove(_ id: String) async throws(WorkspaceFailure) -> Workspace {
        try await inTurn { () throws(WorkspaceFailure) in
            let time = await timeOfRemoval()
            guard let removal = register.change({ $0.remove(id, at: time) }) else { return try await confirm(id) }
            parts.ended(id)
            parts.log.info("workspace removed", ["workspace": id])
            // Set before the write, so that a second call waits for the database too.
            unconfirmed.withLock { $0[id] = removal }
            let failure = await write(removal)
            announce(.workspaceRemoved(removal.workspace))
            if let failure { throw failure }
            return removal.workspace
        }
    }

    /// A time that no session started behind: the clock may have been set back since one did, and such a session must not
    /// count as later than the removal.
    private func timeOfRemoval() async -> Timestamp {
        let heard = register.state.withLock { $0.sessions.values.map(\.heardAt).max() }
        return [now, heard, await parts.broker.latestStart].compactMap(\.self).max() ?? now
    }

    /// Tells whether an earlier removal is written by now.
    private func confirm(_ id: String) async throws(WorkspaceFailure) -> Workspace {
        guard let removal = unconfirmed.withLock({ $0[id] }) else { throw .refused(.unknown(id)) }
        if let failure = await write(removal) { throw failure }
        return removal.workspace
    }

    package func discover(below directories: [String]) async throws(WorkspaceFailure) -> Discovery {
        let began = parts.clock.uptime
        let asked = directories.isEmpty ? [parts.places.home] : directories
        let (port, clock) = (parts.directories, parts.clock)
        let found = try await onDisk(asked[0]) {
            () -> Result<FoundRepositories, WorkspaceFailure> in
            var resolved: [String] = []
            for path in asked {
                do throws(DirectoryProblem) { resolved.append(try port.resolve(path, creating: false)) } catch {
                    return .failure(.directory(error, path: path))
                }
            }
            return .success(
                port.repositories(below: resolved, DiscoveryLimits()) {
                    clock.uptime.seconds(since: began) > Self.searching
                })
        }.get()
        let known = register.state.withLock { state in
            found.paths.compactMap { path in state.book.at(path).map { (path, $0.id) } }
        }
        return Discovery(
            found: found, workspaces: Dictionary(known, uniquingKeysWith: { first, _ in first }),
            milliseconds: Int(parts.clock.uptime.seconds(since: began) * 1000))
    }

    /// Writes the removals that could not be written before.
    package func writeRemovals() async {
        for (id, removal) in unconfirmed.withLock({ $0 }) where await write(removal) == nil {
            parts.log.info("a removal is written down now", ["workspace": id])
        }
    }

    private func write(_ removal: WorkspaceRemoval) async -> WorkspaceFailure? {
        do {
            try await parts.store.remove(removal)
            unconfirmed.withLock { $0[removal.workspace.id] = nil }
            return nil
        } catch {
            return .store(
                "the workspace is gone, but that could not be written down; it is tried again every minute, and until it "
                    + "is done a restart would bring the workspace back: \(error)")
        }
    }
}
