import Host
import OrderedJSON
import Rules
import TestSupport
import Testing

@Suite("What is started by itself and has to be searched for")
struct FurtherStartTests {
    @Test(
        "git's settings lie where variables say",
        arguments: [
            ([:], []), (["XDG_CONFIG_HOME": "/x"], ["/x/git/config"]), (["XDG_CONFIG_HOME": ""], []),
            (["GIT_CONFIG_GLOBAL": "/a", "GIT_CONFIG_SYSTEM": "/b", "HOME": "/h"], ["/a", "/b"]),
            (["GIT_CONFIG_GLOBAL": "/dev/null"], []),
        ] as [([String: String], [String])])
    func variables(environment: [String: String], files: [String]) {
        #expect(GitVariables.files(environment: environment) == files)
    }

    @Test("a remote is not certain where variables may have git read other settings than those that rewrite it")
    func rewritten() throws {
        func offers(_ setup: String, _ own: [String]) throws -> [String] {
            let repository = try ScratchRepository(setup: [setup])
            defer { repository.remove() }
            let context = RuleContext(
                root: repository.root, rootIsBroad: false, cwd: repository.root, home: repository.home, ownGitFiles: own
            )
            let input: JSON = ["command": "git push origin"]
            return RuleEngine.patterns(tool: "Bash", input: input, context: context, paths: DiskPaths()).map(\.text)
        }
        let setup = "../.gitconfig = [url \"https://x.invalid/\"]\n\tinsteadOf=https://example.invalid/\n"
        #expect(try offers(setup, []) == ["Bash(git push origin https://x.invalid/me/repo.git:*)"])
        #expect(try !offers(setup, ["/none/git/config"]).contains { $0.contains("x.invalid") })
    }

    @Test("a write beside many scripts is settled, and soon so")
    func cost() throws {
        func time(_ setup: [String]) throws -> Double {
            let tree = (0..<200).flatMap { directory in (0..<15).map { "m\(directory)/f\($0).ts" } }
            let repository = try ScratchRepository(setup: setup + tree)
            defer { repository.remove() }
            let input = FileCaseTests.input(tool: "Write", path: repository.root + "/web/deep/x.ts")
            return ProcessorTime.of {
                for _ in 0..<5 {
                    let offered = RuleEngine.patterns(
                        tool: "Write", input: input, context: repository.context(), paths: DiskPaths())
                    #expect(!offered.isEmpty)
                }
            }
        }
        let calls = (0..<30).map { "tools/s\($0).sh" }
        let text = String(repeating: "echo \"no word of it\" && git diff --stat main.c # fine\n", count: 100)
        let scripts = calls.map { "\($0) = \(text)" }
        let few = try time([".git/hooks/pre-commit = x"])
        let many = try time([".git/hooks/pre-commit = " + calls.joined(separator: "\n")] + scripts)
        #expect(many < 20 * few, "\(few) \(many)")
    }

    private func timeOfWrites(beside setup: [String]) throws -> Double {
        let repository = try ScratchRepository(setup: setup)
        defer { repository.remove() }
        let input = FileCaseTests.input(tool: "Write", path: repository.root + "/src/y.ts")
        return ProcessorTime.of {
            for _ in 0..<3 {
                _ = RuleEngine.patterns(
                    tool: "Write", input: input, context: repository.context(), paths: DiskPaths())
            }
        }
    }

    @Test("many words with directories beside many scripts take no longer than their number")
    func bound() throws {
        func time(_ words: Int, _ files: Int) throws -> Double {
            let named = (0..<words).map { "a\($0)/x" }.joined(separator: " ")
            let list: JSON = ["hooks": ["Stop": [["hooks": [["type": "command", "command": .string(named)]]]]]]
            let scripts = (0..<files).map { "d/x.\($0).sh" }
            return try timeOfWrites(beside: [".claude/settings.json = " + list.serialized()] + scripts)
        }
        let (few, many) = (try time(600, 250), try time(12_000, 5000))
        #expect(many < 60 * few, "\(few) \(many)")
    }

    @Test("many includes, variables and given files take no longer than their number")
    func includes() throws {
        func time(_ count: Int) throws -> Double {
            let lines = (0..<count).map { "V\($0) = $(V\($0 + 1)) a\($0).inc b\($0)/x.rules\ninclude c\($0).inc\n" }
            let given = (0..<count).map { "task -t t\($0).yml $x" }.joined(separator: "\n")
            let setup = [
                ".git/hooks/pre-commit = make x\n" + given, "Makefile = include $(V0)\n" + lines.joined(),
                ".gitlab-ci.yml = include:\n" + (0..<count).map { "- d\($0).yml\n" }.joined(),
            ]
            return try timeOfWrites(beside: setup + (0..<40).map { "m\($0)/Makefile = " + lines[$0] })
        }
        let (few, many) = (try time(100), try time(1500))
        #expect(many < 60 * few, "\(few) \(many)")
    }
}
