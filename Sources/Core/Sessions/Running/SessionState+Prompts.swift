/// Prompts: written, queued while a child starts, or the reason to start one.
extension SessionState {
    /// Takes a prompt. One that was taken before is not run again; its receipt says what became of it.
    package mutating func prompt(
        _ prompt: SessionPrompt, session id: String, at now: Instant
    ) throws(SessionRefusal) -> (PromptReceipt, [SessionEffect]) {
        guard let session = sessions[id] else { throw .unknownSession }
        if let end = ended.end(of: prompt.id, session: id) { return (.ended(end), []) }
        if let known = session.prompts.first(where: { $0.id == prompt.id }) { return (known.receipt, []) }
        guard session.prompts.count < limits.prompts else { throw .tooManyPrompts }
        switch session.life {
        case .ended: throw .ended
        case .ending(let ending) where ending.purpose != .park: throw .stopping
        case .parked: try checkRoom()
        case .ending, .ready, .starting: break
        }
        let effects = update(id, at: now) { [limits] in $0.take(prompt, at: now, limits: limits) }
        return (sessions[id]!.life == .ready ? .sent : .queued, effects)
    }
}

extension SessionPrompt {
    var receipt: PromptReceipt { state == .queued ? .queued : .sent }
}

extension RunSession {
    fileprivate mutating func take(_ prompt: SessionPrompt, at now: Instant, limits: SessionLimits) -> [SessionEffect] {
        prompts.append(SessionPrompt(id: prompt.id, blocks: prompt.blocks))
        if life == .parked { return begin(at: now, limits: limits) }
        return life == .ready ? sendQueued() : []
    }

    /// Writes the queued prompts, in their order.
    mutating func sendQueued() -> [SessionEffect] {
        var effects: [SessionEffect] = []
        for index in prompts.indices where prompts[index].state == .queued {
            effects.append(.write(session: id, .prompt(id: prompts[index].id, blocks: prompts[index].blocks)))
            prompts[index].state = .sent
            prompts[index].blocks = []
        }
        return effects
    }

    mutating func endPrompts(_ end: PromptEnd, where isMeant: (SessionPrompt) -> Bool) -> [SessionEffect] {
        defer { prompts.removeAll(where: isMeant) }
        return prompts.filter(isMeant).map { .promptEnded(session: id, prompt: $0.id, end) }
    }

    /// The child told of a prompt that has an id.
    mutating func note(_ prompt: String, _ state: PromptLifecycle) -> [SessionEffect] {
        guard let index = prompts.firstIndex(where: { $0.id == prompt && $0.state != .queued }) else { return [] }
        prompts[index].isFollowed = true
        switch state {
        case .queued: return []
        case .started:
            prompts[index].state = .started
            return []
        case .cancelled: return endPrompts(.cancelled) { $0.id == prompt }
        case .completed: return endPrompts(.completed) { $0.id == prompt }
        }
    }

    mutating func noteEcho(of prompt: String) {
        guard let index = prompts.firstIndex(where: { $0.id == prompt && $0.state == .sent }) else { return }
        prompts[index].state = .started
    }

    /// The end of a turn ends the prompts that were taken up and have no life cycle of their own.
    mutating func noteResult() -> [SessionEffect] {
        if !tellsState, tasks.isEmpty { isBusy = false }
        return endPrompts(.completed) { $0.state == .started && !$0.isFollowed }
    }

    mutating func note(_ state: ChildState) -> [SessionEffect] {
        tellsState = true
        isBusy = state != .idle
        // A child that is idle runs nothing, whatever it forgot to say of a prompt.
        return isBusy ? [] : endPrompts(.completed) { $0.state == .started }
    }
}
