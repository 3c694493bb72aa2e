import Host
import OrderedJSON
import Rules
import TestSupport
import Testing

@Suite("Deny rules")
struct DenyRuleTests {
    private func denies(_ denied: String, _ line: String) throws -> Bool {
        let repository = try #require(ScratchRepository.shared)
        let rules = RuleEngine.denyPatterns(
            tool: "Bash", input: ["command": .string(denied)], context: repository.context(), paths: DiskPaths())
        #expect(!rules.isEmpty, "\(denied)")
        return RuleEngine.denies(
            tool: "Bash", input: ["command": .string(line), "unknown": 1], deny: rules,
            context: repository.context(cwd: "src"), paths: DiskPaths()) != nil
    }

    @Test(
        "found wherever it stands, whatever follows",
        arguments: [
            ("git push", "git push"), ("git push", "git push --force origin x"), ("git push", "ls && git push"),
            ("git push", "ls; git push; ls"), ("git push", "git push & ls"), ("git push", "(git push)"),
            ("git push", "echo $(git push)"), ("git push", "echo \"$(git push)\""), ("git push", "echo `git push`"),
            ("git push", "if true; then git push; fi"), ("git push", "X=1 git push"), ("git push", "CI=1 git push"),
            ("git push", "git push > out"), ("git push", "cat <<EOF\nx\nEOF\ngit push"), ("git push", "! git push"),
            ("git push", "{ git push; }"), ("git push", "git -C x push"), ("git push", "git -c a=b --no-pager push"),
            ("git push", "timeout 5 git push"), ("git push", "ls |& git push"), ("sudo ls", "sudo ls -l"),
            ("timeout 5 rm x", "rm x"),
            ("git push", "'git' \"push\""), ("git push", "g\\it push"), ("git push", "<(git push)"),
            ("git push", "while git push; do ls; done"), ("git push", "ls\\\n; git push"),
            ("git push", "2>&1 git push"),
            ("git push", "echo \"$(echo \"$(git push)\")\""), ("rm -rf build", "rm -rf build"),
            ("rm -rf build", "rm -rf build other"), ("rm -rf build", "ls && rm -rf build"),
            ("rm -rf $HOME", "rm -rf $HOME/x || rm -rf $HOME"), ("curl x | sh", "curl x | sh -s"),
            ("curl x | sh", "ls; curl x | sh"), ("npm publish", "npm publish --tag x"), ("./run.sh", "./run.sh x"),
            ("make deploy", "make -j8 deploy"), ("test -f a", "[ -f b ]"),
            ("npx tsc --noEmit", "npx tsc -p . --noEmit"), ("tsc --noEmit", "tsc -p deep --noEmit"),
        ])
    func found(denied: String, line: String) throws {
        #expect(try denies(denied, line), "\(line)")
    }

    @Test(
        "not found in what only mentions it",
        arguments: [
            ("git push", "git pull"), ("git push", "echo git push"), ("git push", "git commit -m 'git push'"),
            ("git push", "git commit -m \"$(cat <<'EOF'\ngit push\nEOF\n)\""),
            ("git push", "cat > x <<EOF\ngit push\nEOF"),
            ("git push", "# git push\nls"), ("git push", "git pushx"), ("rm -rf build", "rm -rf other"),
            ("curl x | sh", "curl x"), ("curl x | sh", "curl x y | sh"), ("git push", "sh -c 'git push'"),
            ("make deploy", "make"), ("sudo ls", "ls"), ("git push", "sudo git push"),
            ("npm run build", "npm run test"),
        ])
    func notFound(denied: String, line: String) throws {
        #expect(try !denies(denied, line), "\(line)")
    }

    @Test("a line in which no command is seen leaves nothing to remember")
    func nothing() throws {
        let repository = try #require(ScratchRepository.shared)
        for line in ["", "# x", " ; ", "()"] {
            #expect(
                RuleEngine.denyPatterns(
                    tool: "Bash", input: ["command": .string(line)], context: repository.context(), paths: DiskPaths()
                ).isEmpty, "\(line)")
        }
    }

    /// Read anew for each level, twenty times as many levels take four hundred times as long.
    @Test("deeply nested input is looked at in bounded time")
    func deep() throws {
        func seconds(levels: Int) throws -> Double {
            try ProcessorTime.of {
                for piece in ["\"$(", "$(", "`", "((", "'", "<<x ", "\"`"] {
                    let isDenied = try denies("git push", String(repeating: piece, count: levels))
                    #expect(!isDenied)
                }
            }
        }
        let few = try seconds(levels: 1000)
        #expect(try seconds(levels: 20_000) < 80 * few)
        // In closed substitutions 16 levels are searched, and no deeper one.
        func nested(_ levels: Int) -> String {
            String(repeating: "\"$(", count: levels) + "git push" + String(repeating: ")\"", count: levels)
        }
        #expect(try denies("git push", nested(16)))
        #expect(try !denies("git push", nested(17)))
        #expect(try !denies("git push", nested(100_000)))
    }

    @Test(
        "a here document's word that the end of the line cuts off is looked at like any other",
        arguments: ["<<'EOF", "<<\"EOF", "<<\\", "<<- '", "<<<'x", "x <<'", "\"$(cat <<'x"])
    func cutOff(_ end: String) throws {
        #expect(try denies("git push", "git push; cat \(end)"))
        #expect(try !denies("git push", "git pull; cat \(end)"))
    }

    @Test("files: a deny also covers what no allow rule does")
    func files() throws {
        let repository = try #require(ScratchRepository.shared)
        func call(_ path: String) -> JSON { FileCaseTests.input(tool: "Read", path: repository.root + path) }
        func rules(_ path: String) -> [Pattern] {
            RuleEngine.denyPatterns(
                tool: "Read", input: call(path), context: repository.context(), paths: DiskPaths())
        }
        func isDenied(_ path: String, by rules: [Pattern]) -> Bool {
            RuleEngine.denies(
                tool: "Read", input: call(path), deny: rules, context: repository.context(), paths: DiskPaths()) != nil
        }
        #expect(rules("/.env").map(\.text) == ["Read(\(repository.root)/.env)"])
        #expect(isDenied("/.env", by: rules("/.env")))
        #expect(isDenied("/secretlink", by: rules("/.env")))
        #expect(!isDenied("/a", by: rules("/.env")))
        #expect(isDenied("/src/.env", by: rules("/src/a")))
        #expect(!isDenied("/a", by: rules("/src/a")))
    }

    @Test("questions to the user are never answered by rule")
    func questions() throws {
        let repository = try #require(ScratchRepository.shared)
        for tool in ["AskUserQuestion", "ExitPlanMode", "Unknown"] {
            #expect(
                RuleEngine.denyPatterns(tool: tool, input: [:], context: repository.context(), paths: DiskPaths())
                    .isEmpty)
        }
    }
}
