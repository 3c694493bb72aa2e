package import Core

extension SessionRunner {
    package func toolServers(of session: String) async throws(RunSessionFailure) -> [ToolServerStatus] {
        let session = known(session)
        let key = try await attempt(session) { (state, now) throws(SessionRefusal) in
            let (request, effects) = try state.listServers(session: session, at: now)
            let key = AwaitedAnswers.key(session, request)
            answers.expect(key)
            return (key, effects)
        }
        await answer(to: key)
        guard let servers = answers.takeServers(key) else { throw .unanswered }
        return servers
    }
}
