import Core
import OrderedJSON
import Rules
import Synchronization
import TestSupport
import Testing

@Suite("What a call asks of the disk")
struct DiskLookupTests {
    /// Records the paths it is asked about.
    private final class NotedPaths: PathPort {
        let asked = Mutex<[String]>([])
        private let entry: PathEntry
        private let names: [String]

        init(_ entry: PathEntry = .plain, names: [String] = []) {
            self.entry = entry
            self.names = names
        }

        private func note(_ path: String) { asked.withLock { $0.append(path) } }

        func entry(at path: String) -> PathEntry {
            note(path)
            return path.hasPrefix("/p/") ? entry : .plain
        }

        func kind(of absolutePath: String) -> PathKind {
            note(absolutePath)
            return .directory
        }

        func names(in directory: String) -> [String]? {
            note(directory)
            return names
        }

        func text(of absolutePath: String, limit: Int) -> String? {
            note(absolutePath)
            return nil
        }

        var count: Int { asked.withLock { $0.count } }

        func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? {
            note(directory)
            return names.count <= most ? names.map { DirectoryEntry(name: $0, kind: .other) } : nil
        }
    }

    private func asked(_ tool: String, _ input: JSON, among patterns: [String]) -> [String] {
        let paths = NotedPaths()
        _ = EngineEvaluator(paths: paths, commands: .shipped, home: "/home/u")
            .allowing(
                ToolCall(name: tool, input: input, useID: nil), at: RulePlace(root: "/p", cwd: "/p"),
                among: rules(patterns))
        return paths.asked.withLock { $0 }
    }

    private func rules(_ patterns: [String]) -> GrantedRules {
        GrantedRules(
            patterns.enumerated().map { number, pattern in
                SessionRule(
                    id: "rule\(number)", sessionID: "s", effect: .allow, pattern: pattern,
                    createdAt: Timestamp(milliseconds: 0), grantedBy: "local", requestID: "r")
            })
    }

    @Test("where no rule could match, nothing")
    func nothing() {
        #expect(asked("Bash", ["command": "npm test"], among: []).isEmpty)
        #expect(asked("Bash", ["command": "npm test $(x)"], among: ["Bash(npm test:*)"]).isEmpty)
        #expect(asked("WebSearch", ["query": "x"], among: ["WebSearch"]).isEmpty)
    }

    @Test("for a key, the root and the home once each")
    func key() {
        let asked = asked("Bash", ["command": "npm test && npm test"], among: ["Bash(npm test:*)"])
        #expect(asked.sorted() == ["/home", "/home/u", "/p"])
    }

    @Test("for a file, what is made of it, the root, the home, the repository and the agent's settings once each")
    func file() {
        let asked = asked("Edit", ["file_path": "/p/a", "old_string": "a", "new_string": "b"], among: ["Edit(/p/**)"])
        let settings = ["/home/u", "/p"].flatMap {
            [$0 + "/.claude/settings.json", $0 + "/.claude/settings.local.json"]
        }
        // Each is asked for what it is, and then for what is in it.
        let directories =
            ["/home/u", "/p"].flatMap { above in
                ["agents", "commands", "output-styles", "rules", "skills"].map { above + "/.claude/" + $0 }
            } + ["", "/hooks", "/modules", "/worktrees"].map { "/p/.git" + $0 } + ["/p/.githooks", "/p/.husky"]
        let memories = ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/CLAUDE.md", ".claude/AGENTS.md"]
        let imports =
            ["/", "/p/"].flatMap { above in memories.map { above + $0 } }
            + memories.prefix(3).map { "/home/u/.claude/" + $0 }
        let git =
            ["/etc/gitconfig", "/home/u/.config/git/config", "/home/u/.gitconfig"]
            + ["config", "config.worktree", "hooks", "modules/HEAD", "modules/config"].map { "/p/.git/" + $0 }
        let managed = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"].flatMap { above in
            ["", "/managed-mcp.json", "/managed-settings.json"].map { above + $0 }
        }
        let servers = ["/home/u/.claude.json", "/home/u/.claude/.claude.json"]
        let others = ["/home", "/home/u", "/p", "/p/.mcp.json", "/p/a", "/p/a.out"]
        let agent = settings + managed + servers + imports
        #expect(asked.sorted() == (agent + directories + directories + git + others).sorted())
    }

    /// The most lookups of one hook, with every function of the engine.
    private static let most = 2000

    /// Lines and paths that would cause far too many lookups or listings.
    private static let bottomless: [(tool: String, input: JSON)] = [
        ("Bash", ["command": .string("ls " + (0..<1900).map { "d\($0)/x" }.joined(separator: " "))]),
        ("Bash", ["command": .string((0..<1500).map { "ls d\($0)" }.joined(separator: "; "))]),
        ("Bash", ["command": .string("ls " + (0..<180).map { "*.s\($0)" }.joined(separator: " "))]),
        ("Bash", ["command": .string((0..<1500).map { "ls *.s\($0)" }.joined(separator: "; "))]),
        ("Bash", ["command": .string("cat '" + String(repeating: "{a,b}", count: 6) + "/x'")]),
        ("Bash", ["command": .string("npm test -- " + (0..<180).map { "a\($0)=b,c:d@e,f=g" }.joined(separator: " "))]),
        (
            "Bash",
            [
                "command": .string(
                    "npm test -- "
                        + (0..<60).map { "-" + String(repeating: "a", count: 200) + "\($0)" }.joined(separator: " "))
            ]
        ),
        ("Bash", ["command": .string("cat " + String(repeating: "a/", count: 8000))]),
        ("Bash", ["command": .string("cat " + String(repeating: "../", count: 5000))]),
        ("Bash", ["command": .string("cd " + String(repeating: "a/", count: 8000) + " && ls")]),
        ("Bash", ["command": .string((0..<900).map { "git -C d\($0) log" }.joined(separator: ";"))]),
        ("Bash", ["command": .string(String(repeating: "a ", count: 50_000))]),
        ("Read", ["file_path": .string("/p/" + String(repeating: "a/", count: 100_000))]),
        (
            "Edit",
            ["file_path": .string(String(repeating: "a/", count: 100_000)), "old_string": "a", "new_string": "b"]
        ),
        ("Glob", ["pattern": .string(String(repeating: "a/", count: 100_000) + "*.ts")]),
        ("Glob", ["pattern": "*.ts", "path": .string(String(repeating: "a/", count: 100_000))]),
        ("Grep", ["pattern": "x", "glob": .string(String(repeating: "a/", count: 100_000) + "*.ts")]),
        ("NotebookEdit", ["notebook_path": .string(String(repeating: "a/", count: 100_000)), "new_source": "x"]),
    ]

    @Test("no call asks more than it may, however it is looked at", arguments: bottomless.indices, [0, 2])
    func budget(index: Int, kind: Int) {
        let (tool, input) = Self.bottomless[index]
        let entries: [PathEntry] = [.plain, .missing, .link(to: "d/e/f")]
        let names = (0..<5000).map { "n\($0).s\($0 % 7)" }
        let call = ToolCall(name: tool, input: input, useID: nil)
        let place = RulePlace(root: "/p", cwd: "/p")
        let granted = rules([
            "Bash(ls:*)", "Bash(cat:*)", "Bash(npm test:*)", "Bash(git log:*)", "Read(/p/**)", "Edit(/p/**)",
        ])
        let questions: [(EngineEvaluator) -> Void] = [
            { _ = $0.allowing(call, at: place, among: granted) }, { _ = $0.denying(call, at: place, among: granted) },
            { _ = $0.onlyReads(call, at: place) }, { _ = $0.editsUnderRoot(call, at: place) },
            { _ = $0.previewPath(for: call, at: place) },
        ]
        for question in questions {
            let paths = NotedPaths(entries[kind], names: names)
            question(EngineEvaluator(paths: paths, commands: .shipped, home: "/home/u"))
            #expect(paths.count <= Self.most)
        }
        let paths = NotedPaths(entries[kind], names: names)
        _ = EngineEvaluator(paths: paths, commands: .shipped, home: "/home/u").offers(for: call, at: place)
        #expect(paths.count <= 4 * Self.most)
    }

    @Test("past the end nothing is settled, and the explanation says why")
    func spent() {
        let line = (0..<1500).map { "ls d\($0)/x" }.joined(separator: ";")
        let context = RuleContext(root: "/p", rootIsBroad: false, cwd: "/p", home: "/home/u")
        let paths = NotedPaths()
        let allow = RuleEngine.patterns(tool: "Bash", input: ["command": "ls a"], context: context, paths: paths)
        #expect(allow.map(\.text) == ["Bash(ls:*)"])
        func settled(_ line: String) -> Bool {
            RuleEngine.settles(
                tool: "Bash", input: ["command": .string(line)], allow: allow, context: context, paths: paths) != nil
        }
        #expect(settled((0..<800).map { "ls d\($0)" }.joined(separator: ";")))
        #expect(!settled(line))
        #expect(settled("ls " + (0..<199).map { "d\($0)" }.joined(separator: " ")))
        #expect(!settled("ls " + (0..<200).map { "d\($0)" }.joined(separator: " ")))
        #expect(!settled("ls " + String(repeating: "a/", count: 2100)))
        func explained(_ line: String) -> String {
            RuleEngine.explain(line: line, context: context, paths: NotedPaths()).description
        }
        #expect(explained(line).contains("more is asked of the disk than one call may"))
        #expect(explained("ls " + String(repeating: "a ", count: 200)).contains("more than 200 words"))
    }

    @Test("a root or a directory over the longest path knows no rule")
    func places() {
        let long = "/" + String(repeating: "a/", count: 100_000)
        let paths = NotedPaths()
        let evaluator = EngineEvaluator(paths: paths, commands: .shipped, home: "/home/u")
        let call = ToolCall(name: "Bash", input: ["command": "ls a"], useID: nil)
        for place in [RulePlace(root: long, cwd: "/p"), RulePlace(root: "/p", cwd: long)] {
            #expect(evaluator.offers(for: call, at: place) == RuleOffers(isTooLarge: true))
            #expect(evaluator.allowing(call, at: place, among: rules(["Bash(ls:*)"])).isEmpty)
        }
        #expect(paths.count == 0)
    }

    /// A link out of the root, whose name equals another file's for Swift's `==`.
    private struct Lookalikes: PathPort {
        func entry(at path: String) -> PathEntry {
            path.utf8.elementsEqual("/p/e\u{301}".utf8) ? .link(to: "/etc/passwd") : .plain
        }

        func kind(of absolutePath: String) -> PathKind { absolutePath == "/p" ? .directory : .file }
        func names(in directory: String) -> [String]? { [] }
        func text(of absolutePath: String, limit: Int) -> String? { nil }
        func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? { [] }
    }

    @Test(
        "names that only look alike are two files, however many are known",
        arguments: [
            ("\u{E9}", true), ("e\u{301}", false), ("\u{E9} e\u{301}", false), ("e\u{301} \u{E9}", false),
            ("1 2 3 4 5 6 7 8 9 \u{E9}", true), ("1 2 3 4 5 6 7 8 9 \u{E9} e\u{301}", false),
        ])
    func lookalikes(words: String, isSettled: Bool) {
        let context = RuleContext(root: "/p", cwd: "/p", home: "/home/u")
        let paths = Lookalikes()
        let allow = RuleEngine.patterns(tool: "Bash", input: ["command": "cat a"], context: context, paths: paths)
        #expect(allow.map(\.text) == ["Bash(cat:*)"])
        let settled = RuleEngine.settles(
            tool: "Bash", input: ["command": .string("cat \(words)")], allow: allow, context: context, paths: paths)
        #expect((settled != nil) == isSettled)
    }
}
