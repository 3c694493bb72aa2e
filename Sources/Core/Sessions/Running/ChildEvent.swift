/// What a line of a child means for its session. What clients are shown of the line goes past the session's state.
package enum ChildEvent: Sendable, Hashable {
    /// The child answered a request of ours; `failure` in its own words.
    case answered(request: String, failure: String?)
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

/// What a child says of itself.
package enum ChildState: Sendable, Hashable {
    case asking, idle, running
}

/// What a child says of a prompt that has an id.
package enum PromptLifecycle: Sendable, Hashable {
    case cancelled, completed, queued, started
}

/// What a child says at the beginning of a turn.
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
