/// A server of tools (Model Context Protocol) as a session's agent tells of it. The agent also tells how the server is
/// started or reached; that may hold secrets, and is not read.
package struct ToolServerStatus: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case connected, disabled, failed
        /// It asks for a sign-in, which a person does at a terminal.
        case needsSignIn = "needs_sign_in"
        case pending, unknown
    }

    package struct Tool: Sendable, Hashable {
        /// As the server calls it.
        package let name: String
        /// `nil` where the server did not tell.
        package let isReadOnly: Bool?

        package init(name: String, isReadOnly: Bool? = nil) {
            self.name = name
            self.isReadOnly = isReadOnly
        }
    }

    package let name: String
    package let state: State
    /// Where it is configured: `user`, `project` …; `nil` where the agent did not tell.
    package let scope: String?
    /// `stdio`, `http` …; `nil` where the agent did not tell.
    package let transport: String?
    /// Why it does not work, in the agent's words.
    package let failure: String?
    /// Empty until it is connected.
    package let tools: [Tool]

    package init(
        name: String, state: State, scope: String? = nil, transport: String? = nil, failure: String? = nil,
        tools: [Tool] = []
    ) {
        self.name = name
        self.state = state
        self.scope = scope
        self.transport = transport
        self.failure = failure
        self.tools = tools
    }
}
