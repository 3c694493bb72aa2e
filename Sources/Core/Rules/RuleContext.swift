/// Where a request is made, as far as rules care.
package struct RuleContext: Sendable {
    /// The session's project directory, absolute; it never changes during a session.
    package let root: String
    /// The root is `/`, a home directory or above one: every rule is exact.
    package let rootIsBroad: Bool
    /// Where the command starts, absolute.
    package let cwd: String
    /// The user's home directory.
    package let home: String
    /// The relay reported a `SHELL` of bash on macOS, whose version 3.2 reads here documents differently.
    package let shellIsMacBash: Bool
    package let commands: CommandTable

    package init(
        root: String, rootIsBroad: Bool, cwd: String, home: String, shellIsMacBash: Bool = false,
        commands: CommandTable = .shipped
    ) {
        self.root = root
        self.rootIsBroad = rootIsBroad
        self.cwd = cwd
        self.home = home
        self.shellIsMacBash = shellIsMacBash
        self.commands = commands
    }

    /// As below, also where links lead there: Claude tells where it runs with links resolved, `HOME` may be one.
    package static func isBroad(root: String, home: String, paths: any PathPort) -> Bool {
        isBroad(root: root, home: home)
            || isBroad(root: paths.resolve(root, from: "/").path, home: paths.resolve(home, from: "/").path)
    }

    /// `/`, a home directory, or a directory above one.
    package static func isBroad(root: String, home: String) -> Bool {
        let parts = PathText.components(root)
        let homes = ["home", "Users", "root", "var/root"]
        if parts.isEmpty || PathText.contains(root, home) { return true }
        let path = parts.map { String(Substring($0)) }.joined(separator: "/")
        if homes.contains(path) || path == "var" { return true }
        return parts.count == 2 && (path.hasPrefix("home/") || path.hasPrefix("Users/"))
    }
}
