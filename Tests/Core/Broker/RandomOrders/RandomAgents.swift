import Core
import OrderedJSON

/// What agents and their relays send.
extension RandomOrder {
    static let sessions = ["s1", "s2", "grok:s1"]
    /// The last is too large to be evaluated again while it is held.
    private static let lines = [
        "touch x", "touch x", "touch y", "cp a b", "make && touch x", "ls",
        "touch " + String(repeating: "x", count: 20_000),
    ]

    mutating func announce() {
        let session = someSession()
        let isQuestion = random.isOne(in: 10)
        let call = newCall(
            session: session, tool: isQuestion ? "AskUserQuestion" : "Bash",
            input: isQuestion ? Record.question : ["command": .string(random.one(of: Self.lines))],
            useID: "t\(random.int(below: 12))")
        calls.append(call)
        if random.isOne(in: 12) { calls[call.number].stranger = 43 }
        post(calls[call.number].posting(.preToolUse))
    }

    /// Another call that looks like one that is not over, as calls of one answer of the model may.
    mutating func announceTwin() {
        let running = calls.filter { $0.useID != nil && !$0.isOver }.suffix(5)
        guard !running.isEmpty else { return announce() }
        let first = random.one(of: Array(running))
        let number = calls.count
        calls.append(
            AgentCall(
                number: number, session: first.session, cwd: first.cwd, prompt: first.prompt, agentID: first.agentID,
                tool: first.tool, input: first.input, useID: "t\(random.int(below: 12))", mode: first.mode,
                isAttended: first.isAttended, isVerified: first.isVerified,
                token: random.isOne(in: 4) ? nil : "k\(number)"))
        post(calls[number].posting(.preToolUse))
    }

    /// Claude asks by itself: mostly because a hook said nothing or `ask`, sometimes because its settings insist, or
    /// because a hook ended with a deny in its buffer.
    mutating func openDialog() {
        let isDenyLost = random.isOne(in: 8)
        let asking = calls.indices.filter { index in
            let call = calls[index]
            guard let heard = call.heard, !call.isOver, !call.hasDialog, call.session != "grok:s1" else { return false }
            return if case .deny = heard { isDenyLost } else { true }
        }
        guard !asking.isEmpty else { return announce() }
        let index = random.one(of: asking)
        calls[index].hasDialog = true
        let dialog = calls[index].posting(.permissionRequest)
        // The relay's token of the first hook must not give this one the answer to that.
        let source = random.isOne(in: 8) ? calls[index].posting(.preToolUse).source : dialog.source
        post(Posting(call: dialog.call, event: dialog.event, source: source))
    }

    /// No announced call looks like this one.
    mutating func openUnannouncedDialog() {
        let call = newCall(
            session: now(random.one(of: ["s1", "s2"])), tool: "Bash",
            input: ["command": .string(random.one(of: ["mv a b", "cp b c"]))], useID: nil)
        calls.append(call)
        calls[call.number].hasDialog = true
        post(call.posting(.permissionRequest))
    }

    /// Another call that looks like one whose dialog has been: what was said of that one is used up.
    mutating func openSecondDialog() {
        let looks = calls.map { Look($0.posting(.permissionRequest)) }
        let asked = calls.filter { call in
            call.hasDialog && call.useID != nil && looks.count { $0 == looks[call.number] } == 1
                && !wasAnnounced(looks[call.number], byOtherThan: call)
        }
        guard !asked.isEmpty else { return openUnannouncedDialog() }
        let posting = random.one(of: asked).posting(.permissionRequest)
        var call = newCall(session: posting.event.sessionID, tool: "", input: .null, useID: nil)
        (call.hasDialog, call.isOver) = (true, true)
        calls.append(call)
        post(Posting(call: call.number, event: posting.event, source: posting.source.with(token: "k\(call.number)")))
    }

    /// True if another call was announced with this look: what a twisted posting says is not what its call says.
    private func wasAnnounced(_ look: Look, byOtherThan call: AgentCall) -> Bool {
        record.asked.values.contains {
            $0.call != call.number && $0.event.name == .preToolUse && Look($0) == look
        }
    }

    private mutating func newCall(session: String, tool: String, input: JSON, useID: String?) -> AgentCall {
        AgentCall(
            number: calls.count, session: session, cwd: random.one(of: ["/p", "/p", "/p/q"]),
            prompt: random.one(of: ["p1", "p2"]), agentID: random.one(of: [nil, nil, "a1"]), tool: tool, input: input,
            useID: useID,
            mode: session == "grok:s1"
                ? .bypassPermissions : random.one(of: [.default, .default, .acceptEdits, .plan]),
            isAttended: random.isOne(in: 2), isVerified: !random.isOne(in: 6),
            token: random.isOne(in: 4) ? nil : "k\(calls.count)")
    }

    /// A relay that found no daemon, or lost it, asks again; so does a client without a relay, but never beside a dialog.
    mutating func postAgain() {
        guard let posting = somePosting(),
            posting.event.name == .preToolUse || posting.source.relayToken != nil && !calls[posting.call].isOver
        else { return }
        post(posting)
    }

    /// Another call, sender or event that looks like the next try of an announcement.
    mutating func postTwisted() {
        guard let posting = somePosting(), posting.event.name == .preToolUse, let tool = posting.event.tool else {
            return
        }
        let (event, source) = (posting.event, posting.source)
        let other: JSON = ["command": .string("touch z\(calls.count)")]
        var call = newCall(session: event.sessionID, tool: tool.name, input: other, useID: nil)
        call.isOver = true
        calls.append(call)
        if random.isOne(in: 2) {
            let named = event.with(ToolCall(name: tool.name, input: other, useID: tool.useID))
            post(Posting(call: call.number, event: named, source: source.with(digest: Array(other.serialized().utf8))))
        } else {
            post(Posting(call: call.number, event: event, source: source.with(isVerified: !source.isVerified)))
        }
    }

    private mutating func somePosting() -> Posting? {
        let waiters = record.asked.keys.sorted { $0.number < $1.number }.suffix(random.one(of: [2, 20]))
        return waiters.isEmpty ? nil : record.asked[random.one(of: Array(waiters))]
    }

    private mutating func post(_ posting: Posting) {
        if posting.event.name == .preToolUse { replace(posting) } else { record.allowances.noteDialog(posting.call) }
        let waiter = stage.send(posting.event, from: posting.source, diskHangs: random.isOne(in: 20))
        record.asked[waiter] = posting
    }

    /// Claude's id stands for the call that is announced last.
    private mutating func replace(_ posting: Posting) {
        end(toolUse: posting.event.tool?.useID, session: posting.event.sessionID, but: posting.call)
    }

    private mutating func end(toolUse: String?, session: String, but number: Int? = nil) {
        for index in calls.indices
        where calls[index].session == session && calls[index].useID == toolUse && calls[index].number != number {
            calls[index].isOver = true
        }
    }

    mutating func hangUp() {
        let waiting = record.waiting
        guard !waiting.isEmpty else { return }
        let waiter = random.one(of: waiting)
        stage.leave(waiter)
        record.left.insert(waiter)
    }

    mutating func deliver() {
        let receipts = record.receipts.keys.sorted { $0.number < $1.number }.suffix(10)
        guard !receipts.isEmpty, let receipt = record.receipts[random.one(of: Array(receipts))] else { return }
        stage.perform(stage.state.delivered(receipt, !random.isOne(in: 4), at: stage.now))
    }

    mutating func endTool() {
        let announced = calls.filter { $0.useID != nil }.suffix(10)
        guard !announced.isEmpty else { return }
        let call = random.one(of: Array(announced))
        end(toolUse: call.useID, session: call.session)
        let posting = call.posting(random.one(of: [.postToolUse, .postToolUse, .postToolUseFailure]))
        stage.send(posting.event, from: posting.source)
    }

    mutating func endTurn() {
        let session = someSession()
        for index in calls.indices where calls[index].session == session { calls[index].isOver = true }
        let agent = random.one(of: [nil, "a1"])
        let name = agent == nil ? random.one(of: [HookEventName.stop, .userPromptSubmit]) : .subagentStop
        stage.send(
            .turn(name, session: session, prompt: random.one(of: ["p1", "p2"]), agent: agent),
            from: HookSource(claudePID: AgentCall.process(of: session), isVerified: !random.isOne(in: 6)))
    }

    mutating func endSession() {
        let session = someSession()
        for index in calls.indices where calls[index].session == session { calls[index].isOver = true }
        record.rules.endSession(session, stage.send(.turn(.sessionEnd, session: session)), at: record.step)
    }

    /// Claude Code ends the session and goes on in the same process under a new id, once the first hook was answered or
    /// took too long.
    mutating func clear() {
        let base = random.one(of: ["s1", "s2"])
        let before = now(base)
        for index in calls.indices where calls[index].session == before { calls[index].isOver = true }
        var source = HookSource(claudePID: AgentCall.process(of: base))
        source.isBelowAgent = true
        let ended = stage.send(.turn(.sessionEnd, session: before, raw: ["reason": "clear"]), from: source)
        record.rules.endSession(before, ended, at: record.step)
        if random.isOne(in: 2) { stage.settleCommits() }
        cleared[base] = "\(base).\(calls.count).\(record.step)"
        let started = stage.send(.turn(.sessionStart, session: now(base), raw: ["source": "clear"]), from: source)
        record.rules.goOn(stage.state.rules(session: now(base)), ended, started)
    }

    /// The present id of a session that was cleared, or was not.
    func now(_ base: String) -> String { cleared[base] ?? base }

    mutating func someSession() -> String { now(random.one(of: Self.sessions)) }
}

extension AgentEvent {
    fileprivate func with(_ tool: ToolCall) -> AgentEvent {
        AgentEvent(
            name: name, sessionID: sessionID, cwd: cwd, promptID: promptID, permissionMode: permissionMode,
            agentID: agentID, tool: tool)
    }
}

extension HookSource {
    fileprivate func with(token: String? = nil, digest: [UInt8]? = nil, isVerified: Bool? = nil) -> HookSource {
        HookSource(
            relayToken: token ?? relayToken, bodyDigest: digest ?? bodyDigest, isAttended: isAttended,
            claudePID: claudePID, isVerified: isVerified ?? self.isVerified)
    }
}
