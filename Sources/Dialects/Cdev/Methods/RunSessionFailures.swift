import Core
import OrderedJSON
import Services
import Wire

extension RunSessionFailure {
    /// Asks the service, and throws its failure as a client gets it.
    static func answering<Value>(
        _ body: () async throws(RunSessionFailure) -> Value
    ) async throws(JSONRPCError) -> Value {
        do throws(RunSessionFailure) { return try await body() } catch { throw error.rpcError }
    }

    var rpcError: JSONRPCError {
        switch self {
        case .closing: .internalError("the daemon is being stopped; try again once it runs")
        case .neverStarted(let reason): .internalError("the agent did not start: \(reason)")
        case .noProcess(let pid): .invalidParams("there is no process \(pid)")
        case .noWorkspace(let id): .unknownWorkspace(id)
        case .revoked: .revoked
        case .running(let sessions):
            .invalidParams(
                "\(sessions.count) of the daemon's sessions run there; end them with session/stop first",
                data: ["sessions": .array(sessions.map { .string($0) })])
        case .unanswered: .internalError("the agent did not answer; try again")
        case .unwritten:
            .internalError(
                "it was done, but could not be written down, and is lost if the daemon ends now: is the disk full? A prompt "
                    + "that is sent again with the same \"prompt_id\" is not run twice", data: ["done": true])
        case .refused(let refusal, let session): refusal.rpcError(session)
        }
    }
}

extension SessionRefusal {
    fileprivate func rpcError(_ id: String) -> JSONRPCError {
        switch self {
        case .alreadyRuns(let session):
            .invalidParams(
                "this conversation is run already, by the session \"\(session)\"; send your prompt there",
                data: ["session_id": .string(session)])
        case .bypass:
            .invalidParams(
                "in this mode the agent asks about nothing; set \"allow_bypass\" in config.json to true, at the machine, "
                    + "and start the daemon anew")
        case .busy:
            .invalidParams("it works on something, or a prompt waits; wait, or stop it with session/interrupt")
        case .lent:
            .invalidParams(
                "somebody works in this conversation at a terminal, and two processes would lose what one of them wrote; "
                    + "watch it with workspace/session/watch, and go on once it has ended there",
                data: ["other_writer": true])
        case .ended, .notRunning, .unknownSession:
            .invalidParams(
                "session not running: \(id.prefix(80)) (use session/start with resume_session_id to resume historical "
                    + "sessions)")
        case .otherWriter:
            .invalidParams(
                "another process works in this conversation, and two would lose what one of them wrote; watch it with "
                    + "workspace/session/watch, go on in a copy of it with \"fork\", or end it first",
                data: ["other_writer": true])
        case .starting: .invalidParams("the session is being started; try again in a moment")
        case .stopping: .invalidParams("the session is being stopped; try again in a moment")
        case .tooManyPrompts: .internalError("as many prompts as are kept wait for this session; wait for one of them")
        case .tooManySessions(let others):
            .internalError(
                "\(others.count) sessions have a process, and no more are started; stop one of them",
                data: ["sessions": .array(others.map { .string($0) })])
        }
    }
}
