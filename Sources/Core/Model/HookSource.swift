/// The origin of a hook call: its environment according to the relay, and the authenticator's result.
package struct HookSource: Sendable, Hashable {
    /// `Cdev-Request`: the same on every retry of one call. Absent for Claude's own HTTP hooks.
    package let relayToken: String?
    /// SHA-256 of the body: a retry must have the same body, not only the same token.
    package let bodyDigest: [UInt8]
    /// True if a person sits at the terminal: `CLAUDE_CODE_SESSION_ATTENDED` is 1, or is absent and the entrypoint is
    /// `cli`.
    package let isAttended: Bool
    package let claudePID: Int32?
    /// `CLAUDE_PROJECT_DIR`.
    package let projectDirectory: String?
    /// The shell that runs the user's commands, as `SHELL` names it.
    package let shell: String?
    /// True if the sender proved to be the user's: by our uid on the Unix socket, or by a token.
    package let isVerified: Bool
    /// True if the kernel says that the sender is a descendant of the process `claudePID`. Determined only for the events
    /// that depend on it.
    package var isBelowAgent = false
    /// True if the sender is a process of this machine, by the Unix socket: the directories that it names are here. Only
    /// then is `claudePID` set.
    package var isOfThisMachine = false
    /// True for a question of an agent that the daemon started. No terminal stands behind it: it waits for a person, and
    /// before a call the agent asks by itself what no rule settles.
    package var isOfRunSession = false

    package init(
        relayToken: String? = nil, bodyDigest: [UInt8] = [], isAttended: Bool = true, claudePID: Int32? = nil,
        projectDirectory: String? = nil, shell: String? = nil, isVerified: Bool = true
    ) {
        self.relayToken = relayToken
        self.bodyDigest = bodyDigest
        self.isAttended = isAttended
        self.claudePID = claudePID
        self.projectDirectory = projectDirectory
        self.shell = shell
        self.isVerified = isVerified
    }

    /// The same source, with nothing proven of the sender.
    func asUnverified() -> HookSource {
        HookSource(
            relayToken: relayToken, bodyDigest: bodyDigest, isAttended: isAttended, projectDirectory: projectDirectory,
            shell: shell, isVerified: false)
    }
}
