package import OrderedJSON

/// An event of a run session, for the clients of that moment: none of them is recorded.
package enum RunEvent: Sendable, Hashable {
    /// The agent asks something, which a card shows too.
    case asked(PermissionRequest)
    /// A call of a tool is being written.
    case call(ChildCall, agentID: String)
    /// The session shows something else now.
    case changed(RunSession)
    /// The agent has a process no more.
    case childEnded(RunSession)
    /// The agent's process takes prompts.
    case childReady(RunSession)
    /// A piece of a message that is being written.
    case delta(ChildDelta, agentID: String)
    /// The conversation, the model or the mode is another now.
    case info(RunSession)
    /// A line as the agent wrote it.
    case line(KeptJSON)
    /// A whole message.
    case message(TranscriptMessage, agentID: String)
    /// A prompt has ended; each does once.
    case promptEnd(String, PromptEnd, agentID: String)
    /// The model's provider failed, and is asked again.
    case retry(RunSession, attempt: Int, of: Int)
    /// The session has ended for good.
    case stopped(RunSession)
    /// Other tasks run in the background now.
    case tasks(RunSession)
    case turnEnd(TurnEnd, agentID: String)

    package var kind: EventKind {
        switch self {
        case .asked(let request): request.tool.kind.isForUser ? .runQuestion : .runPermission
        case .call: .runCall
        case .changed, .retry: .runStatus
        case .childEnded: .runChildEnd
        case .childReady: .runChildStart
        case .delta: .runDelta
        case .info: .runInfo
        case .line: .runLine
        case .message: .transcriptMessage
        case .promptEnd: .runPromptEnd
        case .stopped: .runStopped
        case .tasks: .runTasks
        case .turnEnd: .runUsage
        }
    }

    /// The approximate bytes of its content, without its small members.
    var size: Int {
        switch self {
        case .asked(let request): request.input.size
        case .delta(let delta, _): delta.text.utf8.count
        case .line(let line): line.size
        case .message(let message, _): message.size
        case .turnEnd(let end, _): end.text.utf8.count
        default: 0
        }
    }

    /// Returns the events of a session that is now another than `before`, in their order.
    package static func changes(from before: RunSession?, to session: RunSession) -> [RunEvent] {
        var events: [RunEvent] = []
        if session.life == .ready, before?.life != .ready { events.append(.childReady(session)) }
        if session.hasConversation, before.map({ !session.isSameConversation(as: $0) }) ?? true {
            events.append(.info(session))
        }
        if session.tasks != before?.tasks ?? [] { events.append(.tasks(session)) }
        if before.map({ session.shown != $0.shown }) ?? true { events.append(.changed(session)) }
        if let before, before.hasChild, !session.hasChild { events.append(.childEnded(session)) }
        if session.phase == .ended, before?.phase != .ended { events.append(.stopped(session)) }
        return events
    }
}

extension RunSession {
    fileprivate func isSameConversation(as other: RunSession) -> Bool {
        other.hasConversation && agentID == other.agentID && mode == other.mode && model == other.model
            && effort == other.effort
    }

    /// The members by which clients see that it is another than before.
    fileprivate var shown: [String] {
        [
            phase.rawValue, mode.spelling, model ?? "", effort ?? "", title ?? "", "\(hasBackgroundWork)",
            projectSettings?.rawValue ?? "",
        ]
            + prompts.map { "\($0.id) \($0.state)" }
    }
}
