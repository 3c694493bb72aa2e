/// A session and its present state, for `hook/sessions`.
package struct SessionView: Sendable, Hashable {
    /// The life cycle of a session.
    package enum State: String, Sendable, Hashable {
        case active, ended, stale
        case permissionPending = "permission_pending"
        case toolRunning = "tool_running"
    }

    package let session: ExternalSession
    package let state: State
    /// The running tool that was started last.
    package let currentTool: ToolRun?
    package let pendingRequests: Int
    /// The gate in force: the session's own, or the configuration's.
    package var gate = Policy.Gate.auto
    /// One sentence on what the session's permission mode means for requests; `nil` if they are asked as usual.
    package var modeNote: String?

    package init(session: ExternalSession, state: State, currentTool: ToolRun?, pendingRequests: Int) {
        self.session = session
        self.state = state
        self.currentTool = currentTool
        self.pendingRequests = pendingRequests
    }
}
