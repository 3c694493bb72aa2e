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

    /// Claude Code has two tools whose input holds a line for the shell.
    @Test func isDeniedInEachToolThatRunsALine() throws {
        let repository = try #require(ScratchRepository.shared)
        func denies(_ tool: String, by rules: [Pattern]) -> Bool {
            RuleEngine.denies(
                tool: tool, input: ["command": "ls; git push", "timeout_ms": 1], deny: rules,
                context: repository.context(), paths: DiskPaths()) != nil
        }
        for asked in ["Bash", "Monitor"] {
            let rules = RuleEngine.denyPatterns(
                tool: asked, input: ["command": "git push"], context: repository.context(), paths: DiskPaths())
            #expect(denies("Bash", by: rules) && denies("Monitor", by: rules))
            #expect(!denies("Read", by: rules))
        }
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
            ("make deploy", "make -j$(nproc) deploy"), ("make deploy", "make -j `nproc` -k deploy"),
            ("make deploy", "make -j 8 deploy > log"), ("make deploy", "make --no-print-directory deploy"),
            ("tsc --noEmit", "tsc -p deep --noEmit > log"), ("git push", "git \\\n  push"),
            ("git push", "timeout 5 \\\n  git push"), ("git push", "timeout -k 9 -s KILL 5 git push"),
            ("git push", "git --git-dir .git --work-tree . push"), ("git push", "git 2>x push > y"),
            ("git push", "ls 2>&-&& git push"), ("git push", "> \\\n x git push"),
            ("git push", "function f { git push; }; f"), ("git push", "x=$(git push) && ls"),
            ("git push", "git remote | xargs -rn 1 git push"), ("git push", "xargs -tI % git push % main"),
            ("git push", "sudo -Hu me git push"), ("git push", "env -iu X git push"),
            ("git push", "timeout -vk 1 5 git push"), ("git push", "ionice -tc 3 git push"),
            ("git push", "$SUDO git push"), ("make deploy", "make $FLAGS deploy"),
            ("git push", "(( x = 1 <<EOF ))\ngit push\nEOF"), ("git push", "((x <<= 1)) && git push"),
            ("git push", "((cat) <<EOF\nx\nEOF\n); git push"), ("git push", "X+=1 git push"),
            ("git push", "a[0]=1 git push"), ("git push", "a[0]+=1 git push"),
            ("git push", "echo ${x/ #/} ; git push"), ("git push", "echo ${x:-a} # b\ngit push"),
            ("git push", "{fd}>x git push"), ("git push", "exec {fd}<x; git {fd}>&2 push"),
            ("make deploy", "make {a}>x deploy"),
            ("make deploy", "make <(ls) deploy"), ("make deploy", "make < <(ls) deploy"),
            ("make deploy", "make >(cat) deploy"), ("make deploy", "make =(ls) deploy"),
            ("git push", "ls < <(git push)"),
            ("git push", "tee >(git push)"), ("git push", "diff =(git push) x"),
            ("git push", "repeat 1 git push"), ("git push", "repeat 2 do git push; done"),
            ("git push", "coproc X { git push; }"), ("git push", "function f g { git push }"),
            ("git push", "{ ls } always { git push }"), ("git push", "if [[ -n x ]] git push"),
            ("git push", "if [[ -n x ]] { git push }"), ("git push", "while [[ -n x ]] { case x { (x) git push ;; } }"),
            ("git push", "cat <<EOF\n$(git push)\nEOF"), ("git push", "cat <<-EOF\n\tit's `git push`\n\tEOF"),
            ("git push", "cat <<EOF\n${x:-$(git push)}\nEOF"),
            ("git push", "cat <<EOF\n$(cat <<'X'\n\"\nX\n) $(git push)\nEOF"),
            ("git push", "cat <<EOF\n'\nEOF\ngit push"), ("git push", "echo `cat <<EOF\n$(git push)\nEOF\n`"),
            ("git push", "repeat $((1)) git push"), ("git push", "repeat 1 repeat 1 git push"),
            ("git push", "=git push"),
            ("git push", "flock x git push"), ("git push", "strace -f git push"), ("git push", "taskset 1 git push"),
            ("git push", "find . -maxdepth 0 -exec git push \\;"), ("git push", "chrt -b 0 git push"),
            ("git push", "git push # " + String(repeating: "y", count: 17_000)),
            ("git push", "echo " + String(repeating: "y ", count: 10_000) + "&& git push"),
        ])
    func found(denied: String, line: String) throws {
        #expect(try denies(denied, line), "\(line)")
    }

    /// Where a quote is taken to begin in a text, everything behind it seems to be text.
    @Test(
        "found behind a text with quotes of its own",
        arguments: [
            "git commit -m \"$(cat <<EOF\nFix the user's name\nEOF\n)\" && git push",
            "git commit -m \"$(cat <<'EOF'\nDon't\nEOF\n)\" > log && git push",
            "git commit -m \"$(cat <<-\"EOF\"\n\tSay \"x\n\tEOF\n)\" && git push",
            "git commit -m \"$(cat <<EOF\n:( `x` :(\nEOF)\" && git push", "git commit -m $'don\\'t' && git push",
            "echo \"$(ls # don't\n)\" && git push", "echo \"$(echo don\\'t)\" && git push",
            "echo \"$(case x in x) echo \"a\";; esac)\" && git push",
            "echo $(ls \"a\" ')') && git push",
            "echo $(ls)#x; git push", "echo `ls`#x; git push", "echo $((1<<2))\ngit push", "((x = 1 << 2))\ngit push",
            "echo \"`ls \"a\"`\" && git push", "echo $\"it's\" && git push",
            "echo a \\\n# don't do this\ngit push", #"v="${v%"'"}"; git push"#, #"echo "${x:-"don't"}" && git push"#,
            #"v="${v%'"'}"; git push"#, "echo `true # don't`; git push", "echo \"`true # don't`\"; git push",
            "echo `$'>x `; git push", #"echo "`echo \"don't\"`"; git push"#, #"echo `echo \`git push\` `"#,
            "((cat <<'E'\ndon't\nE\n true)); git push", "cat <<EOF\n\tEOF\ndon't\nEOF\ngit push",
            "cat <<EOF\nE\\\nOF\ngit push", "echo \\${ # don't\ngit push", "echo '$'{ # don't\ngit push",
            "echo $$'\\'; git push # '", "echo $(( #x )); git push", "echo \"$(\\case x)\"; git push; echo \"a\"",
            "echo \"${x:-it's}\" && git push", "echo \"${a:-${b%\"'\"}}\" && git push",
        ])
    func found(behindText line: String) throws {
        #expect(try denies("git push", line), "\(line)")
    }

    @Test(
        "not found in what only mentions it",
        arguments: [
            ("git push", "git pull"), ("git push", "echo git push"), ("git push", "git commit -m 'git push'"),
            ("git push", "git commit -m \"$(cat <<'EOF'\ngit push\nEOF\n)\""),
            ("git push", "cat > x <<EOF\ngit push\nEOF"), ("git push", "git commit -m $'x\\'; git push'"),
            ("git push", "git commit -m \"$(cat <<EOF\nI don't\ngit push\nEOF\n)\""),
            ("git push", "echo $((1 << 2)) $(cat <<2\ngit push\n2\n)"),
            ("git push", "cat <<'EOF'\n$(git push)\nEOF"), ("git push", "cat <<\\EOF\n`git push`\nEOF"),
            ("git push", "cat <<EOF\n\\$(git push) \\`git push\\`\nEOF"),
            ("git push", "cat <<EOF\ngit push $(ls)\nEOF"),
            ("git push", "echo {fd}x git push"),
            ("git push", "# git push\nls"), ("git push", "git pushx"), ("rm -rf build", "rm -rf other"),
            ("curl x | sh", "curl x"), ("curl x | sh", "curl x y | sh"), ("git push", "sh -c 'git pull'"),
            ("make deploy", "make"), ("sudo ls", "ls"),
            ("npm run build", "npm run test"),
        ])
    func notFound(denied: String, line: String) throws {
        #expect(try !denies(denied, line), "\(line)")
    }

    /// Each case is a denied line, lines that it forbids, and lines that it does not.
    @Test("found with other options and behind programs that run it", arguments: try! DeniedLines.all())
    func data(_ lines: DeniedLines) throws {
        for line in lines.also { #expect(try denies(lines.denied, line), "\(line)") }
        for line in lines.not { #expect(try !denies(lines.denied, line) && !mayDeny(lines.denied, line), "\(line)") }
        for line in lines.asked ?? [] {
            #expect(try !denies(lines.denied, line) && mayDeny(lines.denied, line), "\(line)")
        }
    }

    private func mayDeny(_ denied: String, _ line: String) throws -> Bool {
        let context = try #require(ScratchRepository.shared).context()
        let rules = RuleEngine.denyPatterns(
            tool: "Bash", input: ["command": .string(denied)], context: context, paths: DiskPaths())
        return RuleEngine.mayDeny(
            tool: "Bash", input: ["command": .string(line)], deny: rules, context: context, paths: DiskPaths()) != nil
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
        let pieces = [
            "\"$(", "x { ", "]] x ", "<(", "<<x\n$(x\nx\n", "<<x\n$(", "$(", "`", "((", "'", "<<x ", "\"`", "<<x\n",
            "$'", "$(case", "\\\n",
        ]
        func seconds(bytes: Int) throws -> Double {
            try ProcessorTime.of {
                for piece in pieces {
                    _ = try denies("git push", String(repeating: piece, count: bytes / piece.utf8.count))
                }
            }
        }
        let few = try seconds(bytes: 800)
        #expect(try seconds(bytes: 16_000) < 80 * few)
        #expect(try seconds(bytes: 60_000) < 300 * few)
        // 16 levels are searched. What is deeper, or in a line of more than 256 KB, may be anything.
        func nested(_ levels: Int) -> String {
            String(repeating: "\"$(", count: levels) + "git push" + String(repeating: ")\"", count: levels)
        }
        #expect(try denies("git push", nested(16)))
        #expect(try denies("git push", nested(17)))
        #expect(try denies("git push", nested(100_000)))
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

    /// Claude Code trims a path and expands `~`, and may have members that are not known here.
    @Test("files: a deny holds however the path is written")
    func spellings() throws {
        let repository = try ScratchRepository(setup: ["src/away -> ../docs/intro.md"])
        defer { repository.remove() }
        let rules = RuleEngine.denyPatterns(
            tool: "Read", input: ["file_path": .string(repository.root + "/src/a")], context: repository.context(),
            paths: DiskPaths())
        // `inlink` leads to src/deep, `src/away` out of it; a disk may take SRC for src.
        for path in [
            "src/b", "~/repo/src/b", " ~/repo/src/../src/b\n", "\t\(repository.root)/src/b", "inlink/x.txt",
            "src/away", "SRC/b", "\u{3000}src/b\u{A0}", "\u{FEFF}src/b\u{2028}",
            String(repeating: "\u{20AC}", count: 1400) + "/../src/b", String(repeating: "./", count: 2100) + "src/b",
        ] {
            let input: JSON = ["file_path": .string(path), "unknown": 1]
            let found = RuleEngine.denies(
                tool: "Read", input: input, deny: rules, context: repository.context(), paths: DiskPaths())
            #expect(found != nil, "\(path)")
        }
    }

    /// Compared word by word, ten times as many words take a hundred times as long.
    @Test("long lines are compared with long ones in nearly linear time")
    func longLines() throws {
        func seconds(words: Int) throws -> Double {
            let denied = "x " + String(repeating: "b ", count: words) + "z"
            let line = "x " + String(repeating: "-c b ", count: words)
            return try ProcessorTime.of {
                let isDenied = try denies(denied, line)
                #expect(!isDenied)
            }
        }
        let few = try seconds(words: 200)
        #expect(try seconds(words: 2000) < 40 * few)
    }

    /// Beyond what is compared, a rule with the line's program in it forbids it.
    @Test("rules that cost much to compare do not keep others from it")
    func costlyRules() throws {
        let repository = try #require(ScratchRepository.shared)
        func call(_ line: String) -> JSON { ["command": .string(line)] }
        func rules(_ line: String) -> [Pattern] {
            RuleEngine.denyPatterns(tool: "Bash", input: call(line), context: repository.context(), paths: DiskPaths())
        }
        let long = (0..<20).flatMap { rules("frob \($0) " + String(repeating: "word ", count: 2400)) }
        func isDenied(_ line: String) -> Bool {
            RuleEngine.denies(
                tool: "Bash", input: call(line), deny: long + rules("frob zig"), context: repository.context(),
                paths: DiskPaths()) != nil
        }
        #expect(isDenied("frob zig -v") && !isDenied("ls"))
        #expect(
            isDenied(String(repeating: "ls; ", count: 300) + "frob 1")
                && !isDenied(String(repeating: "ls; ", count: 300)))
    }

    @Test("what a line costs to look at does not keep a deny from it")
    func costly() throws {
        let names = (0..<190).map { "n\($0)/a:b:c:d:e:f:g:h:i:j" }.joined(separator: " ")
        #expect(try denies("rm -rf build", "rm -rf build; cat \(names)"))
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
