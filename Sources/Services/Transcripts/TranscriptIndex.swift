package import Core

/// The index of all transcripts. It is a copy of what the files say: it can be deleted at any time, and is made anew.
package protocol TranscriptIndex: Sendable {
    /// Takes in what is new in all files; returns when that is done. Calls at the same time share one look.
    func refresh() async throws
    /// Takes in what is new in one session's files, before all others.
    func refresh(session id: String) async throws
    /// Sessions whose directory is `directory` or lies below it, the last active first; all sessions for `nil`.
    /// - Parameter deleted: Sessions that are left out, if their last message is not behind the time.
    func sessions(in directory: String?, but deleted: [String: Timestamp], limit: Int, offset: Int) async throws -> (
        sessions: [TranscriptSession], total: Int
    )
    /// `nil` if there is no such transcript.
    func page(_ query: TranscriptPageQuery) async throws -> TranscriptPage?
    /// Messages after a number, the oldest first, at most `limit`.
    /// - Parameter agent: A subagent, for its messages in place of the session's.
    func messages(
        of session: String, agent: String?, after number: Int64, limit: Int
    ) async throws -> [TranscriptMessage]
    /// The subagents of a session, the first one first.
    func subagents(of session: String) async throws -> [TranscriptPage.Subagent]
    /// As of `TranscriptSource`.
    func subagentDirectory(of path: String) -> String
    /// `nil` if there is no such transcript.
    func session(_ id: String) async throws -> (session: TranscriptSession, path: String)?
    /// Messages that hold all words, about the newest first. `isWhole` is false if there may be more.
    /// - Parameter deleted: As of `sessions`.
    func search(_ words: String, in directory: String?, but deleted: [String: Timestamp], limit: Int) async throws -> (
        hits: [TranscriptHit], isWhole: Bool
    )
    func close() async
}
