import Core
import OrderedJSON
import Services
import Wire

/// Tells the editor what happens in its session.
extension ACPSession {
    func take(_ event: PublishedEvent) {
        switch event {
        case .live(let event): if case .run(let event) = event.body { take(event) }
        case .record(let record):
            if case .permissionResolved(let request, let resolution, _) = record.body { ended(request, resolution) }
        }
    }

    private func take(_ event: RunEvent) {
        switch event {
        case .asked(let request): ask(request)
        case .call(let call, _): begin(call)
        case .changed(let session), .info(let session): tell(session)
        case .childReady(let session): ready(session)
        case .delta(let piece, _): add(piece)
        case .message(let message, _): hear(message)
        case .promptEnd(let prompt, let end, _): finish(prompt, end)
        case .turnEnd(let end, _): finish(end)
        case .stopped(let session): note(session)
        case .childEnded(let session):
            note(session)
            breakOff()
        case .line, .retry, .tasks: break
        }
    }

    private func add(_ piece: ChildDelta) {
        let pieces = state.withLock { state in
            state.lastTurn = nil
            return state.shown.add(piece)
        }
        for piece in pieces {
            let content: JSON = ["type": "text", "text": .string(piece.text)]
            update(ACPMessage.chunk(piece.kind == .text ? .agent : .thought, content))
        }
    }

    private func begin(_ call: ChildCall) {
        // Calls before it are of a message that was never whole.
        breakOff(but: call.id)
        let isNew = state.withLock { state in
            state.lastTurn = nil
            return state.calls.begin(call.id)
        }
        if isNew { update(ACPToolCall.begin(call)) }
    }

    /// The agent may have ended in the middle of a call of which an earlier connection told.
    func breakOffIfDone() {
        if ![.asking, .running].contains(state.withLock({ $0.phase })) { breakOff() }
    }

    /// The agent is not at a message any more, or only at this call.
    func breakOff(but id: String? = nil) {
        for call in state.withLock({ $0.calls.breakOff(but: id) }) { update(ACPToolCall.breakOff(call)) }
    }

    private func hear(_ message: TranscriptMessage) {
        guard let streamed = state.withLock({ $0.shown.hear(message) }) else { return }
        for update in updates(of: message, but: streamed, callStatus: .inProgress) { self.update(update) }
        if note(message.todos) { update(plan) }
    }

    /// Returns the updates that show the editor a message of the transcript; none for one that it has.
    func read(_ message: TranscriptMessage) -> [JSONObject] {
        guard let streamed = state.withLock({ $0.shown.read(message) }) else { return [] }
        _ = note(message.todos)
        return updates(of: message, but: streamed)
    }

    /// Returns true if the agent's list is another now.
    func note(_ todos: [TodoNote]) -> Bool { state.withLock { $0.todos.take(todos) } }

    /// What the agent means to do, as the editor shows it; `nil` if that is nothing.
    var knownPlan: JSONObject? { state.withLock { $0.todos.items.isEmpty } ? nil : plan }

    private var plan: JSONObject { ACPMessage.plan(state.withLock { $0.todos }) }

    /// They hold the message's id: by that a connection goes on behind a lost one.
    private func updates(
        of message: TranscriptMessage, but streamed: [ChildDelta.Kind: Int],
        callStatus: ACPToolCall.Status = .pending
    ) -> [JSONObject] {
        let (isShown, begun) = state.withLock { state in
            (message.kind != .assistant && state.prompts[message.uuid] != nil, state.calls.take(message))
        }
        var parts =
            isShown
            ? []
            : ACPMessage.updates(
                of: message, in: directory, but: streamed, begun: begun, callStatus: callStatus)
        // A prompt of this editor is on its screen, as is a message that was sent in pieces to its end.
        if parts.isEmpty, isShown || !streamed.isEmpty { parts = [["sessionUpdate": "session_info_update"]] }
        return parts.map { part in
            var part = part
            var own = part["_meta"]?["cdev"]?.objectValue ?? [:]
            own["message"] = .id(message.uuid)
            part["_meta"] = ["cdev": .object(own)]
            return part
        }
    }

    /// Tells what is another than the editor knows.
    private func tell(_ session: RunSession) {
        note(session)
        let new = ACPSettings(session)
        let (old, hasNoPlan) = state.withLock { state in
            defer { state.told = new }
            return (state.told, state.begin(session.agentID))
        }
        if hasNoPlan { update(plan) }
        if new.mode != old.mode {
            update(["sessionUpdate": "current_mode_update", "currentModeId": .string(new.mode)])
        }
        if let title = new.title, title != old.title { tell(title: title) }
        if new.mode != old.mode || new.model != old.model || new.effort != old.effort { Task { await tellOptions() } }
    }

    /// The title of a conversation that was gone on with: the answer to that has no place for it.
    func tellTitle() async {
        let (own, agentID) = state.withLock { ($0.told.title, $0.agentID) }
        let kept = own == nil ? try? await parts.transcripts.session(agentID).facts.title : nil
        // Somebody may have given it another meanwhile.
        guard let title = state.withLock({ $0.told.title }) ?? kept, !title.isEmpty else { return }
        tell(title: title)
    }

    private func tell(title: String) {
        update(["sessionUpdate": "session_info_update", "title": .string(title)])
    }

    func tellOptions() async {
        let offer = try? await parts.sessions.offer(of: runID)
        let options = state.withLock { $0.told }.options(offer ?? AgentOffer())
        update(["sessionUpdate": "config_option_update", "configOptions": options])
    }

    /// The agent has told its models and commands by now.
    private func ready(_ session: RunSession) {
        Task {
            await tellCommands()
            await tellOptions()
        }
    }

    func tellCommands() async {
        guard let offer = try? await parts.sessions.offer(of: runID), !offer.commands.isEmpty else { return }
        update(["sessionUpdate": "available_commands_update", "availableCommands": .array(offer.commands.map(\.acp))])
    }

    private func finish(_ end: TurnEnd) {
        state.withLock { state in
            state.lastTurn = end
            state.shown.endMessage()
        }
        breakOff()
        guard let context = end.context, let window = context.window else { return }
        var usage: JSONObject = [
            "sessionUpdate": "usage_update", "used": .count(context.tokens), "size": .count(window),
        ]
        if let cost = end.cost.flatMap(JSONNumber.init) {
            usage["cost"] = ["amount": .number(cost), "currency": "USD"]
        }
        update(usage)
    }
}

extension ACPSession.State {
    /// Another conversation has another list. Returns true if the one before had one that was shown.
    fileprivate mutating func begin(_ agentID: String) -> Bool {
        guard agentID != self.agentID else { return false }
        self.agentID = agentID
        defer { todos = TodoList() }
        return !todos.items.isEmpty
    }
}

// MARK: - Prompts

extension ACPSession {
    /// A prompt may have been cancelled, or taken back, before it was known.
    func expect(_ prompt: String, by request: JSONRPCID?) -> PromptBeginning {
        state.withLock { state in
            let beginning = request.flatMap { state.arrived.removeValue(forKey: $0) } ?? .expected
            guard beginning == .expected else { return beginning }
            if let request { state.requests[request] = prompt }
            if state.prompts.isEmpty { state.lastTurn = nil }
            state.prompts[prompt] = .begun
            return .expected
        }
    }

    /// All prompts that came by now are to be stopped, and none that comes later.
    func cancel() {
        state.withLock { state in
            state.cancelled.formUnion(state.prompts.keys)
            for request in state.arrived.keys where state.arrived[request] == .expected {
                state.arrived[request] = .cancelled
            }
        }
    }

    /// True for a prompt that was cancelled, or taken back, while it was sent, and so may not have been stopped.
    func isStillToStop(_ prompt: String) -> Bool {
        state.withLock { state in
            if case .ended = state.prompts[prompt] { return false }
            return state.cancelled.contains(prompt) || state.takenBack.contains(prompt)
        }
    }

    /// Returns how a prompt ended that was expected.
    func end(of prompt: String) async -> PromptEnd {
        await withCheckedContinuation { waiter in
            let end = state.withLock { state -> PromptEnd? in
                if case .ended(let end) = state.prompts[prompt] { return end }
                state.prompts[prompt] = .waiting(waiter)
                return nil
            }
            if let end { waiter.resume(returning: end) }
        }
    }

    func forget(_ prompt: String) {
        state.withLock { state in
            state.prompts[prompt] = nil
            state.requests = state.requests.filter { $0.value != prompt }
            state.cancelled.remove(prompt)
            state.takenBack.remove(prompt)
        }
    }

    /// Returns the prompt that the request sent; `nil` for one that is not known yet, which will not be sent.
    func takeBack(_ request: JSONRPCID) -> String? {
        state.withLock { state in
            if state.arrived[request] != nil { state.arrived[request] = .takenBack }
            guard let prompt = state.requests[request] else { return nil }
            state.takenBack.insert(prompt)
            return prompt
        }
    }

    func isTakenBack(_ prompt: String) -> Bool { state.withLock { $0.takenBack.contains(prompt) } }

    func finish(_ prompt: String, _ end: PromptEnd) {
        let waiter = state.withLock { state -> CheckedContinuation<PromptEnd, Never>? in
            guard let wait = state.prompts[prompt] else { return nil }
            state.prompts[prompt] = .ended(end)
            if case .waiting(let waiter) = wait { return waiter }
            return nil
        }
        waiter?.resume(returning: end)
    }
}

extension AgentOffer.Command {
    fileprivate var acp: JSON {
        var members: JSONObject = ["name": .string(name), "description": .string(description)]
        if !argumentHint.isEmpty { members["input"] = ["hint": .string(argumentHint)] }
        return .object(members)
    }
}
