package import Core

/// Sessions that go on at a terminal for a while. Two processes in one conversation would lose what one of them wrote, so
/// the daemon ends its own first, and starts none before the other has ended.
extension SessionRunner {
    package func lend(_ session: String, to pid: Int32) async throws(RunSessionFailure) -> RunSession {
        let session = known(session)
        guard let borrower = await parts.children.identity(of: pid) else { throw .noProcess(pid) }
        if await isLent(session) { throw .refused(.lent, session: session) }
        if let known = state[session], known.life == .parked, await hasWriter(known.agentID) {
            throw .refused(.otherWriter, session: session)
        }
        try await attempt(session) { (state, now) throws(SessionRefusal) in
            let effects = try state.park(session: session, at: now)
            // Before anything is awaited: a prompt that comes now would start a process again.
            lent[session] = borrower
            return ((), effects)
        }
        await ended(session)
        return try self.session(session)
    }

    /// True while the process lives to which the session was lent.
    func isLent(_ session: String) async -> Bool {
        guard let borrower = lent[session] else { return false }
        if await parts.children.identity(of: borrower.pid) == borrower { return true }
        if lent[session] == borrower { lent[session] = nil }
        return false
    }

    /// Returns once the session has no process.
    private func ended(_ session: String) async {
        guard state[session]?.hasChild == true, !isClosing else { return }
        await withCheckedContinuation { partings[session, default: []].append($0) }
    }

    func part(_ session: String) {
        for waiting in partings.removeValue(forKey: session) ?? [] { waiting.resume() }
    }
}
