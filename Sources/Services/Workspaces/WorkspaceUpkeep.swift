import Core

/// What happens to workspaces without anybody's call: sessions make them, and time ends them.
extension WorkspaceManager {
    /// Makes workspaces of the directories in which sessions are seen, until the register is finished.
    package func follow() async {
        for await arrival in register.arrivals { await note(arrival) }
    }

    /// Ends `follow`.
    package func finish() { register.finish() }

    func note(_ arrival: WorkspaceRegister.Arrival) async {
        do throws(WorkspaceFailure) {
            for spelling in Set([arrival.cwd, arrival.root]) {
                register.note(resolved: try await resolve(spelling, creating: false), of: spelling)
            }
            try await inTurn { () throws(WorkspaceFailure) in try await see(arrival) }
        } catch {
            parts.log.debug("a session's directory is no workspace", ["session": arrival.session, "why": "\(error)"])
        }
    }

    private func see(_ arrival: WorkspaceRegister.Arrival) async throws(WorkspaceFailure) {
        let (book, path, known) = register.state.withLock { state in
            (
                state.book, state.resolved[Array(arrival.root.utf8)] ?? arrival.root,
                state.workspace(cwd: arrival.cwd, root: arrival.root)
            )
        }
        guard known == nil, parts.places.isSeen(path) else { return }
        // The broker knows nothing of one that has just begun or ended.
        let startedAt = await parts.broker.start(ofSession: arrival.session) ?? arrival.heardAt
        let change: WorkspaceChange?
        do throws(WorkspaceRefusal) {
            change = try book.seeing(path, startedAt: startedAt, id: makeID(), at: now)
        } catch {
            throw .refused(error)
        }
        guard let change else { return }
        let workspace = try await make(change)
        parts.log.info("workspace seen", ["workspace": workspace.id, "session": arrival.session])
        announce(.workspaceAdded(workspace))
    }

    /// Ends the workspaces in which no session was seen for long, and writes what could not be written before; to be
    /// called about once a minute.
    package func lookAround() async {
        await writeRemovals()
        await endUnused()
        await writeActivity(all: false)
    }

    private func endUnused() async {
        let occupied = Set(await parts.broker.sessions().compactMap { register.workspace(of: $0.session)?.id })
        let ended = register.state.withLock { $0.book.ended(at: now, occupied: occupied) }
        for workspace in ended {
            try? await inTurn { () throws(WorkspaceFailure) in
                do { try await parts.store.keep([], forgetting: [workspace.id]) } catch { throw .store("\(error)") }
                register.change { _ = $0.forget(workspace.id) }
                parts.ended(workspace.id)
                parts.log.info("workspace ended", ["workspace": workspace.id])
                announce(.workspaceRemoved(workspace))
            }
        }
    }

    /// Writes when sessions were last active; all of it at a stop.
    package func writeActivity(all: Bool) async {
        let active = register.state.withLock { $0.book.takeActive(all: all) }
        guard !active.isEmpty else { return }
        // In turn, so that it brings nothing back that is removed meanwhile.
        try? await inTurn { () throws(WorkspaceFailure) in
            let current = register.state.withLock { state in active.compactMap { state.book[$0.id] } }
            do { try await parts.store.keep(current, forgetting: []) } catch {
                parts.log.warning("the last activity of workspaces was not written: \(error)")
            }
        }
    }
}
