package import Core

/// Conversations that people deleted: they are in no list, while their transcripts stay the agent's. A conversation that
/// somebody goes on in behind its deletion is listed again.
package protocol DeletedConversations: Sendable {
    /// The times of the deletions, by the agent's ids.
    var times: [String: Timestamp] { get }
    /// Returns once no restart can undo it.
    func add(_ conversation: String, at time: Timestamp) async throws
}
