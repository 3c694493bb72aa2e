/// Where a request is made, as far as rules care.
package struct RuleContext: Sendable {
    /// Bytes; of a longer path no rule is made.
    package static let longestPath = DiskQuestions.longestPath

    /// The session's project directory, absolute; it never changes during a session.
    package let root: String
    /// The root is `/`, a home directory or above one: every rule is exact. Nil: to be found out by whom it concerns.
    package let rootIsBroad: Bool?
    /// Where the command starts, absolute.
    package let cwd: String
    /// The user's home directory.
    package let home: String
    /// The relay reported a `SHELL` of bash on macOS, whose version 3.2 reads here documents differently.
    package let shellIsMacBash: Bool
    package let commands: CommandTable

    package init(
        root: String, rootIsBroad: Bool? = nil, cwd: String, home: String, shellIsMacBash: Bool = false,
        commands: CommandTable = .shipped
    ) {
        self.root = root
        self.rootIsBroad = rootIsBroad
        self.cwd = cwd
        self.home = home
        self.shellIsMacBash = shellIsMacBash
        self.commands = commands
    }

    /// `/`, a home directory, or a directory above one.
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
