/// The context of a request: the session's title, its user's last prompt, and the agent's last words. The words are in
/// the session's transcript, which is read while the hook is held already: the card waits for them, the hook does not.
extension BrokerState {
    /// Fills in what the session knows, and returns the effect that reads the rest.
    func explain(_ held: inout HeldRequest) -> [BrokerEffect] {
        let request = held.request
        guard !request.isUnverified, let session = sessions[request.sessionID], !session.isUnverified else { return [] }
        held.request.context = CallContext(title: session.title, prompt: session.lastPrompt)
        // A device names any file.
        guard session.isOfThisMachine, !session.transcriptPath.isEmpty else { return [] }
        held.isBeingExplained = true
        let transcript = TranscriptQuery(
            path: session.transcriptPath, sessionID: request.sessionID, agentID: request.agentID,
            toolUseID: request.toolUseID)
        return [.explain(request: request.id, transcript)]
    }

    /// Takes what a transcript says, and shows the card that waited for it.
    package mutating func explained(_ id: String, by end: TranscriptEnd?, at now: Timestamp) -> [BrokerEffect] {
        guard let held = requests[id] else { return [] }
        requests.update(id) { held in
            held.isBeingExplained = false
            held.request.context.lastWords = end?.lastWords
            if let title = end?.title { held.request.context.title = title }
        }
        if let title = end?.title { sessions.name(held.request.sessionID, title) }
        return held.isOpened ? announce(id, at: now) : []
    }
}
