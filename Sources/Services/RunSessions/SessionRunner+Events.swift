import Core
import OrderedJSON
import Platform

/// Tells clients of sessions.
extension SessionRunner {
    func tell(_ session: RunSession) {
        let before = told[session.id]
        told[session.id] = session.phase == .ended ? nil : session
        if !session.hasChild {
            watches.endMessage(of: session.id)
            watches.forgetMessages(of: session.id)
            part(session.id)
        }
        if session.phase == .ended { figures.forget(session.id) }
        for event in RunEvent.changes(from: before, to: session) { publish(event, of: session) }
    }

    func tellEnd(of prompt: String, _ end: PromptEnd, in id: String) {
        parts.log.debug("prompt ended", ["session": id, "prompt": prompt])
        guard let session = state[id] else { return }
        publish(.promptEnd(prompt, end, agentID: session.agentID), of: session)
    }

    /// Tells what a line shows, unless it was told before a restart.
    func show(_ output: ChildOutput?, at place: SpoolPlace, of id: String, _ run: Int) {
        guard let output, let session = state[id], session.run == run, place.offset >= session.clocks.readTo else {
            return
        }
        switch output {
        case .call(let call):
            watches.begin(call, in: id)
            publishPiece(.call(call, agentID: session.agentID), of: session)
        case .delta(let delta):
            watches.add(delta, to: id)
            publishPiece(.delta(delta, agentID: session.agentID), of: session)
        case .message(let message):
            if message.kind == .assistant, !message.isOfSubagent { watches.endMessage(of: id) }
            watches.add(message, to: id)
            figures.noteMessage(of: id)
            publish(.message(message, agentID: session.agentID), of: session)
        case .offer(let offer): if figures.note(offer, of: id) { parts.keepOffer(offer) }
        case .retry(let attempt, let most): publish(.retry(session, attempt: attempt, of: most), of: session)
        case .servers: break
        case .turnEnd(let end):
            watches.endMessage(of: id)
            figures.note(end, of: id)
            publish(.turnEnd(end, agentID: session.agentID), of: session)
        }
    }

    /// Passes the lines on as they are to those who asked for them, but for answers to what the daemon asked: these tell of
    /// the account, and of the addresses and words by which servers are reached.
    func showLines(_ reports: [ChildReport], of id: String, _ run: Int) {
        let readers = watches.logReaders(of: id)
        guard !readers.isEmpty, let session = state[id], session.run == run else { return }
        for case .line(let event, _, let place, let bytes) in reports where place.offset >= session.clocks.readTo {
            if case .answered = event { continue }
            if let line = Self.line(bytes) { publish(.line(line), of: session, to: readers) }
        }
    }

    /// A long line is parsed where it is encoded, beside the loop; of one that is longer than an event only its length is
    /// told. `nil` for what is no object.
    private static func line(_ bytes: [UInt8]) -> KeptJSON? {
        guard bytes.count > WorkLane.bytesAtOnce else {
            return (try? JSON(parsing: bytes)).map { KeptJSON($0) }
        }
        guard bytes.count <= longestLine else {
            return KeptJSON(["truncated": true, "bytes": .number(JSONNumber(bytes.count))])
        }
        return KeptJSON(written: String(decoding: bytes, as: UTF8.self))
    }

    private static let longestLine = 1 << 20

    /// Only who reads along is told of a message that is not whole.
    private func publishPiece(_ event: RunEvent, of session: RunSession) {
        let readers = watches.readers(of: session.id)
        if !readers.isEmpty { publish(event, of: session, to: readers) }
    }

    private func publish(_ event: RunEvent, of session: RunSession, to audience: Set<String>? = nil) {
        guard !isClosing else { return }
        parts.publish(
            LiveEvent(
                at: parts.clock.now().wall, workspaceID: session.workspaceID, sessionID: session.id, body: .run(event),
                audience: audience))
    }

    package func watch(
        _ id: String, hasLog: Bool, client: String
    ) async throws(RunSessionFailure) -> RunWatch {
        let session = try session(id)
        try await requirePlace(session)
        watches.watch(session.id, hasLog: hasLog, client: client)
        return RunWatch(
            session: session, partial: watches.partial(of: session.id), call: watches.call(of: session.id),
            recent: watches.recent(of: session.id))
    }

    package func unwatch(client: String) -> String? { watches.unwatch(client: client) }
}

extension SessionRunner: ClientListener {
    package func clientLeft(_ id: String) { _ = watches.unwatch(client: id) }
}
