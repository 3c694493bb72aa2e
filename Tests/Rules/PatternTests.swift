import Core
import Foundation
import Host
import OrderedJSON
import Rules
import TestSupport
import Testing

@Suite("Patterns")
struct PatternTests {
    @Test("what is stored is read back as it was")
    func roundTrip() throws {
        let repository = try #require(ScratchRepository.shared)
        let lines = try Corpus.lines()
        for line in lines {
            for pattern in RuleEngine.patterns(
                tool: "Bash", input: ["command": .string(line)], context: repository.context(), paths: DiskPaths())
            {
                let read = Pattern(stored: pattern.stored)
                #expect(read == pattern && read?.stored == pattern.stored, "\(pattern.stored)")
            }
        }
    }

    @Test(
        "one stored form, one pattern",
        arguments: [
            ("Bash(npm test:*)", Pattern.Kind.command), ("Bash(rm x) in /repo", .line), ("Bash(x:*) in /repo", .line),
            ("Bash(python3 -m pytest:*) only in /repo", .command), ("Edit(/p/src/**)", .tree), ("Edit(/p/a)", .file),
            ("Read(/**)", .tree), ("WebFetch(domain:x.y)", .domain), ("Task", .tool), ("mcp__a__b", .tool),
            ("Bash(echo 'a) in /x') in /repo%29", .line),
        ])
    func kinds(stored: String, kind: Pattern.Kind) throws {
        let pattern = try #require(Pattern(stored: stored))
        #expect(pattern.kind == kind)
        #expect(pattern.stored == stored)
    }

    @Test(
        "what is not of ours is refused",
        arguments: [
            "", "Bash", "Bash()", "Bash(rm x)", "Bash(ls:*", "Bash(:*)", "Edit(src/**)", "Edit", "Unknown(x)",
            "Nothing",
            "WebFetch(x)", "Bash(ls:*) at /x", "Bash(ls) only in /x", "Edit(/a) in /x", "Bash(x) in /a%zz", "Task()",
        ])
    func refused(stored: String) {
        #expect(Pattern(stored: stored) == nil)
    }

    @Test("patterns are compared byte for byte")
    func bytes() throws {
        let composed = try #require(Pattern(stored: "Edit(/p/\u{E9}/**)"))
        let decomposed = try #require(Pattern(stored: "Edit(/p/e\u{301}/**)"))
        #expect(composed != decomposed)
    }

    @Test("a root that holds more than a project")
    func broadRoots() {
        for root in [
            "/", "/home", "/home/me", "/home/other", "/Users", "/Users/x", "/root", "/var", "/var/root", "/home/",
            "//home//me/", "/home/\u{301}x",
        ] {
            #expect(RuleContext.isBroad(root: root, home: "/home/me"), "\(root)")
        }
        for root in ["/home/me/project", "/srv/x", "/tmp/x", "/var/www", "/root/x", "/home/other/project"] {
            #expect(!RuleContext.isBroad(root: root, home: "/home/me"), "\(root)")
        }
        #expect(RuleContext.isBroad(root: "/data", home: "/data/me"))
        #expect(RuleContext.isBroad(root: "/data/me", home: "/data/me"))
    }

    @Test("a home directory that links reach, or that is one")
    func linkedHome() throws {
        let repository = try #require(ScratchRepository.shared)
        let link = String(repository.home.dropLast("/home/me".count)) + "/link-\(UUID().uuidString)"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: repository.home)
        func offered(root: String, home: String) -> [String] {
            let call = ToolCall(name: "Bash", input: ["command": "ls"], useID: nil)
            return EngineEvaluator(paths: DiskPaths(), commands: .shipped, home: home)
                .offers(for: call, at: RulePlace(root: root, cwd: root)).allow
        }
        #expect(offered(root: repository.home, home: link) == ["Bash(ls) in \(repository.home)"])
        #expect(offered(root: link, home: repository.home) == ["Bash(ls) in \(link)"])
        #expect(offered(root: repository.root, home: link) == ["Bash(ls:*)"])
    }

    @Test("every rule of a broad root is exact")
    func broadRules() throws {
        let repository = try #require(ScratchRepository.shared)
        let context = RuleContext(
            root: repository.root, rootIsBroad: true, cwd: repository.root, home: repository.home)
        let patterns = RuleEngine.patterns(tool: "Bash", input: ["command": "ls"], context: context, paths: DiskPaths())
        #expect(patterns.map(\.stored) == ["Bash(ls) in \(repository.root)"])
        let rule = try #require(Pattern(stored: "Bash(ls:*)"))
        let settled = RuleEngine.settles(
            tool: "Bash", input: ["command": "ls -l"], allow: [rule], context: context, paths: DiskPaths())
        #expect(settled == nil)
    }

    @Test(
        "what a person is shown",
        arguments: [
            ("npm test && git status -s", ["Bash(npm test:*)", "Bash(git status:*)"]), ("echo hi", ["Bash(echo:*)"]),
            ("make test; echo \"exit: $?\"", ["Bash(make test:*)"]), ("ls && pwd", ["Bash(ls:*)"]),
            ("cd src && make -j8", ["Bash(make:*)"]), ("cat a | xargs rm", ["Bash(cat a | xargs rm)"]),
            ("python3 src/../gen.py go a.c", ["Bash(python3 gen.py go a.c:*)"]), ("./run.sh", ["Bash(./run.sh:*)"]),
            ("python3 gen.py --x 'a b' a.c", ["Bash(python3 gen.py --x 'a b' a.c:*)"]),
            ("[ -f a ] && ls", ["Bash(test:*)", "Bash(ls:*)"]), ("git -C src --no-pager log", ["Bash(git log:*)"]),
            ("npx tsc -p src --noEmit", ["Bash(npx tsc src --noEmit:*)"]), ("ls | head -5", ["Bash(ls:*)"]),
            ("rm x && ls $(id)", []), ("git log & ls", []), ("ls && ls -l", ["Bash(ls:*)"]),
        ])
    func shown(line: String, texts: [String]) throws {
        let repository = try #require(ScratchRepository.shared)
        #expect(repository.patterns(line) == texts)
    }
}
