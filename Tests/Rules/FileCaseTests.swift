import Host
import OrderedJSON
import Rules
import TestSupport
import Testing

@Suite("File tools")
struct FileCaseTests {
    /// The input of a call with this path.
    static func input(tool: String, path: String) -> JSON {
        switch tool {
        case "NotebookEdit": ["notebook_path": .string(path), "new_source": "x"]
        case "Glob": ["path": .string(path), "pattern": "**/*.ts"]
        case "Grep": ["path": .string(path), "pattern": "x", "output_mode": "content", "-n": true]
        case "Write": ["file_path": .string(path), "content": "x"]
        case "Edit": ["file_path": .string(path), "old_string": "x", "new_string": "y", "replace_all": false]
        default: ["file_path": .string(path)]
        }
    }

    @Test("each case holds or passes as it says", arguments: ["session-allow-files", "files"])
    func cases(file: String) throws {
        let repository = try #require(ScratchRepository.shared)
        for item in try JSON(parsing: RuleCase.text(of: file)).arrayValue ?? [] {
            func place(_ path: String?) -> String {
                let path = path ?? ""
                return path == "/repo" || path.hasPrefix("/repo/") ? repository.root + path.dropFirst(5) : path
            }
            let context = repository.context(cwd: place(item["cwd"]?.stringValue))
            func call(_ member: String) -> (tool: String, input: JSON) {
                let tool = item[member]?["tool"]?.stringValue ?? ""
                return (tool, Self.input(tool: tool, path: place(item[member]?["path"]?.stringValue)))
            }
            let (approved, next) = (call("approved"), call("next"))
            let allow = RuleEngine.patterns(
                tool: approved.tool, input: approved.input, context: context, paths: DiskPaths())
            let settled = RuleEngine.settles(
                tool: next.tool, input: next.input, allow: allow, context: context, paths: DiskPaths())
            #expect((settled == nil ? "hold" : "pass") == item["expect"]?.stringValue, "\(item.serialized())")
            for pattern in allow {
                #expect(Pattern(stored: pattern.stored) == pattern)
                let own = RuleEngine.settles(
                    tool: approved.tool, input: approved.input, allow: [pattern], context: context, paths: DiskPaths())
                #expect(own == [pattern], "matches its own rule: \(item.serialized())")
            }
        }
    }

    /// Joined anew for each component, a path of 1,900 takes half a second.
    @Test("a path that is deeper than any project's is covered by no rule, and soon so")
    func deepPaths() throws {
        let repository = try #require(ScratchRepository.shared)
        func offers(_ parts: Int, of part: String) -> Int {
            let path = repository.root + "/src/" + String(repeating: part + "/", count: parts) + "x.ts"
            return RuleEngine.patterns(
                tool: "Write", input: Self.input(tool: "Write", path: path), context: repository.context(),
                paths: DiskPaths()
            ).count
        }
        #expect(offers(60, of: "a") > 0 && offers(200, of: "a") == 0)
        for part in ["a", "@a", "[ab]", "objects"] {
            let few = ProcessorTime.of { for _ in 0..<20 { _ = offers(100, of: part) } }
            #expect(ProcessorTime.of { for _ in 0..<20 { _ = offers(900, of: part) } } < 60 * few, "\(part)")
        }
    }

    @Test("no rule above the root, an exact one where the root is broad")
    func patterns() throws {
        let repository = try #require(ScratchRepository.shared)
        let narrow = repository.context()
        let broad = RuleContext(root: repository.root, rootIsBroad: true, cwd: repository.root, home: repository.home)
        func text(_ path: String, _ context: RuleContext) -> [String] {
            RuleEngine.patterns(
                tool: "Edit", input: Self.input(tool: "Edit", path: path), context: context, paths: DiskPaths()
            ).map(\.text)
        }
        #expect(text("\(repository.root)/src/a.ts", narrow) == ["Edit(\(repository.root)/src/**)"])
        #expect(text("\(repository.root)/a.ts", narrow) == ["Edit(\(repository.root)/**)"])
        #expect(text("\(repository.root)/src/a.ts", broad) == ["Edit(\(repository.root)/src/a.ts)"])
        #expect(text("/etc/fstab", narrow) == ["Edit(/etc/fstab)"])
    }

    @Test(
        "what the agent's settings start is covered by no rule for writing",
        arguments: [
            ("src/format.sh", false), ("tools/status.py", false), ("mcp/server.js", false), ("Mcp/SERVER.js", false),
            ("tools/said.ts", false), ("src/other.sh", true), ("src/allowed.py", true), ("src/said.ts", true),
        ])
    func startedByTheAgent(path: String, isOffered: Bool) throws {
        let settings = #"""
            .claude/settings.json = {"hooks":{"PostToolUse":[{"hooks":[{"command":"\"$CLAUDE_PROJECT_DIR\"/src/format.sh"}]}]},\
            "statusLine":{"command":"python3 tools/status.py"},"permissions":{"allow":["Bash(python3 src/allowed.py)"]}}
            """#.replacingOccurrences(of: "\\\n", with: "")
        let servers = #".mcp.json = {"mcpServers":{"x":{"command":"node","args":["mcp/server.js","./tools/said"]}}}"#
        let repository = try ScratchRepository(setup: [settings, servers])
        defer { repository.remove() }
        for tool in ["Edit", "Write"] {
            let patterns = RuleEngine.patterns(
                tool: tool, input: Self.input(tool: tool, path: path), context: repository.context(), paths: DiskPaths()
            )
            #expect(patterns.isEmpty != isOffered)
        }
    }

    @Test(
        "an input that is not understood has no rule",
        arguments: [
            ["file_path": "/x", "unknown": 1], ["file_path": 1], [:], ["path": "/x"], [],
        ] as [JSON])
    func inputs(input: JSON) throws {
        let repository = try #require(ScratchRepository.shared)
        #expect(
            RuleEngine.patterns(tool: "Read", input: input, context: repository.context(), paths: DiskPaths()).isEmpty)
    }

    @Test(
        "a search that names hidden or foreign files has no rule",
        arguments: [
            ("Grep", ".env*", false), ("Grep", "*.env", false), ("Grep", "*", false), ("Grep", "**", false),
            ("Grep", "*.ts", true), ("Grep", "*.{ts,tsx}", true), ("Grep", "*.{ts,env}", false),
            ("Grep", "**/*.swift", true), ("Grep", "src/**/*.c", true), ("Grep", "../*.c", false),
            ("Grep", "/etc/*.c", false), ("Grep", "*.pem", false), ("Grep", "{.env,a}", false),
            ("Grep", "!*.ts", false),
            ("Grep", "secrets/*.ts", false), ("Grep", "package.json", true), ("Grep", "*.local", false),
            ("Glob", "**/*", true), ("Glob", "/etc/*", false), ("Glob", "../**", false), ("Glob", "src/**/*.ts", true),
            ("Glob", "~/x", false), ("Glob", ".ssh/*", false), ("Glob", "a/../b", false), ("Glob", "*.{pem,ts}", false),
            ("Glob", "", false), ("Glob", "out/*", false), ("Glob", "etc/**/*.conf", false), ("Glob", "inlink/*", true),
            ("Glob", "hiddenlink/*", true), ("Glob", "secretlink/*", false), ("Glob", "loop/*", false),
            ("Glob", "src/../out/*", false), ("Glob", "none/*", true), ("Grep", "*.json", false),
            ("Grep", "*.TS", true),
            ("Grep", "*,y/*.ts", false), ("Grep", "*.ts,*.md", false), ("Grep", "{*,y/*.{ts}", false),
            ("Grep", "{*,y}/*.ts", false), ("Grep", "src/{a,b}/*.ts", false),
            ("Glob", "**/.env", false), ("Glob", "{a,../b}", false),
        ])
    func globs(tool: String, glob: String, isOffered: Bool) throws {
        let repository = try #require(ScratchRepository.shared)
        let input: JSON = tool == "Grep" ? ["pattern": "x", "glob": .string(glob)] : ["pattern": .string(glob)]
        let offered = RuleEngine.patterns(tool: tool, input: input, context: repository.context(), paths: DiskPaths())
        #expect(offered.isEmpty != isOffered)
    }

    @Test("what lies under the root once links are resolved")
    func underRoot() throws {
        let repository = try #require(ScratchRepository.shared)
        func isUnder(_ tool: String, _ path: String) -> Bool {
            RuleEngine.editsUnderRoot(
                tool: tool, input: Self.input(tool: tool, path: path), context: repository.context(),
                paths: DiskPaths())
        }
        #expect(isUnder("Edit", "src/a.ts"))
        #expect(isUnder("Write", repository.root + "/new"))
        #expect(!isUnder("Read", "src/a.ts"))
        #expect(!isUnder("Edit", "out/x"))
        #expect(!isUnder("Edit", "../side.txt"))
        #expect(!isUnder("Edit", "/etc/hosts"))
    }

    @Test(
        "nobody says that a file lies outside the root where its place is unknown",
        arguments: [
            ("Edit", "src/a.ts", false), ("Edit", "out/x", true), ("Edit", "/etc/hosts", true), ("Edit", "loop/x", nil),
            ("Edit", "~/x", nil), ("Read", "/etc/hosts", nil), ("apply_patch", "/etc/hosts", nil),
        ] as [(String, String, Bool?)])
    func outsideRoot(tool: String, path: String, isOutside: Bool?) throws {
        let repository = try #require(ScratchRepository.shared)
        let found = RuleEngine.editsOutsideRoot(
            tool: tool, input: Self.input(tool: tool, path: path), context: repository.context(), paths: DiskPaths())
        #expect(found == isOutside)
    }
}
