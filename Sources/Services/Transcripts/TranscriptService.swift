package import Core

/// The transcripts of sessions: their messages, new ones as they come, and a search in all of them. Reading them needs the
/// right `read`, which the caller's dialect checks.
package protocol TranscriptService: Sendable {
    /// Sessions of a workspace that have a transcript, the last active first; of all workspaces for `nil`.
    func history(
        workspace id: String?, limit: Int, offset: Int
    ) async throws(TranscriptFailure) -> TranscriptHistory
    func session(_ id: String) async throws(TranscriptFailure) -> TranscriptSession
    /// Takes a session out of the lists and the search until somebody goes on in it; its transcript stays. Returns once no
    /// restart can undo it.
    func delete(_ session: String) async throws(TranscriptFailure)
    /// A part of a session's messages.
    /// - Parameter client: The connection that asks; `nil` if it cannot watch.
    func messages(
        _ query: TranscriptPageQuery, client: String?
    ) async throws(TranscriptFailure) -> TranscriptPage
    /// Sends the client the session's new messages, and no longer those of the session it watched before: from behind the
    /// message `after` on; by default from behind the last one that the client could know of by `messages`.
    /// - Parameter hasSubagents: True to send the new messages of its subagents too.
    func watch(
        _ session: String, after: Int64?, hasSubagents: Bool, client: String
    ) async throws(TranscriptFailure) -> TranscriptWatch
    /// Returns what the client watched; `nil` if it watched nothing.
    func unwatch(client: String) async -> TranscriptWatch?
    /// Notes the session that the client shows.
    func activate(_ session: String, client: String) async throws(TranscriptFailure) -> TranscriptWatch
    func search(
        _ words: String, workspace id: String?, limit: Int, by caller: Caller
    ) async throws(TranscriptFailure) -> TranscriptFindings
    /// What is being watched, once for each client.
    func watches() async -> [TranscriptWatch]
}

/// A session that a client watches.
package struct TranscriptWatch: Sendable, Hashable {
    package let client: String
    package let sessionID: String
    /// The workspace that holds the session's directory; empty if there is none.
    package let workspaceID: String
    /// The number of the last message that is not sent.
    package let after: Int64

    package init(client: String, sessionID: String, workspaceID: String, after: Int64) {
        self.client = client
        self.sessionID = sessionID
        self.workspaceID = workspaceID
        self.after = after
    }
}

package struct TranscriptHistory: Sendable {
    package let sessions: [TranscriptSession]
    package let total: Int
    /// True while files are still being taken in: more may be found in a moment.
    package let isIncomplete: Bool

    package init(sessions: [TranscriptSession], total: Int, isIncomplete: Bool) {
        self.sessions = sessions
        self.total = total
        self.isIncomplete = isIncomplete
    }
}

package struct TranscriptFindings: Sendable {
    package let hits: [TranscriptHit]
    /// True if there may be more hits.
    package let hasMore: Bool
    /// As of `TranscriptHistory`.
    package let isIncomplete: Bool

    package init(hits: [TranscriptHit], hasMore: Bool, isIncomplete: Bool) {
        self.hits = hits
        self.hasMore = hasMore
        self.isIncomplete = isIncomplete
    }
}

package enum TranscriptFailure: Error, Sendable, Hashable {
    case unknownSession(String)
    case unknownWorkspace(String)
    /// The index cannot be read, for this reason.
    case unreadable(String)
    /// Nothing was changed: it could not be written, for this reason.
    case unwritten(String)
    /// So many searches of the caller wait already.
    case busy(waiting: Int)
}
