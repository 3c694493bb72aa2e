import Core

/// Requests of ours to children that somebody waits for.
struct AwaitedAnswers {
    private(set) var open: Set<String> = []
    private var waits: [String: [CheckedContinuation<Void, Never>]] = [:]
    private var servers: [String: [ToolServerStatus]] = [:]

    static func key(_ session: String, _ request: String) -> String { session + " " + request }

    /// To be called before the request is written: the child may answer while a row is saved.
    mutating func expect(_ key: String) { open.insert(key) }

    mutating func wait(for key: String, _ continuation: CheckedContinuation<Void, Never>) {
        waits[key, default: []].append(continuation)
    }

    /// The child answered, or will not.
    mutating func end(_ key: String) {
        open.remove(key)
        for continuation in waits.removeValue(forKey: key) ?? [] { continuation.resume() }
    }

    /// Keeps a list for the one who asked for it.
    mutating func note(_ output: ChildOutput?, for key: String) {
        if case .servers(let list)? = output, open.contains(key) { servers[key] = list }
    }

    mutating func takeServers(_ key: String) -> [ToolServerStatus]? { servers.removeValue(forKey: key) }
}

extension SessionRunner {
    package func catchUp(with session: String) async -> Bool {
        let session = known(session)
        guard let request = state[session]?.openProbe else { return true }
        let key = AwaitedAnswers.key(session, request)
        answers.expect(key)
        await answer(to: key)
        return state[session]?.openProbe == nil
    }

    /// Returns once the child has answered, or will not.
    func answer(to key: String) async {
        guard answers.open.contains(key), !isClosing else { return }
        let later = parts.clock.now().uptime + state.limits.patience
        let timer = parts.clock.call(at: later) { [weak self] in Task { await self?.answered(key) } }
        await withCheckedContinuation { answers.wait(for: key, $0) }
        timer.cancel()
    }

    func answered(_ request: String, of session: String, _ output: ChildOutput?) {
        let key = AwaitedAnswers.key(session, request)
        answers.note(output, for: key)
        answered(key)
    }

    private func answered(_ key: String) { answers.end(key) }

    /// A child that is gone answers nothing.
    func stopWaiting(for session: String) {
        for key in answers.open where key.hasPrefix(AwaitedAnswers.key(session, "")) { answered(key) }
    }

    func stopWaiting() {
        for key in answers.open { answered(key) }
    }
}
