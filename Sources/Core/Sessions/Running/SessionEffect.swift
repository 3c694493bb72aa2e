/// What follows from an input of `SessionState`, to be done in this order.
package enum SessionEffect: Sendable, Hashable {
    /// Find the child that an earlier daemon started, or report its end after reading what it wrote.
    case adopt(RunSession)
    /// Ask the broker, and give its answer to `SessionState.decide`.
    indirect case ask(session: String, ChildRequest)
    /// What clients see of the session changed.
    case changed(RunSession)
    /// The prompt's one end.
    case promptEnded(session: String, prompt: String, PromptEnd)
    /// Write the session's row.
    case save(RunSession)
    case signal(session: String, ChildSignal)
    case spawn(ChildLaunch)
    /// Find and end what the child left.
    case sweep(session: String)
    /// The question needs no answer any more.
    case withdraw(session: String, request: String, RequestWithdrawal)
    indirect case write(session: String, ChildInput)

    var isSpawn: Bool { if case .spawn = self { true } else { false } }
}

package enum ChildSignal: Sendable, Hashable {
    case interrupt, kill, terminate
}

/// What is written to a child.
package enum ChildInput: Sendable, Hashable {
    case answer(request: String, kind: ChildRequest.Kind, HookAnswer)
    case endSession(request: String)
    case initialize(request: String)
    case interrupt(request: String, cancelsQueued: Bool)
    case prompt(id: String, blocks: [PromptBlock])
    /// We do not offer what the child asked for.
    case refusal(request: String)
}

/// A child to start.
package struct ChildLaunch: Sendable, Hashable {
    package let session: String
    package let run: Int
    package let directory: String
    package let agentID: String
    /// True to go on in the conversation of that id, false to begin it.
    package let isResumed: Bool
    package let mode: PermissionMode
    package let model: String?

    package init(
        session: String, run: Int, directory: String, agentID: String, isResumed: Bool, mode: PermissionMode,
        model: String?
    ) {
        self.session = session
        self.run = run
        self.directory = directory
        self.agentID = agentID
        self.isResumed = isResumed
        self.mode = mode
        self.model = model
    }
}

/// A session to start.
package struct SessionStart: Sendable, Hashable {
    /// Our id for it.
    package var id: String
    package var workspaceID: String
    package var directory: String
    /// The conversation: a new id, or the one to go on in.
    package var agentID: String
    package var isResumed: Bool
    package var mode: PermissionMode
    package var model: String?
    /// True if a process that is not ours works in this conversation: a second writer would lose a branch of it.
    package var hasOtherWriter: Bool

    package init(
        id: String, workspaceID: String, directory: String, agentID: String, isResumed: Bool = false,
        mode: PermissionMode = .default, model: String? = nil, hasOtherWriter: Bool = false
    ) {
        self.id = id
        self.workspaceID = workspaceID
        self.directory = directory
        self.agentID = agentID
        self.isResumed = isResumed
        self.mode = mode
        self.model = model
        self.hasOtherWriter = hasOtherWriter
    }
}

/// The reason for which a session does not do what it was asked to.
package enum SessionRefusal: Error, Sendable, Hashable {
    /// The conversation is run by this session already.
    case alreadyRuns(session: String)
    case ended
    case notRunning
    /// A process that is not ours works in the conversation.
    case otherWriter
    case stopping
    /// As many prompts as are taken wait.
    case tooManyPrompts
    /// As many children as are allowed live; the ids of their sessions.
    case tooManySessions([String])
    case unknownSession
}

/// The limits of run sessions.
package struct SessionLimits: Sendable, Hashable {
    /// Living children at a time; each takes about 100 MB.
    package var children = 8
    /// Prompts of one session that have not ended.
    package var prompts = 64
    /// Seconds without work after which a child is ended, and its session parked.
    package var idleSeconds: Double = 1800
    /// Seconds that a child may take to answer for the first time.
    package var startSeconds: Double = 60
    /// Seconds between an interrupt or a step of an end and the next.
    package var patience: Double = 5
    /// Sessions that are known, those without a process included.
    package var known = 1000

    package init() {}
}
