import Agents
import Core
import OrderedJSON
import TestSupport
import Testing

@Suite("What has to be confirmed, and with which word")
struct ConfirmListTests {
    static let lines: [(line: String, word: String?)] = [
        ("rm -rf build", "rm"), ("ls", nil), ("rmdir x", nil), ("farm x", nil), ("git rm x", nil), ("echo rm", nil),
        ("/bin/rm x", "/bin/rm"), ("./rm x", "./rm"), ("'rm' x", "rm"), ("\"rm\" x", "rm"),
        // Every command of the line counts.
        ("cd x && rm y", "rm"), ("ls; rm y", "rm"), ("ls | rm y", "rm"), ("ls || rm y", "rm"), ("ls\nrm y", "rm"),
        ("timeout 5 rm x", "rm"), ("CI=1 rm x", "rm"), ("ls && echo \"rm\"", nil),
        // Commands that another program is told to run.
        ("sudo rm x", "rm"), ("env rm x", "rm"), ("find . -name x -exec rm y", "rm"), ("sh -c 'rm x'", "rm"),
        ("ls | xargs rm", "rm"), ("/usr/bin/env rm", "rm"), ("sudo ls", nil), ("sh -c 'farm x'", nil),
        ("busybox rm x", "rm"), ("toybox rm x", "rm"), ("npm exec -- rm x", "rm"), ("npm run build", nil),
        ("npx -c 'rm x'", "rm"), ("pnpm exec rm x", "rm"), ("pnpx rm x", "rm"), ("yarn exec rm x", "rm"),
        ("bun x rm", "rm"), ("corepack yarn exec rm", "rm"), ("kubectl exec pod -- rm x", "rm"),
        ("kubectl get pods", nil), ("oc exec pod -- rm x", "rm"), ("nerdctl exec c rm x", "rm"),
        ("runuser -u me -- rm x", "rm"), ("runuser me -c 'rm x'", "rm"), ("systemd-run --user rm x", "rm"),
        ("run0 rm x", "rm"), ("pkexec rm x", "rm"), ("setpriv --reuid=1 rm x", "rm"), ("gosu me rm x", "rm"),
        ("sg wheel 'rm x'", "rm"), ("uv run rm x", "rm"), ("uv pip install x", nil), ("uvx rm", "rm"),
        ("poetry run rm x", "rm"), ("poetry install", nil), ("pipenv run rm x", "rm"), ("pdm run rm x", "rm"),
        ("hatch run rm x", "rm"), ("conda run -n x rm y", "rm"), ("bundle exec rm x", "rm"),
        ("mise exec -- rm x", "rm"),
        ("direnv exec . rm x", "rm"), ("nix-shell --run 'rm x'", "rm"), ("nix shell x -c rm y", "rm"),
        ("unshare -r rm x", "rm"), ("nsenter -t 1 rm x", "rm"), ("taskset 1 rm x", "rm"), ("chrt 1 rm x", "rm"),
        ("setarch -R rm x", "rm"), ("prlimit -n9 rm x", "rm"), ("numactl -N0 rm x", "rm"), ("fakeroot rm x", "rm"),
        ("bwrap --bind / / rm x", "rm"), ("firejail rm x", "rm"), ("proot rm x", "rm"), ("ltrace rm x", "rm"),
        ("ls | entr rm x", "rm"), ("watchexec rm x", "rm"), ("hyperfine 'rm x'", "rm"), ("screen -dm rm x", "rm"),
        ("xvfb-run rm x", "rm"), ("dbus-run-session rm x", "rm"), ("sshpass -p x ssh h rm y", "rm"),
        ("mosh h rm x", "rm"), ("trap 'rm x' EXIT", "rm"), ("trap - EXIT", nil), ("fish -c 'rm x'", "rm"),
        ("csh -c 'rm x'", "rm"), ("tcsh -c 'rm x'", "rm"), ("ash -c 'rm x'", "rm"), ("mksh -c 'rm x'", "rm"),
        // Lines that are not understood: a mention is enough.
        ("echo $(rm x)", "rm"), ("FOO=1 rm x", "rm"), ("(rm x)", "rm"), ("rm x &", "rm"),
        ("if true; then rm x; fi", "rm"),
        ("r\\m x", "rm"), ("r''m $(x)", "rm"), ("cat <<X\nrm\nX", "rm"), ("echo \"$(date)\" rm", "rm"),
        ("echo $(date) # rm", "rm"), ("echo $(date) farm", nil), ("echo $(date) rm_x", nil),
        ("echo $(date) a-rm", "rm"),
        ("/bin/rm $(x)", "/bin/rm"), ("rm\u{200B} x", "rm"), ("rm 'unclosed", "rm"), ("", nil),
    ]

    @Test(arguments: lines)
    func whichLines(line: String, word: String?) throws {
        let list = try #require(ConfirmList(["Bash(rm)"]))
        #expect(list.prompt(for: .claude("Bash"), input: ["command": .string(line)]) == word, "\(line)")
    }

    @Test("a line over the splitter's ceiling is looked through all the same")
    func longLines() throws {
        let list = try #require(ConfirmList(["Bash(rm)"]))
        let filler = String(repeating: "echo aaaaaaaa; ", count: 2000)
        #expect(list.prompt(for: .claude("Bash"), input: ["command": .string(filler + "rm x")]) == "rm")
        #expect(list.prompt(for: .claude("Bash"), input: ["command": .string(filler)]) == nil)
    }

    @Test("of several words the first listed one counts", arguments: lines.map(\.line))
    func severalWords(line: String) throws {
        let words = ["git", "ls", "sudo", "rm", "sh", "echo", "x", "npm", "FOO"]
        for from in words.indices {
            let rest = words[from...] + words[..<from]
            let alone = try rest.map { try #require(ConfirmList(["Bash(\($0))"])) }
            let together = try #require(ConfirmList(rest.map { "Bash(\($0))" }))
            let prompt = { (list: ConfirmList) in list.prompt(for: .claude("Bash"), input: ["command": .string(line)]) }
            #expect(prompt(together) == alone.lazy.compactMap(prompt).first, "\(rest)")
        }
    }

    /// Read once for each entry, most of these lines would take many minutes.
    @Test(
        "a line is read once, however long the list is", .timeLimit(.minutes(1)),
        arguments: [("x;", 3900), ("sh -c ", 1300), ("$(", 3900), ("x ", 9000)])
    func longLists(piece: String, count: Int) throws {
        let line = String(repeating: piece, count: count)
        let list = try #require(ConfirmList((0..<200_000).map { "Bash(w\($0))" } + ["Bash(x)", "Bash(sh)"]))
        let first = line.first { "xs".contains($0) }
        #expect(
            list.prompt(for: .claude("Bash"), input: ["command": .string(line)])
                == first.map { $0 == "x" ? "x" : "sh" })
    }

    static let tools: [(list: [String], tool: String, input: JSON, word: String?)] = [
        ([], "Bash", ["command": "rm x"], nil), (["Write"], "Write", [:], "Write"), (["Write"], "write", [:], nil),
        (["Write"], "WriteX", [:], nil), (["Bash"], "Bash", ["command": "cd x && rm y"], "cd"),
        (["Bash"], "Bash", ["command": "$X rm"], "Bash"), (["Bash"], "Bash", [:], "Bash"),
        (["Bash"], "Bash", 7, "Bash"), (["Bash", "Bash(rm)"], "Bash", ["command": "cd x && rm y"], "rm"),
        (["Bash(rm)"], "Bash", ["command": 7], nil), (["Bash(rm)"], "Other", ["command": "rm x"], nil),
        (["mcp__a__b"], "mcp__a__b", [:], "mcp__a__b"), (["mcp__a__b"], "mcp__a__bc", [:], nil),
        (["mcp__a"], "mcp__a__b", [:], "mcp__a__b"), (["mcp__a"], "mcp__ab__c", [:], nil),
        (["mcp__a__*"], "mcp__a__b", [:], "mcp__a__b"), (["mcp__a__del*"], "mcp__a__delete", [:], "mcp__a__delete"),
        (["mcp__a__del*"], "mcp__a__get", [:], nil), (["mcp__*"], "mcp__b__c", [:], "mcp__b__c"),
        (["mcp__my_lab"], "mcp__my_lab__x", [:], "mcp__my_lab__x"),
    ]

    @Test(arguments: tools)
    func whichTools(list: [String], tool: String, input: JSON, word: String?) throws {
        #expect(try #require(ConfirmList(list)).prompt(for: .claude(tool), input: input) == word)
    }

    @Test(arguments: [
        "", "Bash()", "Bash(rm -rf)", "Bash(rm:*)", "Bash(/bin/rm)", "Bash(rm", "Edit(/x)", "Write*", "*", "a b",
        "mcp__",
        "Bash(*)",
    ])
    func isRefused(spelling: String) {
        #expect(ConfirmList(["Write", spelling]) == nil, "\(spelling)")
    }
}
