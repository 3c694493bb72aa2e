/// A session that the daemon runs: an agent's process that it started, or can start again.
package struct RunSession: Sendable, Hashable {
    /// Our id. It stays when the agent's own id changes.
    package let id: String
    package let workspaceID: String
    package let directory: String
    package let startedAt: Timestamp
    /// The agent's id of the conversation; another one after `/clear`.
    package internal(set) var agentID: String
    package internal(set) var mode: PermissionMode
    /// The mode that the child was told and has not answered: the next child begins in it.
    package internal(set) var wish: ModeWish?
    /// `nil` for the agent's default.
    package internal(set) var model: String?
    /// How hard the model is to think; `nil` for the agent's default.
    package internal(set) var effort: String?
    package internal(set) var title: String?
    /// `nil` until the process is known that was started last.
    package internal(set) var projectSettings: ProjectSettings?
    package internal(set) var life: RunLife
    /// The number of the child: 1 for the first, one more with each start of a process. What an earlier child said is
    /// ignored by it.
    package internal(set) var run: Int
    /// `nil` without a process, and from a start until the process is known.
    package internal(set) var process: ProcessIdentity?
    /// True once the conversation has a turn, so that another process can go on in it.
    package internal(set) var hasConversation: Bool
    /// True while the agent says that it works on a turn.
    package internal(set) var isBusy = false
    /// True once this child told its state itself. Older ones do not, and their turns end with a result.
    package internal(set) var tellsState = false
    /// Ids of background tasks that run, at most `mostTasks`.
    package internal(set) var tasks: Set<String> = []
    /// Far more than ever run. Each change is told with all of them, so an agent that never ends one would cost ever more.
    package static let mostTasks = 200
    /// Prompts that have not ended, in their order.
    package internal(set) var prompts: [SessionPrompt] = []
    /// The child's questions whose answers it does not have, in their order.
    package internal(set) var requests: [OpenChildRequest] = []
    package internal(set) var clocks: RunClocks
    /// Servers of tools that each of its children gets.
    package internal(set) var servers: [ToolServer] = []

    /// - Parameter life: what was stored of it, or `.starting`.
    package init(
        id: String, workspaceID: String, directory: String, startedAt: Timestamp, agentID: String,
        mode: PermissionMode, wish: ModeWish? = nil, model: String? = nil, effort: String? = nil,
        title: String? = nil, projectSettings: ProjectSettings? = nil, life: RunLife, run: Int,
        process: ProcessIdentity? = nil, hasConversation: Bool, isBusy: Bool = false, tellsState: Bool = false,
        tasks: Set<String> = [], prompts: [SessionPrompt] = [], requests: [OpenChildRequest] = [],
        clocks: RunClocks, servers: [ToolServer] = []
    ) {
        self.id = id
        self.workspaceID = workspaceID
        self.directory = directory
        self.startedAt = startedAt
        self.agentID = agentID
        self.mode = mode
        self.wish = wish
        self.model = model
        self.effort = effort
        self.title = title
        self.projectSettings = projectSettings
        self.life = life
        self.run = run
        self.process = process
        self.hasConversation = hasConversation
        self.isBusy = isBusy
        self.tellsState = tellsState
        self.tasks = tasks
        self.prompts = prompts
        self.requests = requests
        self.clocks = clocks
        self.servers = servers
    }

    /// The phase that people are shown. "Idle" is said only where nothing runs: no turn and no prompt on its way.
    package var phase: RunPhase {
        switch life {
        case .starting: .starting
        case .ending: .stopping
        case .parked: .parked
        case .ended: .ended
        case .ready:
            requests.contains { $0.kind == .permission && !$0.isAnswered } ? .asking : isAtWork ? .running : .idle
        }
    }

    /// True while work goes on behind the turns. A session may be idle meanwhile.
    package var hasBackgroundWork: Bool { !tasks.isEmpty }

    /// The first request that this daemon wrote to a child that it found; `nil` once that is answered, for then all that
    /// the child wrote before was read.
    package var openProbe: String? { clocks.probe?.request }

    /// True if there is a process, or one is being started.
    package var hasChild: Bool {
        switch life {
        case .starting, .ready, .ending: true
        case .parked, .ended: false
        }
    }

    private var isAtWork: Bool { isBusy || prompts.contains { $0.state != .queued } }
}

/// The part that a project's own settings, hooks and servers have in a session's process.
package enum ProjectSettings: String, Sendable, Hashable, CaseIterable {
    /// Nobody trusted the directory, so they do not count.
    case ignored
    case used
}

extension RunSession {
    /// The session without its clocks: the part that has to be written when it changes.
    var withoutClocks: RunSession {
        var copy = self
        copy.clocks = RunClocks(lastActivity: startedAt)
        return copy
    }
}
