import Core

/// The ends of children.
extension SessionRunner {
    /// What the child left is ended first: once its end is written down, no daemon looks for that any more.
    func ended(_ session: String, _ run: Int, _ exit: ChildExit, said: String?) async {
        await endRest(of: session, run, exit)
        if let pid = children.removeValue(forKey: session)?.process.pid { formerProcesses.insert(pid) }
        unwritten[session] = nil
        stopWaiting(for: session)
        loseAnswers(of: session)
        let conversation = state[session]?.agentID
        perform(state.exited(session: session, run: run, exit, said: said, at: parts.clock.now()))
        if let conversation { await parts.broker.processEnded(session: conversation) }
    }

    /// An agent that ends in order ends what it runs; one that was killed, or broke off, leaves a command in the middle.
    private func endRest(of session: String, _ run: Int, _ exit: ChildExit) async {
        switch exit {
        case .code, .unseen: guard state[session]?.isBusy == true else { return }
        case .signal: break
        }
        await parts.children.endRest(of: session, run: run)
    }

    /// The files of a child are replaced by those of the next; only behind the last one nobody comes.
    func sweep(_ session: String) {
        guard state[session]?.phase == .ended else { return }
        Task { await parts.children.clear(session: session) }
    }
}
