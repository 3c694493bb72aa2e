package import Core

/// Starts sessions, prompts them and ends them.
package protocol RunSessionService: Sendable {
    func start(_ order: RunSessionOrder) async throws(RunSessionFailure) -> RunSession
    /// - Parameter prompt: one whose id was sent before is not run again.
    func send(_ prompt: SessionPrompt, to session: String) async throws(RunSessionFailure) -> PromptReceipt
    /// Stops the turn.
    /// - Parameter cancelsQueued: takes back the prompts that wait behind it.
    func interrupt(_ session: String, cancelsQueued: Bool) async throws(RunSessionFailure)
    /// Takes a prompt back. Returns false for one that the agent works on or has ended.
    func cancel(_ prompt: String, of session: String) async throws(RunSessionFailure) -> Bool
    /// Returns once no restart undoes what became of the session.
    func confirm(_ session: String) async throws(RunSessionFailure)
    func set(_ settings: RunSettings, of session: String) async throws(RunSessionFailure)
    func stop(_ session: String) async throws(RunSessionFailure)
    func session(_ id: String) async throws(RunSessionFailure) -> RunSession
    /// Returns true once what the agent wrote while no daemon ran was taken in: until then a session may be shown as an
    /// earlier daemon left it. False if the agent answers nothing.
    func catchUp(with session: String) async -> Bool
    /// Returns the end of the last turn; `nil` where this daemon saw none.
    func lastTurn(of session: String) async -> TurnEnd?
    /// Returns what a session came to since this daemon runs.
    func totals(of session: String) async -> RunTotals
    /// Returns what the agent of a session offers.
    /// - Parameter session: `nil` for what any session's agent told last.
    func offer(of session: String?) async throws(RunSessionFailure) -> AgentOffer
    /// Asks the agent of a session for its servers of tools. One that is still being connected has no tools yet.
    func toolServers(of session: String) async throws(RunSessionFailure) -> [ToolServerStatus]
    /// Looks for the agent that a session would run; `nil` while too many look.
    func check() async -> AgentCheck?
    /// Ends the sessions of a workspace that have no process. Throws, and changes nothing, where one has.
    func leave(workspace: String) async throws(RunSessionFailure)
    /// True if another question of the session has ended so lately that an answer to it may still be on its way.
    func hasAskedLately(_ session: String) async -> Bool
    /// Ends the process of an idle session, and starts none in its conversation before the process `pid` has ended.
    func lend(_ session: String, to pid: Int32) async throws(RunSessionFailure) -> RunSession
    /// Those that have not ended, oldest first.
    /// - Parameter workspace: `nil` for all.
    func active(in workspace: String?) async -> [RunSession]
    /// Sends a client what a session's agent writes while it writes it, and of no other session.
    func watch(_ session: String, hasLog: Bool, client: String) async throws(RunSessionFailure) -> RunWatch
    /// Returns the session that the client watched.
    func unwatch(client: String) async -> String?
}

/// A session that somebody wants to be started.
package struct RunSessionOrder: Sendable, Hashable {
    package let workspaceID: String
    /// The agent's id of the conversation to go on in; `nil` for a new one.
    package var resumed: String?
    /// True to begin a new conversation with the messages of `resumed`.
    package var isFork: Bool
    package var mode: PermissionMode
    package var model: String?
    package var prompt: SessionPrompt?
    /// Servers of tools for its agent.
    package let servers: [ToolServer]
    /// A UUID for the new conversation; `nil` for a random one. A second order with the same one is refused while the
    /// first one's session is known.
    package var conversation: String?
    package var title: String?

    package init(
        workspaceID: String, resumed: String? = nil, isFork: Bool = false, mode: PermissionMode = .default,
        model: String? = nil, prompt: SessionPrompt? = nil, servers: [ToolServer] = [],
        conversation: String? = nil, title: String? = nil
    ) {
        self.workspaceID = workspaceID
        self.resumed = resumed
        self.isFork = isFork
        self.mode = mode
        self.model = model
        self.prompt = prompt
        self.servers = servers
        self.conversation = conversation
        self.title = title
    }
}

/// What a session came to.
package struct RunTotals: Sendable, Hashable {
    /// Read and written by the model.
    package var tokens = 0
    /// Whole messages, of the agent and to it.
    package var messages = 0

    package init(tokens: Int = 0, messages: Int = 0) {
        self.tokens = tokens
        self.messages = messages
    }
}

package enum RunSessionFailure: Error, Sendable, Hashable {
    /// The daemon is being stopped.
    case closing
    /// The agent did not start, for this reason.
    case neverStarted(String)
    case noProcess(Int32)
    case noWorkspace(id: String)
    /// The caller's device was revoked while the call waited; nothing of the rest was done.
    case revoked
    /// Sessions with a process are in the way.
    case running([String])
    case refused(SessionRefusal, session: String)
    /// The agent did not answer in time, or does not know the question.
    case unanswered
    /// It was done, and could not be written down: it may be lost if the daemon ends now.
    case unwritten
}

/// The answer to a client that begins to read along.
package struct RunWatch: Sendable, Hashable {
    package let session: RunSession
    /// The part that was written of the message that is not whole yet.
    package let partial: [ChildDelta]
    /// The call that is being written; `nil` if none is.
    package let call: ChildCall?
    /// The last whole messages, oldest first: the transcript may not have them yet.
    package let recent: [TranscriptMessage]

    package init(
        session: RunSession, partial: [ChildDelta], call: ChildCall? = nil, recent: [TranscriptMessage] = []
    ) {
        self.call = call
        self.recent = recent
        self.session = session
        self.partial = partial
    }
}

/// The part of the database that run sessions need.
package protocol RunSessionStore: Sendable {
    /// Writes sessions; one that has ended is deleted.
    func keep(_ sessions: [RunSession]) async throws
}
