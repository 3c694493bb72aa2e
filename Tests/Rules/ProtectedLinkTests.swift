import Host
import OrderedJSON
import Rules
import Testing

/// Files that are reached by a link with a name that no rule covers, and scripts that Claude Code starts by itself.
@Suite struct ProtectedLinkTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let setup: [String]
        let approved: String
        let next: String
        let isSettled: Bool
        var tool = "Write"
        /// The session's, relative to the repository's.
        var root = ""

        var testDescription: String { "\(setup) \(tool) \(approved) → \(next)" }
    }

    private static let agent =
        #"{"hooks":{"PreToolUse":[{"hooks":[{"command":"bash tools/prüfen.sh"},"#
        + #"{"command":"bash tools/check\\,all.sh"},{"command":"python3 'tools/a%b.py'"},{"command":"sh tools/now.sh"},"#
        + #"{"command":"node tools/do@it"}]}]}}"#

    static let links: [Case] = [
        Case(
            setup: ["package.json -> conf/pkg.json", "conf/pkg.json"], approved: "conf/a.json", next: "conf/pkg.json",
            isSettled: false),
        Case(
            setup: ["package.json -> conf/pkg.json", "conf/pkg.json"], approved: "conf/a.json", next: "conf/b.json",
            isSettled: true),
        Case(
            setup: ["package.json -> conf/pkg.json", "conf/pkg.json"], approved: "conf/a.json", next: "conf/pkg.json",
            isSettled: true, tool: "Read"),
        Case(
            setup: ["web/app/package.json -> ../../conf/pkg.json", "conf/pkg.json"], approved: "conf/a.json",
            next: "conf/pkg.json", isSettled: false),
        Case(
            setup: ["Makefile -> build/posix.txt", "build/posix.txt"], approved: "build/a.txt", next: "build/posix.txt",
            isSettled: false),
        // The target is made by the call.
        Case(
            setup: ["GNUmakefile -> build/later.txt", "build/x"], approved: "build/a.txt", next: "build/later.txt",
            isSettled: false),
        Case(
            setup: ["CLAUDE.md -> docs/notes.md", "docs/notes.md"], approved: "docs/a.md", next: "docs/notes.md",
            isSettled: false),
        Case(
            setup: ["LICENSE -> docs/notes.md", "docs/notes.md"], approved: "docs/a.md", next: "docs/notes.md",
            isSettled: true),
        Case(
            setup: [".claude -> ai/claude", "ai/claude/settings.json"], approved: "ai/claude/a.json",
            next: "ai/claude/settings.json", isSettled: false),
        Case(
            setup: [".claude -> ai", "ai/claude/x.json"], approved: "ai/claude/a.json", next: "ai/claude/x.json",
            isSettled: false),
        Case(
            setup: [".claude/settings.json -> ../ai/agent.json", "ai/agent.json"], approved: "ai/a.json",
            next: "ai/agent.json", isSettled: false),
        Case(
            setup: [".claude/skills -> ../ai/skills", "ai/skills/x/SKILL.md"], approved: "ai/skills/a.md",
            next: "ai/skills/x/SKILL.md", isSettled: false),
        Case(
            setup: [".github/workflows -> ../ci/wf", "ci/wf/x.yml"], approved: "ci/wf/a.yml", next: "ci/wf/x.yml",
            isSettled: false),
        Case(
            setup: [".git/hooks/pre-commit -> ../../scripts/check.sh", "scripts/check.sh"], approved: "scripts/a.sh",
            next: "scripts/check.sh", isSettled: false),
        // A link to a link.
        Case(
            setup: ["Makefile -> build/now", "build/now -> posix.txt", "build/posix.txt"], approved: "build/a.txt",
            next: "build/posix.txt", isSettled: false),
        Case(
            setup: [".env -> config/dev.txt", "config/dev.txt"], approved: "config/a.txt", next: "config/dev.txt",
            isSettled: false, tool: "Read"),
        Case(
            setup: [".env -> config/dev.txt", "config/dev.txt"], approved: "config", next: "config", isSettled: false,
            tool: "Grep"),
        Case(
            setup: [".env -> config/dev.txt", "config/dev.txt"], approved: "config", next: "config", isSettled: true,
            tool: "Glob"),
        // Dot files that are kept in the project.
        Case(
            setup: ["../.claude -> repo/conf/claude", "conf/claude/x.json"], approved: "conf/claude/a.json",
            next: "conf/claude/x.json", isSettled: false),
        Case(
            setup: ["../.profile -> repo/conf/profile.sh", "conf/profile.sh"], approved: "conf/a.sh",
            next: "conf/profile.sh", isSettled: false),
    ]

    static let scripts: [Case] = [
        Case(
            setup: [".claude/settings.json = " + agent], approved: "tools/x.py", next: "tools/prüfen.sh",
            isSettled: false),
        Case(
            setup: [".claude/settings.json = " + agent], approved: "tools/x.py", next: "tools/check,all.sh",
            isSettled: false),
        Case(
            setup: [".claude/settings.json = " + agent], approved: "tools/x.py", next: "tools/a%b.py", isSettled: false),
        Case(
            setup: [".claude/settings.json = " + agent], approved: "tools/x.py", next: "tools/do@it.js",
            isSettled: false),
        Case(setup: [".claude/settings.json = " + agent], approved: "tools/x.py", next: "tools/y.py", isSettled: true),
        Case(
            setup: [".claude/settings.json = " + agent, "tools/now.sh -> v2.sh", "tools/v2.sh"], approved: "tools/x.py",
            next: "tools/v2.sh", isSettled: false),
        Case(
            setup: ["../.claude/settings.json = " + agent], approved: "tools/x.py", next: "tools/now.sh",
            isSettled: false),
        // Whatever a parser takes for the front of it.
        Case(
            setup: [".claude/agents/x.md = ---\r\nhooks:\r\n  - command: bash tools/own.sh\r\n---\r\n"],
            approved: "tools/x.py", next: "tools/own.sh", isSettled: false),
        Case(
            setup: [".claude/agents/x.md = \u{FEFF}\n --- \nhooks: bash tools/own.sh\n---\nsee tools/said.sh"],
            approved: "tools/x.py", next: "tools/own.sh", isSettled: false),
        Case(
            setup: [".claude/agents/x.md = \u{FEFF}\n --- \nhooks: bash tools/own.sh\n---\nsee tools/said.sh"],
            approved: "tools/x.py", next: "tools/said.sh", isSettled: true),
        Case(
            setup: [".claude/skills/a/SKILL.md = ---\nname: a\n---\nText\n```!\nbash tools/own.sh\n```\n"],
            approved: "tools/x.py", next: "tools/own.sh", isSettled: false),
        Case(
            setup: [".claude/skills/a/SKILL.md = Look!\n```\nbash tools/own.sh\n```\n"],
            approved: "tools/x.py", next: "tools/own.sh", isSettled: true),
        Case(
            setup: [".claude/commands/a/b/c/x.MD = !`bash tools/own.sh`"], approved: "tools/x.py",
            next: "tools/own.sh", isSettled: false),
        // Found once a file there is read.
        Case(
            setup: ["packages/web/.claude/skills/a/SKILL.md = !`bash tools/own.sh`"], approved: "tools/x.py",
            next: "tools/own.sh", isSettled: false),
        Case(
            setup: ["packages/web/.claude/skills/a/SKILL.md = !`bash tools/own.sh`"], approved: "tools/x.py",
            next: "tools/y.py", isSettled: true),
        // Of directories above the root, up to the repository's.
        Case(
            setup: [".claude/agents/x.md = ---\nhooks: bash tools/own.sh\n---\n", "app/tools/x.py"],
            approved: "app/tools/x.py", next: "app/tools/own.sh", isSettled: false, root: "app"),
        Case(
            setup: [".mcp.json = {\"mcpServers\":{\"a\":{\"command\":\"tools/own.sh\"}}}", "app/tools/x.py"],
            approved: "app/tools/x.py", next: "app/tools/own.sh", isSettled: false, root: "app"),
        Case(
            setup: ["../.mcp.json = {\"mcpServers\":{\"a\":{\"command\":\"tools/own.sh\"}}}", "app/tools/x.py"],
            approved: "app/tools/x.py", next: "app/tools/own.sh", isSettled: true, root: "app"),
        Case(
            setup: [#".claude/agents/x.md = ---\#nhooks:\#n  - command: "bash tools\x2fown\x2esh"\#n---\#n"#],
            approved: "tools/x.py", next: "tools/own.sh", isSettled: false),
        // A command of two lines.
        Case(
            setup: [".claude/commands/x.md = Look:\n!`git status &&\nnode tools/own.js`\nsee tools/said.js"],
            approved: "tools/x.js", next: "tools/own.js", isSettled: false),
        Case(
            setup: [".claude/commands/x.md = Look:\n!`git status &&\nnode tools/own.js`\nsee tools/said.js"],
            approved: "tools/x.js", next: "tools/said.js", isSettled: true),
        Case(
            setup: [#".mcp.json = {"mcpServers":{"a":{"args":["-r","x/y","own"],"command":"node"}}}"#],
            approved: "x.js", next: "own.js", isSettled: false),
        // More than is read.
        Case(
            setup: (1...5).map { ".claude/commands/\($0).md = " + String(repeating: "word ", count: 50_000) },
            approved: "tools/x.py", next: "tools/own.sh", isSettled: false),
        // `CLAUDE_CONFIG_DIR`.
        Case(
            setup: ["own-agent/settings.json = " + agent], approved: "tools/x.py", next: "tools/now.sh",
            isSettled: false),
        Case(
            setup: ["own-agent/settings.json = {}"], approved: "own-agents/a.json", next: "own-agents/settings.json",
            isSettled: true),
        Case(
            setup: ["own-agent/settings.json = {}"], approved: "own-agent/a.json", next: "own-agent/settings.json",
            isSettled: false),
        Case(
            setup: ["own-agent -> conf", "conf/settings.json"], approved: "conf/a.json", next: "conf/settings.json",
            isSettled: false),
        Case(
            setup: ["own-agent/settings.json -> ../conf/a.json", "conf/a.json"], approved: "conf/b.json",
            next: "conf/a.json", isSettled: false),
        Case(
            setup: [".claude/agents/x.md = ---\nhooks:\n  - command: bash tools/own.sh\n---\nread tools/said.sh"],
            approved: "tools/x.py", next: "tools/own.sh", isSettled: false),
        Case(
            setup: [".claude/agents/x.md = ---\nhooks:\n  - command: bash tools/own.sh\n---\nread tools/said.sh"],
            approved: "tools/x.py", next: "tools/said.sh", isSettled: true),
        Case(
            setup: [".claude/commands/a/x.md = Look:\n!`bash tools/own.sh`\n"], approved: "tools/x.py",
            next: "tools/own.sh", isSettled: false),
        Case(
            setup: [".claude/skills/a/SKILL.md = ---\nhooks: bash tools/own.sh"], approved: "tools/x.py",
            next: "tools/own.sh", isSettled: false),
    ]

    /// Hooks that start a script without its suffix, behind a variable, from another directory, escaped.
    static let starts: [Case] = [
        (#"node \"$CLAUDE_PROJECT_DIR/tools/own\""#, "tools/own.js"), ("node /any/tools/own", "tools/own.js"),
        ("cd tools && node own", "tools/own.js"), ("node tools/sub/../own", "tools/own.js"), ("node own", "own.js"),
        ("node $CLAUDE_PROJECT_DIR/own", "own.js"), ("node tools/own.v2", "tools/own.v2.js"),
        ("node tools/own", "tools/own/index.js"), ("python3 -u own", "tools/own.py"),
        (#"node tools/\u006fwn"#, "tools/own.js"),
    ].map { command, script in
        let hooks = #"{"hooks":{"Stop":[{"hooks":[{"command":"\#(command)"}]}]}}"#
        return Case(
            setup: [".claude/settings.json = \u{FEFF}" + hooks],
            approved: script.hasPrefix("tools") ? "tools/x.py" : "x.py",
            next: script, isSettled: false)
    }

    /// Nor does one for a command.
    @Test func theAgentsOwnDirectoryIsNoOperand() throws {
        let repository = try ScratchRepository(setup: ["own-agent/settings.json = {}", "conf/settings.json"])
        defer { repository.remove() }
        #expect(repository.settles("cat conf/settings.json", approved: "cat conf/a") != nil)
        #expect(repository.settles("cat own-agent/settings.json", approved: "cat conf/a") == nil)
    }

    @Test(arguments: links + scripts + starts)
    func isAskedAbout(_ item: Case) throws {
        let repository = try ScratchRepository(setup: item.setup)
        defer { repository.remove() }
        let context = repository.context(root: item.root)
        func input(_ path: String) -> JSON { FileCaseTests.input(tool: item.tool, path: repository.root + "/" + path) }
        let allow = RuleEngine.patterns(
            tool: item.tool, input: input(item.approved), context: context, paths: DiskPaths())
        let settled = RuleEngine.settles(
            tool: item.tool, input: input(item.next), allow: Set(allow), context: context,
            paths: DiskPaths())
        #expect((settled != nil) == item.isSettled)
        let offered = RuleEngine.patterns(
            tool: item.tool, input: input(item.next), context: context, paths: DiskPaths())
        #expect(offered.isEmpty != item.isSettled)
    }
}
