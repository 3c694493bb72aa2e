import Foundation
import Host
import OrderedJSON
import Rules
import Testing

/// Runs lines in bash and zsh with stubbed commands: a denied command that runs is found by its rule, whatever texts and
/// substitutions stand around it.
@Suite("Deny rules against bash and zsh")
struct DenyOracleTests {
    /// Commands with texts whose quotes, brackets and here documents are no syntax of the line.
    private static let texts = [
        "ls", "echo 'a b'", "echo \"it's\"", "echo it\\'s", "echo $'it\\'s'", "echo $'a\\\\'", "echo \"a\\\"b\"",
        "echo $\"it's\"", "echo 'a\"b'", "echo a#b", "echo $((1<<2))", "((x = 1 << 2))", "x=$((1 << 2)) ls",
        "git commit -m \"$(cat <<EOF\nthe user's (name\nEOF\n)\"",
        "git commit -m \"$(cat <<'EOF'\nDon't `x` \"\nEOF\n)\"",
        "git commit -m \"$(cat <<-EOF\n\tit's )\n\tEOF\n)\"", "cat <<EOF\nit's \"\ngit push\nEOF\nls",
        "cat <<'A' <<\"B\"\nit's\nA\n\"\nB\nls", "cat <<< \"it's\"", "echo \"$(ls # don't)\n)\"", "echo $(echo ')')",
        "echo \"$(echo \"a)\" 'b)')\"", "echo \"`echo \"a b\"`\"", "echo `echo 'a'`#b", "echo $(ls)#b",
        "echo \"$(case x in x) echo \"a\";; (y) ls;; esac)\"", "case x in x) ls;; esac", "echo \"${x:-'}\"",
        "echo \"$( (ls; ls) )\"", "ls 2>&1", "ls >/dev/null 2>&1", "# it's\nls", "ls # it's", "echo \"$(ls \\\n -l)\"",
        "[[ a == a ]]", "for x in \"it's\" b; do ls; done", "f() { ls; }", "echo \"\\$(ls\"", "echo \"\\`\"",
    ]
    private static let denied = [
        "git push", "git push origin 'a b' >/dev/null", "(git push)", "{ git push; }", "echo $(git push)",
        "echo \"a $(git push) b\"", "echo `git push`", "if ls; then git push; fi", "! git push", "git \\\n  push",
        "X='a b' git push", "2>/dev/null git push", "x=$(git push)", "while ! git push; do ls; done", "git push | cat",
        "ls | git push", "cat <(git push)", "git -C . push", "git $(ls) push", "git 2>/dev/null push",
        "command git push", "nohup git push", "env X=1 git push", "sudo -u me git -c a=b push --force",
        "git &>/dev/null push", "git &>>/dev/null push", "git {push,}", "git pus{h,}", "git push{,}", "{git,push}",
        "git p{us,}h", "git {p..p}ush", "git $'\\x70ush'", "git $'\\160ush'", "git $'\\u0070'ush", "x=push; git $x",
        "git ${x:-push}", "x=git; $x push", "git >! /dev/null push", "{git push}", "x=us; git p${x}h",
    ]
    private static let joints = [" && ", "; ", "\n", " ;\n", " && \\\n  ", "\n\n"]

    private static func line(_ generator: inout LineGenerator) -> String {
        var parts = (0...generator.below(3)).map { _ in generator.pick(texts) }
        parts.insert(generator.pick(denied), at: generator.below(parts.count + 1))
        var line = parts[0]
        for part in parts.dropFirst() { line += (line.hasSuffix("it's") ? "\n" : generator.pick(joints)) + part }
        switch generator.below(8) {
        case 0: return "echo \"$(\(line)\n)\"; ls"
        case 1: return "( \(line)\n) && ls"
        case 2: return "if ls; then \(line)\nfi"
        default: return line
        }
    }

    /// True for `git push`, also behind a program that would run it.
    private static func runs(_ words: [String]) -> Bool {
        ["git", "command", "nohup", "env", "sudo"].contains(words.first) && words.contains("git")
            && words.contains("push")
    }

    @Test("a denied command that runs is found", .timeLimit(.minutes(60)))
    func found() throws {
        let repository = try #require(ScratchRepository.shared)
        let context = repository.context()
        let rules = RuleEngine.denyPatterns(
            tool: "Bash", input: ["command": "git push"], context: context, paths: DiskPaths())
        var generator = LineGenerator(seed: 3, corpus: ["ls"])
        let lines = Set((0..<(600 * Corpus.scale)).map { _ in Self.line(&generator) }).sorted()
        let scratch = URL(filePath: repository.home).appending(path: "denied-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let missed = lines.indices.filter { index in
            RuleEngine.denies(
                tool: "Bash", input: ["command": .string(lines[index])], deny: rules, context: context,
                paths: DiskPaths()) == nil
        }
        for shell in try StubbedShell.all() {
            let records = try shell.run(lines.map { ($0, scratch.path) }, status: 0, scratch: scratch)
            let ran = Set(records.filter { Self.runs($0.words) }.map(\.line))
            #expect(ran.count > lines.count / 2, "\(shell.name)")
            for index in missed where ran.contains(index) {
                Issue.record("\(shell.name) ran what is denied: \(lines[index].debugDescription)")
            }
        }
    }
}
