import Core
import Services
import Wire

extension OpenAIFailure {
    init(_ failure: RunSessionFailure) {
        switch failure {
        case .closing: self = .unavailable("stopping", "the daemon is being stopped; try again once it runs")
        case .neverStarted(let reason): self = .server("agent_failed", "the agent did not start: \(reason)")
        case .noProcess(let pid): self = .invalid("there is no process \(pid)")
        case .noWorkspace: self = .notFound("Project not found; GET /v1/projects has them", param: "project_id")
        case .revoked: self = .revoked
        case .running(let sessions):
            self = .conflict(
                "running", "\(sessions.count) sessions run there; end them with DELETE /v1/sessions/… first")
        case .unanswered: self = .unavailable("unanswered", "the agent did not answer; try again")
        case .unwritten:
            self = .server(
                "unwritten",
                "it was done, but could not be written down, and is lost if the daemon ends now: is the disk full?")
        case .refused(let refusal, _): self.init(refusal)
        }
    }

    private init(_ refusal: SessionRefusal) {
        switch refusal {
        case .alreadyRuns, .busy: self = .busy
        case .bypass: self = .forbidden("the configuration does not allow this mode")
        case .ended, .unknownSession: self = .notFound("Session not found", param: "session_id")
        case .lent, .otherWriter:
            self = .conflict(
                "other_writer",
                "another process works in this conversation, and two would lose what one of them wrote; end it first")
        case .notRunning:
            self = .conflict("not_running", "the session has no process now; its next prompt starts one")
        case .starting, .stopping:
            self = .conflict("changing", "the session is being started or stopped; try again in a moment")
        case .tooManyPrompts:
            self = .unavailable("too_many_prompts", "as many prompts as are kept wait for this session")
        case .tooManySessions(let others):
            self = .unavailable(
                "too_many_sessions",
                "\(others.count) sessions have a process, and no more are started; stop one of them")
        }
    }

    static let busy = conflict(
        "busy", "the session works on something; wait for it, or stop it with DELETE /v1/chat/completions/SESSION")

    static let revoked = forbidden("this token was revoked while the request waited; nothing was done")

    init(_ failure: WorkspaceFailure) {
        switch failure {
        case .busy: self = .unavailable("busy", "too many changes of projects wait; try again in a moment")
        case .directory(_, let path):
            self = .invalid(
                "\(path.prefix(200)) is no absolute path of a directory that can be used",
                param: "path")
        case .refused(.full(let limit)):
            self = .invalid("there are \(limit) projects, and more are not kept; remove some first")
        case .refused(.name):
            self = .invalid("a name has 1 to 64 visible characters, without spaces at its ends", param: "name")
        case .refused(.unknown): self = .notFound("Project not found; GET /v1/projects has them")
        case .revoked: self = .revoked
        case .slow(_, let seconds):
            self = .unavailable("slow_disk", "the disk did not answer in \(seconds) s; nothing was changed")
        case .store(let message): self = .server("unwritten", message)
        }
    }

    /// Asks the service, and throws its failure as a client gets it.
    static func answering<Value>(
        _ body: () async throws(RunSessionFailure) -> Value
    ) async throws(OpenAIFailure) -> Value {
        do throws(RunSessionFailure) { return try await body() } catch { throw OpenAIFailure(error) }
    }
}
