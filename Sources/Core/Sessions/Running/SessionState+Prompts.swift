/// Prompts: written, queued while a child starts, or the reason to start one.
extension SessionState {
    /// Takes a prompt. One that was taken before is not run again; its receipt says what became of it.
    package mutating func prompt(
        _ prompt: SessionPrompt, session id: String, at now: Instant
    ) throws(SessionRefusal) -> (PromptReceipt, [SessionEffect]) {
        guard let session = sessions[id] else { throw .unknownSession }
        if let end = ended.end(of: prompt.id, session: id) { return (.ended(end), []) }
        if let known = session.prompts.first(where: { $0.id == prompt.id }) { return (known.receipt, []) }
        let waiting = session.prompts.reduce(prompt.size) { $0 + $1.size }
        guard session.prompts.count < limits.prompts, waiting <= limits.promptBytes else { throw .tooManyPrompts }
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

/// Prompts that are taken back before the child works on them.
extension SessionState {
    /// Takes a prompt back. One that the child has in its queue is cancelled there: then `request` is the id of ours that
    /// it answers, and the prompt has ended by then if it was not taken up before.
    package mutating func cancel(
        prompt: String, session id: String, at now: Instant
    ) throws(SessionRefusal) -> (request: String?, [SessionEffect]) {
        guard let session = sessions[id] else { throw .unknownSession }
        guard let known = session.prompts.first(where: { $0.id == prompt }) else { return (nil, []) }
        var request: String?
        let effects = update(id, at: now) { session in
            guard known.state != .queued else { return session.endPrompts(.cancelled) { $0.id == prompt } }
            session.takeBack { $0.id == prompt }
            guard session.life == .ready else { return [] }
            let number = session.nextRequest()
            request = number
            return [.write(session: id, .cancelPrompt(request: number, prompt: prompt))]
        }
        return (request, effects)
    }

    /// Drops what a device sent and no child has got. What is written to a child that did not confirm it is recalled: it
    /// may lie in a pipe that nobody has read, and no other child is given it.
    package mutating func drop(promptsOf device: String, at now: Instant) -> [SessionEffect] {
        all.filter { $0.prompts.contains { $0.sender == device } }.flatMap { session in
            update(session.id, at: now) { session in
                session.endPrompts(.cancelled) { $0.sender == device && $0.state == .queued }
                    + session.recallPrompts { $0.sender == device }
            }
        }
    }

    /// Nothing of the prompt was written, and nothing will be.
    package mutating func recalled(prompt: String, session id: String, at now: Instant) -> [SessionEffect] {
        update(id, at: now) { $0.endPrompts(.cancelled) { $0.id == prompt && $0.isTakenBack } }
    }

    /// True for a prompt that waits, runs or has ended lately.
    package func has(prompt: String, session id: String) -> Bool {
        ended.end(of: prompt, session: id) != nil || sessions[id]?.prompts.contains { $0.id == prompt } == true
    }

    /// The end of one of the last prompts.
    package func end(of prompt: String, session id: String) -> PromptEnd? { ended.end(of: prompt, session: id) }
}

extension SessionPrompt {
    var receipt: PromptReceipt { state == .queued ? .queued : .sent }
}

extension RunSession {
    fileprivate mutating func take(_ prompt: SessionPrompt, at now: Instant, limits: SessionLimits) -> [SessionEffect] {
        prompts.append(SessionPrompt(id: prompt.id, blocks: prompt.blocks, sender: prompt.sender))
        if life == .parked { return begin(at: now, limits: limits) }
        return life == .ready ? sendQueued() : []
    }

    /// Writes the queued prompts, in their order.
    mutating func sendQueued() -> [SessionEffect] {
        var effects: [SessionEffect] = []
        for index in prompts.indices where prompts[index].state == .queued {
            effects.append(.write(session: id, .prompt(id: prompts[index].id, blocks: prompts[index].blocks)))
            prompts[index].state = .sent
        }
        return effects
    }

    /// Takes prompts back of which nothing tells that the child has them. The child that reads on is told by other means;
    /// no other child is given them.
    mutating func takeBack(where isMeant: (SessionPrompt) -> Bool) {
        for index in prompts.indices where prompts[index].isUnconfirmed && isMeant(prompts[index]) {
            prompts[index].blocks = []
        }
    }

    fileprivate mutating func recallPrompts(where isMeant: (SessionPrompt) -> Bool) -> [SessionEffect] {
        takeBack(where: isMeant)
        // One that was taken back before may wait to be written all the same.
        return prompts.filter { $0.isTakenBack && isMeant($0) }.map {
            .recall(session: id, prompt: $0.id, request: nextRequest())
        }
    }

    mutating func endPrompts(_ end: PromptEnd, where isMeant: (SessionPrompt) -> Bool) -> [SessionEffect] {
        defer { prompts.removeAll(where: isMeant) }
        return prompts.filter(isMeant).map { .promptEnded(session: id, prompt: $0.id, end) }
    }

    /// The child told of a prompt that has an id.
    /// - Parameter isKnown: False where nobody sent it.
    mutating func note(_ prompt: String, _ state: PromptLifecycle, isKnown: Bool) -> [SessionEffect] {
        // Told as the child reads it. What the child prompts itself with has no such line (measured with 2.1.330).
        if state == .queued, !isKnown, clocks.traffic.isWhole { return intrude("a prompt") }
        guard let index = prompts.firstIndex(where: { $0.id == prompt && $0.state != .queued }) else { return [] }
        prompts[index].isFollowed = true
        prompts[index].blocks = []
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
        prompts[index].blocks = []
    }

    /// Queues the prompts again of which nothing tells that a child has them. One that did not get through twice fails.
    mutating func repeatUnconfirmed(where isMeant: (SessionPrompt) -> Bool = { _ in true }) {
        for index in prompts.indices
        where prompts[index].isUnconfirmed && !prompts[index].isRepeated && isMeant(prompts[index]) {
            prompts[index].state = .queued
            prompts[index].isRepeated = true
        }
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
