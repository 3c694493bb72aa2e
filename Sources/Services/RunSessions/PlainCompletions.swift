package import Core

/// Asks the model of an agent once, without a session: nothing is run, and nothing is kept.
package protocol PlainCompletions: Sendable {
    /// - Parameter model: `nil` for the agent's default.
    func complete(_ prompt: String, model: String?) async throws(ChildFailure) -> TurnEnd
}
