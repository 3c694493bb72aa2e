/// The meaning of a child's line for its session. What clients are shown of the line goes past the session's state.
package enum ChildEvent: Sendable, Hashable {
    /// The child answered a request; `failure` in its own words. It also shows the answers back that it takes.
    case answered(request: String, failure: String?, shown: ShownAnswer = ShownAnswer())
    case asked(ChildRequest)
    /// The whole set of background tasks.
    case backgroundTasks(Set<String>)
    /// The conversation goes on under another id.
    case conversation(String)
    case mode(PermissionMode)
    /// Nothing that the state depends on.
    case other
    /// `promptID` is taken up: the child shows it back.
    case promptEcho(String)
    case promptState(id: String, PromptLifecycle)
    /// The end of a turn.
    case result
    case state(ChildState)
    case taskEnded(String)
    case taskStarted(String)
    case title(String)
    /// A turn began.
    case turn(TurnFacts)
    /// The child asks for something that we do not offer.
    case unsupported(request: String)
    /// The child takes a question back.
    case withdrawn(request: String)
}

extension ChildEvent {
    /// The conversation that the line names as the child's.
    package var conversation: String? {
        switch self {
        case .conversation(let id): id
        case .turn(let facts): facts.agentID
        default: nil
        }
    }
}

/// A state that a child tells of itself.
package enum ChildState: Sendable, Hashable {
    case asking, idle, running
}

/// A step that a child tells of a prompt with an id.
package enum PromptLifecycle: Sendable, Hashable {
    case cancelled, completed, queued, started
}

/// The facts that a child tells at the beginning of a turn.
package struct TurnFacts: Sendable, Hashable {
    package let agentID: String
    package let mode: PermissionMode
    package let model: String?

    package init(agentID: String, mode: PermissionMode, model: String?) {
        self.agentID = agentID
        self.mode = mode
        self.model = model
    }
}
