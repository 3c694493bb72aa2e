import Foundation
import Host
import TestSupport
import Testing

/// What shows that a process is inside an agent whose variables and list say nothing: the agent wrote `env -i` before its
/// command and moved its list away.
@Suite struct AgentKinTests {
    private let home: PrivateHome
    private let table: ProcessTable

    init() throws {
        home = try PrivateHome()
        table = ProcessTable(root: home.file("proc")) { _, _ in nil }
    }

    private func addPerson() throws {
        try home.addProcess(10, parent: 9, name: "cdev", group: 10, session: 8)
        try home.addProcess(9, parent: 8, name: "sh", group: 9, session: 8)
        try home.addProcess(8, parent: 1, name: "zsh", group: 8, session: 8)
        try home.addProcess(1, parent: 0, name: "systemd", group: 1, session: 1)
    }

    private func write(_ pid: Int32, words: [String]) throws {
        try home.write("proc/\(pid)/cmdline", words.map { $0 + "\0" }.joined())
    }

    private func link(_ pid: Int32, to program: String) throws {
        try FileManager.default.createSymbolicLink(atPath: home.file("proc/\(pid)/exe"), withDestinationPath: program)
    }

    @Test(arguments: ["claude", "codex", "copilot", "cursor-agent", "gemini", "grok", "opencode", "qwen"])
    func theNameOfAnAncestorIsThatOfAnAgent(name: String) throws {
        try addPerson()
        #expect(!table.runsInsideAgent(10, agents: [:]))
        try home.addProcess(9, parent: 8, name: name, group: 9, session: 8)
        #expect(table.runsInsideAgent(10, agents: [:]))
    }

    @Test(arguments: [
        ("/usr/local/bin/claude", true), ("/h/.local/share/claude/versions/2.1.330", true),
        ("/h/.local/share/claude/versions/2.1.330 (deleted)", true), ("/usr/bin/claude (deleted)", true),
        ("/usr/lib/node_modules/@openai/codex/bin/codex-x86_64", true), ("/usr/bin/claudette", false),
        ("/h/claude/bin/zsh", false), ("/h/src/python/versions/3.11", false), ("/usr/bin/node", false),
    ])
    func theProgramOfAnAncestorIsAnAgent(program: String, isAgent: Bool) throws {
        try addPerson()
        try link(9, to: program)
        #expect(table.runsInsideAgent(10, agents: [:]) == isAgent)
    }

    @Test(arguments: [
        (["claude", "-p"], true), (["/h/bin/claude"], true), (["node", "/usr/bin/gemini"], true),
        (["node", "--no-warnings", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"], true),
        (["/usr/bin/node", "/h/site/claude.js"], false), (["sh", "claude"], false), (["vim", "/h/claude"], false),
        (["node", "/h/app.js", "claude"], false), ([], false),
    ])
    func theCommandLineOfAnAncestorIsThatOfAnAgent(words: [String], isAgent: Bool) throws {
        try addPerson()
        try write(9, words: words)
        #expect(table.runsInsideAgent(10, agents: [:]) == isAgent)
    }

    /// A script that a runtime runs, whatever the runtime calls itself.
    @Test func theScriptOfARuntimeIsAnAgent() throws {
        try addPerson()
        try link(9, to: "/opt/node/bin/node")
        try write(9, words: ["x", "/usr/lib/node_modules/@google/gemini-cli/dist/index.js"])
        #expect(table.runsInsideAgent(10, agents: [:]))
    }

    /// Else `(env -i cdev … &)` is a person as soon as its shell has ended.
    @Test func whatItsParentHasLeftStaysInTheSessionOfAnAgent() throws {
        try addPerson()
        try home.addProcess(20, parent: 1, name: "cdev", group: 19, session: 18)
        #expect(!table.runsInsideAgent(20, agents: [:]), "the leaders have ended")
        try home.addProcess(18, parent: 17, name: "sh", group: 18, session: 18)
        #expect(!table.runsInsideAgent(20, agents: [:]))
        try home.addProcess(17, parent: 8, name: "claude", group: 17, session: 8)
        #expect(table.runsInsideAgent(20, agents: [:]), "its session's leader is a child of Claude")
        try home.addProcess(20, parent: 1, name: "cdev", group: 18, session: 8)
        #expect(table.runsInsideAgent(20, agents: [:]), "and so is that of its group")
        try home.addProcess(20, parent: 1, name: "cdev", group: 20, session: 20)
        #expect(!table.runsInsideAgent(20, agents: [:]), "nothing is left of a session of its own")
        try home.addProcess(21, parent: 20, name: "cdev", group: 20, session: 20)
        try home.addProcess(20, parent: 1, name: "sh", group: 18, session: 18)
        #expect(table.runsInsideAgent(21, agents: [:]), "that of an ancestor counts as well")
    }
}
