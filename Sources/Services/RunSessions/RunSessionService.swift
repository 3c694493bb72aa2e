package import Core

/// Starts sessions, prompts them and ends them.
package protocol RunSessionService: Sendable {
    func start(_ order: RunSessionOrder) async throws(RunSessionFailure) -> RunSession
    /// - Parameter prompt: one whose id was sent before is not run again.
    func send(_ prompt: SessionPrompt, to session: String) async throws(RunSessionFailure) -> PromptReceipt
    func stop(_ session: String) async throws(RunSessionFailure)
    func session(_ id: String) async throws(RunSessionFailure) -> RunSession
    /// Those that have not ended, oldest first.
    /// - Parameter workspace: `nil` for all.
    func active(in workspace: String?) async -> [RunSession]
}

/// A session that somebody wants to be started.
package struct RunSessionOrder: Sendable, Hashable {
    package let workspaceID: String
    /// The agent's id of the conversation to go on in; `nil` for a new one.
    package var resumed: String?
    package var mode: PermissionMode
    package var model: String?

    package init(workspaceID: String, resumed: String? = nil, mode: PermissionMode = .default, model: String? = nil) {
        self.workspaceID = workspaceID
        self.resumed = resumed
        self.mode = mode
        self.model = model
    }
}

package enum RunSessionFailure: Error, Sendable, Hashable {
    /// The daemon is being stopped.
    case closing
    case noWorkspace(id: String)
    case refused(SessionRefusal)
}

/// The part of the database that run sessions need.
package protocol RunSessionStore: Sendable {
    /// Writes sessions; one that has ended is deleted.
    func keep(_ sessions: [RunSession]) async throws
}
