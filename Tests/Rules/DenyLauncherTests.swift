import Host
import OrderedJSON
import Rules
import TestSupport
import Testing

/// Denied commands behind programs that run what follows, and under other names of the program or the subcommand:
/// `Cases/denied-launchers.json`. And those in texts that a shell evaluates.
@Suite("Deny rules behind other programs")
struct DenyLauncherTests {
    private func effect(of denied: String, on line: String) throws -> String {
        let repository = try #require(ScratchRepository.shared)
        let context = repository.context()
        let line = line.replacing("ROOT", with: repository.root)
        let rules = RuleEngine.denyPatterns(
            tool: "Bash", input: ["command": .string(denied)], context: context, paths: DiskPaths())
        #expect(!rules.isEmpty, "\(denied)")
        let input: JSON = ["command": .string(line)]
        if RuleEngine.denies(tool: "Bash", input: input, deny: rules, context: context, paths: DiskPaths()) != nil {
            return "deny"
        }
        let may = RuleEngine.mayDeny(tool: "Bash", input: input, deny: rules, context: context, paths: DiskPaths())
        return may != nil ? "ask" : "free"
    }

    @Test(
        "found in programs of other languages",
        arguments: try! DeniedLines.decoded("denied-languages") as [DeniedLines])
    func inLanguages(_ lines: DeniedLines) throws { try launched(lines) }

    @Test("found behind them", arguments: try! DeniedLines.decoded("denied-launchers") as [DeniedLines])
    func launched(_ lines: DeniedLines) throws {
        for line in lines.also { #expect(try effect(of: lines.denied, on: line) == "deny", "\(line)") }
        for line in lines.not { #expect(try effect(of: lines.denied, on: line) == "free", "\(line)") }
        for line in lines.asked ?? [] { #expect(try effect(of: lines.denied, on: line) == "ask", "\(line)") }
    }

    /// `ROOT` in a line stands for the project's directory.
    @Test("found by other paths", arguments: try! DeniedLines.decoded("denied-files") as [DeniedLines])
    func files(_ lines: DeniedLines) throws { try launched(lines) }

    @Test(
        "found where a shell evaluates a text as an arithmetic expression",
        arguments: [
            "echo $(( a[$(git push)] ))", "(( x[$(git push)]++ ))", "[[ -v a[$(git push)] ]]",
            "test -v 'a[$(git push)]'", "[ -v 'a[$(git push)]' ]", "let 'a[$(git push)]=1'",
            "declare -i x='a[$(git push)]'", "printf -v 'a[$(git push)]' x", "echo ${a:$(git push)}",
            "echo ${a:'x[$(git push)]'}", "echo \"${a:$(git push):1}\"", "echo $(( 'a[$(git push)]' ))",
            "(( 'a[$(git push)]' ))", "x='a[$(git push)]'; (( x ))", "x='a[$(git push)]' && echo $((x))",
            "x=a'['\\$'(git push)]'; echo $((x))", "[[ 'a[$(git push)]' -eq 1 ]]", "x='a[`git push`]'; let x",
            "declare -n x='a[$(git push)]'; echo $x", "for ((i='a[$(git push)]';;)); do ls; done",
            "unset 'a[$(git push)]'", "read 'a[$(git push)]'", "x='b[a[$(git push)]]'; ((x))",
            "echo ${a['$(git push)']}", "export x='a[$(git push)]'; (( x ))", "exec {a['$(git push)']}>x",
            "typeset -i x; x='a[$(uv run git push)]'", "echo $[ a[$(git push)] ]",
            "x='a[$(sh -c \"git push\")]'; ((x))",
            "if (( $(git push) )); then ls; fi", "case $((a[$(git push)])) in x) ls;; esac",
            "seq $((a[$(git push)]))", "select x in $((a[$(git push)])); do ls; done", "echo ${#a[$(git push)]}",
        ])
    func evaluated(line: String) throws {
        #expect(try effect(of: "git push", on: line) == "deny")
    }

    @Test(
        "and not in other texts",
        arguments: [
            "git commit -m 'a[0] is set, then git push'", "git commit -m 'Use a[0] and `git push`'",
            "x='a[$(git pull)]'; (( x ))", "echo '[$(git push)]'", "echo \"[$(date)] git push\"",
            "echo \"a[$(date)] git push\"", "awk '{a[$1]++} END {print \"git push\"}' x", "x='git push'",
        ])
    func notEvaluated(line: String) throws {
        #expect(try effect(of: "git push", on: line) == "free")
    }

    @Test(
        "the words of calls to confirm are found behind the same programs",
        arguments: [
            ("rye run rm x", true), ("chronic rm x", true), ("git submodule foreach rm x", true),
            ("asdf exec rm x", true), ("sudo op run -- rm x", true), ("git rm x", false), ("echo rm x", false),
            ("rye add rm", false), ("cargo test rm", false),
        ])
    func confirmed(line: String, isFound: Bool) {
        #expect((CommandMention.firstWord(of: line, naming: ["rm"]) != nil) == isFound)
    }

    /// Each text that holds the next one is read in several ways.
    @Test("texts that hold long texts, again and again, are not all read: each rule forbids them")
    func nested() throws {
        var text = String(repeating: "x;", count: 50_000)
        for level in 0..<4 {
            text = (level < 3 ? "-a=sh sh '" : "sh '") + text.replacing("'", with: "'\\''") + "'"
        }
        let seconds = try ProcessorTime.of {
            let effect = try effect(of: "git push", on: text)
            #expect(effect == "deny")
        }
        #expect(seconds < 2)
        let short = "sh -c '" + String(repeating: "x;", count: 2_000) + "'"
        #expect(try effect(of: "git push", on: short) == "free")
        // Of texts that nobody knows to be run a person is asked.
        let unknown = "frob '" + String(repeating: "x;", count: 50_000) + "'"
        #expect(try effect(of: "git push", on: unknown) == "ask")
    }

    /// What is linear takes up to three in a debug build, five beside other work; what is quadratic takes minutes.
    private static let mostSeconds = 10.0

    /// Each text is read once for each level of texts in texts, and what lies deeper may be anything.
    @Test("texts in texts are read in bounded time")
    func bounded() throws {
        func nested(_ levels: Int) -> String {
            (0..<levels).reduce("git push") { text, _ in "sh -c '" + text.replacing("'", with: "'\\''") + "'" }
        }
        for levels in [1, 3, 5, 7] { #expect(try effect(of: "git push", on: nested(levels)) == "deny") }
        let lines = [
            String(repeating: "sh -c ", count: 30_000) + "'git pull'",
            String(repeating: "sh -c 'x y' ;", count: 15_000),
            "sh " + String(repeating: "'x y' ", count: 30_000), "frob " + String(repeating: "git ", count: 50_000),
            String(repeating: "frob git pull;", count: 15_000), String(repeating: "uv run ", count: 30_000),
            "npx -c '" + String(repeating: "{a..z}{a..z} ", count: 10_000) + "'",
            "perl -e 'system " + String(repeating: "%w( ", count: 30_000) + "'",
            "node -e 'exec(" + String(repeating: "[\"a\", ", count: 30_000) + "'",
            "node -e 'exec(" + String(repeating: "/* \"a b\"", count: 15_000) + "'",
            "python3 -c 'system(" + String(repeating: "\"\"\"a (\" ", count: 15_000) + "'",
            String(repeating: "python3 -c 'system(\"git pull\")';", count: 4_000),
            String(repeating: "`{a..z}{a..z}{a..z}` ", count: 10_000),
            String(repeating: "'a[$({a..z}{a..z}{a..z})]' ", count: 8_000), String(repeating: "a[$(", count: 30_000),
            "sh -c '" + String(repeating: "x;", count: 100_000) + "'", String(repeating: "x;", count: 100_000),
            "frob " + String(repeating: "'x;x' ", count: 30_000),
            "git " + String(repeating: "-x 'a b' ", count: 20_000),
            "sh " + String(repeating: "-abcdefx=' y' ", count: 15_000),
            String(repeating: "x <<< 'a b';", count: 10_000),
            String(repeating: "${IFS", count: 40_000), "xargs " + String(repeating: "-I@ ", count: 30_000),
            "git $'" + String(repeating: "\\x61", count: 60_000) + "'",
            String(repeating: "python3 -X a/../b c;", count: 4_000),
            "bash " + String(repeating: "-a bash ", count: 30_000),
            "make " + String(repeating: "$a ", count: 80_000),
            "'" + String(repeating: "a[$(", count: 40_000) + "'", "npm " + String(repeating: "-x ins ", count: 30_000),
        ]
        for line in lines {
            let seconds = try ProcessorTime.of { _ = try effect(of: "git push", on: line) }
            #expect(seconds < Self.mostSeconds, "\(line.prefix(30)): \(seconds)")
        }
    }

    @Test("files that a line names, and texts that name commands, are looked for in bounded time")
    func filesBounded() throws {
        let lines = [
            "x=1; bash $x; " + String(repeating: "x='a b'; ", count: 10_000),
            "xargs bash <<< '" + String(repeating: "x.sh ", count: 15_000) + "'",
            String(repeating: "./r*.sh;", count: 10_000), "bash " + String(repeating: "x*.sh ", count: 15_000),
            String(repeating: "find x -exec sh {} ;", count: 6_000),
            "awk 'system' " + String(repeating: "x='a b' ", count: 12_000),
            "frob '" + String(repeating: "git(push) ", count: 10_000) + "'",
        ]
        for line in lines {
            let seconds = try ProcessorTime.of { _ = try effect(of: "./run.sh", on: line) }
            #expect(seconds < Self.mostSeconds, "\(line.prefix(30)): \(seconds)")
        }
    }
}
