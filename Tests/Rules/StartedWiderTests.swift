import Foundation
import Host
import OrderedJSON
import Rules
import Testing

/// A tree in which something is started by itself, the files that a rule for writing does not cover there, and those that it
/// does: `Cases/started-directories.json` and its like.
struct StartedCase: Decodable, Sendable, CustomTestStringConvertible {
    /// The command of a hook of the agent's.
    let hook: String?
    /// A server of the project, and one in the user's own settings: the command and its arguments.
    let server: [String]?
    let user: [String]?
    /// The text of a hook of git's.
    let git: String?
    let setup: [String]?
    let asked: [String]
    let settled: [String]?

    var testDescription: String { "\(started): \(asked)" }

    private var started: [String] {
        [hook, git].compactMap(\.self) + (server ?? []) + (user ?? []) + (setup ?? [])
    }

    var entries: [String] {
        var entries = setup ?? []
        if let hook {
            let list: JSON = ["hooks": ["PreToolUse": [["hooks": [["type": "command", "command": .string(hook)]]]]]]
            entries.append(".claude/settings.json = " + list.serialized())
        }
        if let server { entries.append(".mcp.json = " + Self.servers(server)) }
        if let user { entries.append("../.claude.json = " + Self.servers(user)) }
        if let git { entries.append(".git/hooks/pre-commit = " + git) }
        return entries
    }

    private static func servers(_ words: [String]) -> String {
        let arguments = words.dropFirst().map { JSON.string($0) }
        let list: JSON = ["mcpServers": ["a": ["command": .string(words[0]), "args": .array(Array(arguments))]]]
        return list.serialized()
    }
}

@Suite("Files that are started without their names")
struct StartedWiderTests {
    @Test("of whole directories", arguments: try DeniedLines.decoded("started-directories") as [StartedCase])
    func directories(item: StartedCase) throws { try check(item) }

    @Test("as modules, and from search paths", arguments: try DeniedLines.decoded("started-modules") as [StartedCase])
    func modules(item: StartedCase) throws { try check(item) }

    @Test("by scripts that scripts start", arguments: try DeniedLines.decoded("started-deep") as [StartedCase])
    func deep(item: StartedCase) throws { try check(item) }

    @Test("by plugins", arguments: try DeniedLines.decoded("started-plugins") as [StartedCase])
    func plugins(item: StartedCase) throws { try check(item) }

    @Test("by tasks of the project", arguments: try DeniedLines.decoded("started-tasks") as [StartedCase])
    func tasks(item: StartedCase) throws { try check(item) }

    @Test(
        "by the settings of managers of hooks, tasks and builds",
        arguments: try DeniedLines.decoded("started-settings") as [StartedCase])
    func settings(item: StartedCase) throws { try check(item) }

    @Test(
        "by what managers include, and by names that are made of variables",
        arguments: try DeniedLines.decoded("started-managers") as [StartedCase])
    func managers(item: StartedCase) throws { try check(item) }

    @Test(
        "by files that a person trusted once, and by a host",
        arguments: try DeniedLines.decoded("started-trusted") as [StartedCase])
    func trusted(item: StartedCase) throws { try check(item) }

    @Test(
        "what linters and runners of tasks are given is no file that is started",
        arguments: try DeniedLines.decoded("started-everyday") as [StartedCase])
    func everyday(item: StartedCase) throws { try check(item) }

    private func check(_ item: StartedCase) throws {
        let repository = try ScratchRepository(setup: item.entries)
        defer { repository.remove() }
        for path in item.asked + (item.settled ?? []) {
            let input = FileCaseTests.input(tool: "Write", path: repository.root + "/" + path)
            let offered = RuleEngine.patterns(
                tool: "Write", input: input, context: repository.context(), paths: DiskPaths())
            #expect(offered.isEmpty == item.asked.contains(path), "\(path)")
        }
    }
}
