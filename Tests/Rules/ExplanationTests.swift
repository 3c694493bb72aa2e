import Host
import Rules
import Testing

@Suite("Explanations, and what only reads")
struct ExplanationTests {
    private func explain(_ line: String) throws -> Explanation {
        let repository = try #require(ScratchRepository.shared)
        return RuleEngine.explain(line: line, context: repository.context(), paths: DiskPaths())
    }

    @Test("the parts, their keys and rows")
    func parts() throws {
        let explanation = try explain("cd src && git log -5 | head -3; echo done")
        #expect(explanation.stop == nil)
        #expect(explanation.parts.map(\.key) == [nil, "git log", nil, "echo"])
        #expect(explanation.parts.map(\.isFree) == [true, false, true, true])
        #expect(explanation.patterns.map(\.text) == ["Bash(git log:*)"])
        #expect(explanation.parts[1].row == "git log")
        #expect(explanation.parts[1].reason?.contains("--output") == true)
        #expect(explanation.description.contains("allow for session: Bash(git log:*)"))
    }

    @Test(
        "why there is no key",
        arguments: [
            ("rm x", "cdev does not know the command rm"), ("ls --frob", "does not know the option --frob"),
            ("cat ../x", "leads outside the project"), ("cat .env", "sensitive"), ("cat $x", "the shell may change"),
            ("ls | sh", "behind `|`"), ("cd src; ls", "`cd` counts only"), ("git -C nested status", "repository"),
            ("git -C none status", "not a plain directory"), ("python3 none.py", "not a file in the project"),
            ("git branch x", "one word more"), ("test", "one option is missing"),
            ("head -n", "the value of -n is missing"),
        ])
    func refusals(line: String, words: String) throws {
        let refusals = try explain(line).parts.compactMap(\.refusal).joined(separator: "\n")
        #expect(refusals.contains(words), "\(refusals)")
    }

    @Test("where it stops")
    func stops() throws {
        let explanation = try explain("ls & rm x")
        #expect(explanation.stop?.reason == .ampersand)
        #expect(explanation.parts.isEmpty && explanation.patterns.isEmpty)
        #expect(explanation.description.contains("at byte 3"))
    }

    @Test(
        "only reads: every word is settled by such a row, wherever paths lead",
        arguments: [
            ("ls", true), ("git status && git log --output=x", false), ("cat /etc/hosts ~/x ../y", true),
            ("git log -- .env", true),
            ("grep -f x y", false), ("sed -n 'w x'", false), ("sed -n 'w x' a", false), ("yarn --version", false),
            ("cargo tree", false), ("tree -o x", false), ("diff a /etc/hosts", true), ("cat $(x)", false),
            ("cat ~root/x", false), ("cat a | head", true), ("echo hi", true),
            ("cd src && ls", true), ("find . -delete", false), ("find / -name x", true), ("git branch -D x", false),
            ("pwd", true),
            ("git --no-pager diff", true), ("git -C src diff", true), ("[ -f a ]", true), ("git remote -v", true),
            ("sed -n 1p a", true), ("sed -i x a", false), ("git config x y", false), ("git remote add x y", false),
            ("rm x", false), ("ls && rm x", false), ("ls | xargs rm", false), ("make", false), ("npm test", false),
            ("git commit -m x", false), ("git push", false), ("touch x", false), ("mkdir x", false),
            ("ls $(id)", false),
            ("ls > x", false), ("ls & ls", false), ("", false), ("./run.sh", false), ("python3 gen.py", false),
            ("git -C nested status", false), ("git -C .. status", false), ("git stash", false),
            ("git stash list", true),
            ("cd .. && ls", false), ("gitstatus", false), ("command ls", false), ("command -v ls", true),
        ])
    func onlyReads(line: String, expected: Bool) throws {
        let repository = try #require(ScratchRepository.shared)
        #expect(
            RuleEngine.onlyReads(line: line, context: repository.context(), paths: DiskPaths()) == expected, "\(line)")
    }

    @Test("a call with more than a command is not understood")
    func members() throws {
        let repository = try #require(ScratchRepository.shared)
        #expect(
            !RuleEngine.onlyReads(
                input: ["command": "ls", "sandbox": false], context: repository.context(), paths: DiskPaths()))
        #expect(RuleEngine.onlyReads(input: ["command": "ls"], context: repository.context(), paths: DiskPaths()))
    }
}
