/// A consequence of an input of `SessionState`. Effects are performed in their order.
package enum SessionEffect: Sendable, Hashable {
    /// Something else than the daemon wrote to the child; what it was, for people.
    case alarm(session: String, String)
    /// Find the child that an earlier daemon started, or report its end after reading what it wrote.
    case adopt(RunSession)
    /// Ask the broker, and give its answer to `SessionState.decide`.
    indirect case ask(session: String, ChildRequest)
    /// Clients see something else of the session now.
    case changed(RunSession)
    /// The prompt's one end.
    case promptEnded(session: String, prompt: String, PromptEnd)
    /// Write no more of a prompt. One of which nothing is written has ended by that; a child that has not read what is
    /// written is ended; one that has read it is asked to cancel it, by a request with this id.
    case recall(session: String, prompt: String, request: String)
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

/// A message to a child.
package enum ChildInput: Sendable, Hashable {
    case answer(request: String, kind: ChildRequest.Kind, HookAnswer)
    /// Takes a prompt out of the child's queue.
    case cancelPrompt(request: String, prompt: String)
    case endSession(request: String)
    case initialize(request: String)
    case interrupt(request: String, cancelsQueued: Bool)
    /// Asks for the servers of tools.
    case listServers(request: String)
    /// Asks something that changes nothing: once it is answered, the child has read what was written before.
    case probe(request: String)
    case prompt(id: String, blocks: [PromptBlock])
    case rename(request: String, title: String)
    /// We do not offer what the child asked for.
    case refusal(request: String)
    /// `nil` for the agent's default.
    case setEffort(request: String, String?)
    case setMode(request: String, PermissionMode)
    /// `nil` for the agent's default.
    case setModel(request: String, String?)
}

extension ChildInput {
    /// The approximate bytes of its long parts.
    package var size: Int {
        switch self {
        case .answer(_, _, .allow(_, let update)): update?.size ?? 0
        case .prompt(_, let blocks): blocks.reduce(0) { $0 + $1.size }
        default: 0
        }
    }
}

/// A child to start.
package struct ChildLaunch: Sendable, Hashable {
    package let session: String
    package let run: Int
    package let directory: String
    package let agentID: String
    /// True to go on in the conversation of that id, false to begin it.
    package let isResumed: Bool
    /// The conversation with whose messages this one begins; `nil` for none.
    package let forkedFrom: String?
    package let mode: PermissionMode
    package let model: String?
    package let effort: String?
    package let servers: [ToolServer]

    package init(
        session: String, run: Int, directory: String, agentID: String, isResumed: Bool, forkedFrom: String? = nil,
        mode: PermissionMode, model: String?, effort: String? = nil, servers: [ToolServer] = []
    ) {
        self.effort = effort
        self.servers = servers
        self.session = session
        self.run = run
        self.directory = directory
        self.agentID = agentID
        self.isResumed = isResumed
        self.forkedFrom = forkedFrom
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
    /// The conversation with whose messages it begins; `nil` for none.
    package var forkedFrom: String?
    package var mode: PermissionMode
    package var model: String?
    package var title: String?
    /// True if a process that is not ours works in this conversation: a second writer would lose a branch of it.
    package var hasOtherWriter: Bool
    /// Servers of tools for its agent; those of a parked session stay where none are given.
    package var servers: [ToolServer]

    package init(
        id: String, workspaceID: String, directory: String, agentID: String, isResumed: Bool = false,
        forkedFrom: String? = nil, mode: PermissionMode = .default, model: String? = nil, title: String? = nil,
        hasOtherWriter: Bool = false, servers: [ToolServer] = []
    ) {
        self.id = id
        self.workspaceID = workspaceID
        self.directory = directory
        self.agentID = agentID
        self.isResumed = isResumed
        self.forkedFrom = forkedFrom
        self.mode = mode
        self.model = model
        self.title = title
        self.hasOtherWriter = hasOtherWriter
        self.servers = servers
    }
}

/// The reason for which a session does not do what it was asked to.
package enum SessionRefusal: Error, Sendable, Hashable {
    /// The conversation is run by this session already.
    case alreadyRuns(session: String)
    /// The configuration does not allow the mode in which the agent asks about nothing.
    case bypass
    /// It works on something.
    case busy
    case ended
    /// A person works in its conversation at a terminal, for whom the daemon ended its process.
    case lent
    case notRunning
    /// A process that is not ours works in the conversation.
    case otherWriter
    /// Its process is being started, and cannot be told anything yet.
    case starting
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
    /// Bytes of them: all may be written to a child at once, and be kept until it reads them.
    package var promptBytes = 32 << 20
    /// Seconds without work after which a child is ended, and its session parked.
    package var idleSeconds: Double = 1800
    /// Seconds that a child may take to answer for the first time.
    package var startSeconds: Double = 60
    /// Seconds between an interrupt or a step of an end and the next.
    package var patience: Double = 5
    /// True if a session may run in the mode in which the agent asks about nothing.
    package var allowsBypass = false
    /// Sessions that are known, those without a process included.
    package var known = 1000

    package init() {}
}
