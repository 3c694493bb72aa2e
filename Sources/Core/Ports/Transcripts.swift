/// Names the transcript of a session, and the call whose reasons are looked for there.
package struct TranscriptQuery: Sendable, Hashable {
    package let path: String
    package let sessionID: String
    /// Set for a call of a subagent, which has a transcript of its own.
    package let agentID: String?
    package let toolUseID: String

    package init(path: String, sessionID: String, agentID: String?, toolUseID: String) {
        self.path = path
        self.sessionID = sessionID
        self.agentID = agentID
        self.toolUseID = toolUseID
    }
}

/// The texts at the end of a transcript.
package struct TranscriptEnd: Sendable, Hashable {
    /// The session's title, where it was given or changed lately.
    package var title: String?
    /// The agent's last words before the call.
    package var lastWords: String?

    package init(title: String? = nil, lastWords: String? = nil) {
        self.title = title
        self.lastWords = lastWords
    }
}
