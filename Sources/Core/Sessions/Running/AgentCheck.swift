/// The agent's program as a session would be started with it now.
package struct AgentCheck: Sendable, Hashable {
    /// The path; `nil` where none is found.
    package var program: String?
    package var version: String?
    package var lowestVersion: String
    /// The shell whose environment it gets; `nil` for the daemon's.
    package var shell: String?
    /// Why it gets the daemon's environment, where the shell's was asked for.
    package var notice: String?
    /// Why no session can be started.
    package var problem: String?

    package init(lowestVersion: String) {
        self.lowestVersion = lowestVersion
    }
}
