/// A session and the state it is in now, for `hook/sessions`.
package struct SessionView: Sendable, Hashable {
    /// The external session life cycle.
    package enum State: String, Sendable, Hashable {
        case active, ended, stale
        case permissionPending = "permission_pending"
        case toolRunning = "tool_running"
    }

    package let session: ExternalSession
    package let state: State
    /// The tool that runs now, the latest started.
    package let currentTool: ToolRun?
    package let pendingRequests: Int

    package init(session: ExternalSession, state: State, currentTool: ToolRun?, pendingRequests: Int) {
        self.session = session
        self.state = state
        self.currentTool = currentTool
        self.pendingRequests = pendingRequests
    }
}
