import Host
import OrderedJSON
import Rules
import Testing

/// Words that a shell or a program puts in the place of others.
@Suite("Deny rules and what is put into a command")
struct DenyPlaceholderTests {
    private func denies(_ line: String) throws -> Bool {
        let context = try #require(ScratchRepository.shared).context()
        let rules = RuleEngine.denyPatterns(
            tool: "Bash", input: ["command": "git push"], context: context, paths: DiskPaths())
        return RuleEngine.denies(
            tool: "Bash", input: ["command": .string(line)], deny: rules, context: context, paths: DiskPaths()) != nil
    }

    /// The name of a file stands in the place of a process substitution, and any word in that of `${ …; }`.
    @Test(
        "substitutions among the words",
        arguments: [
            "xargs -a <(echo x) git push", "/usr/bin/time -o >(cat) git push", "git --git-dir <(x) push",
            "git -c <(x) push", "sudo -C <(x) git push", "stdbuf -o <(x) git push", "git --git-dir =(x) push",
            "echo ${ git push; }", "echo \"${ git push; }\"", "echo \"${| git push;}\"",
            "echo \"${x:-${ git push; }}\"",
            "cat <<E\n${ git push; }\nE", "echo \"${ ls; }\"; git push", "echo ${\nls \"a\"\n}; git push",
            "echo ${ ls \"}\"; }; git push", "echo ${ echo ${x} }; }; git push", "git ${ echo push; }",
            "git pus(h)", "git pu@(sh)", "git *(push)",
        ])
    func substitutions(line: String) throws {
        #expect(try denies(line))
    }

    @Test(
        "and none where there is none",
        arguments: [
            "diff <(git show a) <(git show push)", "git diff <(x) push", "git <(x)", "echo ${ git pull; }",
            "echo \"${ ls; } git push\"", "x=${ ls; } && git pull", "f() { git pull; }; f",
            "if (git pull); then ls; fi", "ls x(.) push",
        ])
    func noSubstitutions(line: String) throws {
        #expect(try !denies(line))
    }

    @Test(
        "names that a program reads or finds",
        arguments: [
            "echo sh | xargs -I@ git pu@", "echo push | xargs -I{} sh -c 'git {}'", "xargs -0I@ git pu@",
            "xargs -i sh -c 'git {}'", "xargs -J % git %", "xargs --replace git push", "xargs --max-lines git push",
            "xargs -I@ -I% sh -c 'ls; git %'", "find . -exec git {} \\;", "find . -exec sh -c 'git {}' \\;",
            "find . -exec git pu{} +", "fd x -x git {}", "fd x -x git", "fd -x sh -c 'git {/}'",
            "parallel 'git {}' ::: push", "parallel git pu{1} ::: sh", "parallel -I@ git @ ::: push",
            "ls | entr git /_", "zargs -- push -- git", "sudo xargs -I@ git @", "ls | uv run xargs -I@ git pu@",
        ])
    func names(line: String) throws {
        #expect(try denies(line))
    }

    @Test(
        "and other commands of these programs",
        arguments: [
            "find . -name '{}' -exec git add {} \\;", "ls | xargs -I{} git show {}", "fd x -x git add",
            "xargs -I@ git add @", "find . -exec grep 'git push' {} +", "parallel git add ::: push",
            "ls | xargs -I{} sh -c 'echo {} git push'",
        ])
    func otherNames(line: String) throws {
        #expect(try !denies(line))
    }
}
