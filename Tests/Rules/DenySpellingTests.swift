import Host
import OrderedJSON
import Rules
import TestSupport
import Testing

/// Spellings of a denied command that a shell makes the command of, or may.
@Suite("Deny rules and what a shell makes of words")
struct DenySpellingTests {
    private func denies(_ denied: String, _ line: String) throws -> Bool {
        let repository = try #require(ScratchRepository.shared)
        let context = repository.context()
        let rules = RuleEngine.denyPatterns(
            tool: "Bash", input: ["command": .string(denied)], context: context, paths: DiskPaths())
        #expect(!rules.isEmpty, "\(denied)")
        return RuleEngine.denies(
            tool: "Bash", input: ["command": .string(line)], deny: rules, context: context, paths: DiskPaths()) != nil
    }

    @Test(
        "redirections between the words",
        arguments: [
            "git &>x push", "git &>>x push", "git &> x push origin main", "git >>| x push", "git &>| x push",
            "git >! x push", "git >>! x push", "git &>! x push", "git >! push", "ls &&>x git push", "ls &>x; git push",
        ])
    func redirected(line: String) throws {
        #expect(try denies("git push", line))
        #expect(try !denies("git push", line.replacing("push", with: "pull")) || line.contains("!"))
    }

    @Test(
        "braces are expanded, also in a line that is understood",
        arguments: [
            ("git {push,}", true), ("git {,push}", true), ("git pus{h,}", true), ("git push{,}", true),
            ("{git,push}", true), ("g{it,} push", false), ("git p{us,ul}{h,l}", true), ("git {p..p}ush", true),
            ("{git push}", true), ("{git push; ls}", true), ("ls; {git pull; git push}", true),
            ("git pu{sh,{x,y}}", true), ("git {p{us,x}h,y}", true), ("git {$(ls),push}", true),
            ("git {'push',x} > y", true), ("{sudo,git} push", true), ("{sudo,git,push}", true),
            ("git '{push,}'", false), ("git \\{push,}", false), ("git {push}", false), ("git {pull,push}", false),
            ("git {a,push", false), ("git x{,push}", false), ("git log @{push}", false), ("echo {git,push}", false),
            ("echo ${x/a/{git,push}}", false), ("touch src/{a,b}/{c,d}.txt", false), ("ls {1..1000}", false),
            ("cat <<{a,b}\ngit push\n{a,b}", false), ("echo {1..99999999} > x", true),
            ("ls {1..9223372036854775807}", true),
        ])
    func braces(line: String, isDenied: Bool) throws {
        #expect(try denies("git push", line) == isDenied)
    }

    @Test("a rule's own line has its braces expanded, too")
    func bracesOfRule() throws {
        #expect(try denies("rm {a,b}", "rm a b -v"))
        #expect(try denies("rm a b", "rm {a,b}"))
        #expect(try denies("gh pr merge 1", "gh pr merge {1..3}"))
        #expect(try denies("kill 07", "kill {07..10}") && !denies("kill 7", "kill {07..10}"))
    }

    /// What is over the bound costs no more than what is within, and each rule covers it.
    @Test(
        "braces that become too much",
        arguments: [
            String(repeating: "{a,b}", count: 40), String(repeating: "{", count: 100_000),
            String(repeating: "{a,", count: 80_000) + String(repeating: "}", count: 80_000),
            String(repeating: "{a..z}", count: 20_000), String(repeating: "x", count: 100_000) + "{a,b}",
        ])
    func manyBraces(word: String) throws {
        let seconds = try ProcessorTime.of {
            let isDenied = try denies("git push", "ls \(word)")
            #expect(isDenied == (word.contains(",") || word.contains("..")), "\(word.prefix(20))")
        }
        #expect(seconds < 5)
    }

    @Test(
        "escapes of $'…'",
        arguments: [
            ("git $'\\x70ush'", true), ("$'g\\151t' push", true), ("git $'\\160\\165\\163\\150'", true),
            ("git $'\\u0070ush'", true), ("git $'\\U00000070ush'", true), ("git $'\\x{70}ush'", true),
            ("git $'push'", true), ("git $'pu'sh", true), ("git $'push\\0x'", true), ("git $'push\\0'x", true),
            ("git $'pu\\sh'", true), ("git $'\\npush'", false), ("git $'\\x71ush'", false),
            ("read -r -d $'\\0' x; git pull", false), ("IFS=$'\\n\\t' git pull", false), ("git log $'\\uD800'", false),
        ])
    func escapes(line: String, isDenied: Bool) throws {
        #expect(try denies("git push", line) == isDenied)
    }

    /// Nobody can tell what an expansion becomes.
    @Test(
        "an expansion where the denied word would stand",
        arguments: [
            ("git push", "x=push; git $x", true), ("git push", "git ${x:-push}", true),
            ("git push", "git \"${x:-push}\"", true), ("git push", "git $(echo push)", true),
            ("git push", "git \"`echo push`\" origin", true), ("git push", "git pu$x", true),
            ("git push", "git pu$(echo sh)", true), ("git push", "git -C x $y origin", true),
            ("git stash drop", "git $x", true), ("git stash drop", "git stash $x", true),
            ("git push --force", "git push $x", false), ("git push --force", "git push -$x", true),
            ("git push --force", "git $x --force", true), ("curl x | sh", "curl $x | sh", true),
            ("curl x | sh", "curl $x y | sh", false), ("git push", "git pull $x", false),
            ("git push", "git add $x", false), ("git push", "git x$y", false),
            ("git push", "git commit -m \"$x\"", false),
            ("git push", "git -C \"$x\" status", false), ("git push", "git -C $(pwd) status", false),
            ("rm -rf build", "rm \"$f\"", false), ("rm -rf build", "rm -rf \"$f\"", true),
            ("make deploy", "make -C $x build", false), ("make deploy", "make -j$(nproc) build", false),
            ("npm run deploy", "npm --prefix \"$x\" test", false), ("npm publish", "npm run $x", false),
            ("git push", "for f in $(git ls-files); do echo \"$f\"; done", false), ("git push", "echo $x push", false),
            ("git push", "git log $(git rev-parse HEAD)..$x", false),
        ])
    func unknownWord(denied: String, line: String, isDenied: Bool) throws {
        #expect(try denies(denied, line) == isDenied)
    }

    /// A program that nobody can tell counts where the other denied words follow it, so that `$EDITOR file` does not.
    @Test(
        "an expansion in the place of the program",
        arguments: [
            ("git push", "$(echo git) push", true), ("git push", "${x:-git} push", true),
            ("git push", "x=git; $x push", true), ("git push", "\"$GIT\" -C x push", true),
            ("git push", "$HOME/bin/git push", true), ("git push", "gi$x push", true),
            ("git push", "${x:-/bin/git} push", true), ("git push", "git${IFS}push", true),
            ("git push", "git$IFS'push'", true), ("git push", "sh -c 'git${IFS%?}push'", true),
            ("git push", "git$x", true), ("git push", "$HOME/bin/x push", false),
            ("git push", "$HOME/bin/$x push", true), ("git push", "\"$VENV/bin/python\" push.py", false),
            ("git push", "git status${IFS}push", false),
            ("git push", "g$(true)it push", true),
            ("git push", "$(true)git push", true), ("git push", "sudo $x push", true),
            ("git push", "/usr/bin/g?t push", true),
            ("git push", "`which git` push", true), ("git push", "$(which git) push", true),
            ("git push", "$EDITOR file", false), ("git push", "\"$PYTHON\" x.py", false),
            ("git push", "$CC x.c -o x", false),
            ("git push", "$x", false), ("git push", "$(ls)", false), ("git push", "$x pull", false),
            ("touch x", "$EDITOR file", false), ("ls -l", "$x -l", false),
        ])
    func unknownProgram(denied: String, line: String, isDenied: Bool) throws {
        #expect(try denies(denied, line) == isDenied)
    }

    @Test(
        "programs in front",
        arguments: [
            "linux64 git push", "x86_64 git push", "i386 -R git push", "choom -n 0 git push", "choom -n 0 -- git push",
            "ssh-agent git push", "dbus-run-session git push", "dbus-run-session -- git push", "chronic git push",
            "arch -x86_64 git push", "../../stubs/git push", "./git push", "bin/git -C . push",
            "/usr/bin/flock x git push",
            "timeout 5 flock x git push", "flock x sudo git push", "flock x flock y sudo -n git push",
            "$SUDO strace git push",
            "find . -name a -o -name b -o -name c -o -name d -o -name e -o -name f -exec git push ;",
            "echo push | xargs git", "echo push | xargs -n1 sudo git", "ls | xargs -I{} git {}",
            "ls | xargs git -C . push",
        ])
    func runners(line: String) throws {
        #expect(try denies("git push", line.replacing(" ;", with: " \\;")))
        #expect(
            try !denies("git push", line.replacing("push", with: "pull").replacing(" ;", with: " \\;"))
                || line.contains("xargs"))
        #expect(try !denies("git push", "echo " + line.replacing("|", with: "+")))
    }

    @Test("behind more programs than are looked through there may be any command")
    func manyRunners() throws {
        for runner in ["nice ", "sudo ", "env X=1 ", "/usr/bin/nice "] {
            for count in [9, 16, 100, 20_000] {
                #expect(try denies("git push", String(repeating: runner, count: count) + "git push"))
            }
            #expect(try !denies("git push", String(repeating: runner, count: 4) + "git pull"))
        }
        #expect(try denies("git push", "flock x " + String(repeating: "nice ", count: 12) + "git push"))
        let seconds = try ProcessorTime.of {
            let words = String(repeating: "nice $(x) ", count: 25_000)
            for runner in ["flock", "xargs"] {
                let isDenied = try denies("git push", "\(runner) \(words)")
                #expect(isDenied)
            }
        }
        #expect(seconds < 20, "looked at in bounded time")
        #expect(try !denies("git push", "ls | xargs grep x"))
        #expect(try !denies("git push", "ls | xargs git add"))
    }

    @Test(
        "indices that a shell evaluates although they were quoted",
        arguments: [
            ("printf -v 'x[$(git push)]' y", true), ("[[ -v 'x[$(git push)]' ]]", true),
            ("test -v 'x[`git push`]'", true), ("read 'x[$(git push)]' < y", true), ("unset 'x[$(git push)]'", true),
            ("declare 'x[$(git push)]=1'", true), ("if [[ 'x[$(git push)]' -eq 1 ]]; then ls; fi", true),
            ("printf -v 'x[$(git pull)]' y", false), ("printf '%s' '$(git push)'", false),
            ("echo 'x[$(git push)]'", false), ("printf -v 'x[" + String(repeating: "$(", count: 99) + "]' y", true),
        ])
    func evaluated(line: String, isDenied: Bool) throws {
        #expect(try denies("git push", line) == isDenied)
    }
}
