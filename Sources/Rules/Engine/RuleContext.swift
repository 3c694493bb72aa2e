/// The facts about a request's session that rules use.
package struct RuleContext: Sendable {
    /// The length in bytes from which on a path gets no rule.
    package static let longestPath = DiskLookups.longestPath

    /// The session's project directory, absolute; it never changes during a session.
    package let root: String
    /// True if the root is `/`, a home directory or above one, so that every rule is exact. Nil: `SessionRoot`
    /// determines it.
    package let rootIsBroad: Bool?
    /// The directory where the command starts, absolute.
    package let cwd: String
    /// The user's home directory.
    package let home: String
    /// The directory with the user's own settings of the agent, where that is not `~/.claude`.
    package let agentDirectory: String?
    /// What git reads besides the usual: see `GitVariables`.
    package let ownGitFiles: [String]
    /// True if the relay reported a `SHELL` of bash on macOS. That is version 3.2, which reads here documents
    /// differently.
    package let shellIsMacBash: Bool
    package let commands: CommandTable

    /// - Parameters:
    ///   - agentDirectory: What `CLAUDE_CONFIG_DIR` names; `nil` where it is not set.
    ///   - ownGitFiles: What `GitVariables` finds.
    package init(
        root: String, rootIsBroad: Bool? = nil, cwd: String, home: String, agentDirectory: String? = nil,
        ownGitFiles: [String] = [], shellIsMacBash: Bool = false, commands: CommandTable = .shipped
    ) {
        self.root = root
        self.rootIsBroad = rootIsBroad
        self.cwd = cwd
        self.home = home
        self.agentDirectory = agentDirectory
        self.ownGitFiles = ownGitFiles
        self.shellIsMacBash = shellIsMacBash
        self.commands = commands
    }

    var agentDirectories: [String] { [home + "/.claude"] + (agentDirectory.map { [$0] } ?? []) }

    /// True if `root` is `/`, a home directory, or a directory above one.
    package static func isBroad(root: String, home: String) -> Bool {
        if PathText.contains(root, home) { return true }
        let parts = Array(root.utf8).split(separator: UInt8(ascii: "/"))
        switch parts.count {
        case 0: return true
        case 1: return homes.contains(parts[0]) || aboveHomes.contains(parts[0])
        case 2: return aboveHomes.contains(parts[0]) || parts == varRoot
        default: return false
        }
    }

    private static let homes = ["root", "var"].map { Array($0.utf8)[...] }
    private static let aboveHomes = ["home", "Users"].map { Array($0.utf8)[...] }
    private static let varRoot = ["var", "root"].map { Array($0.utf8)[...] }
}
