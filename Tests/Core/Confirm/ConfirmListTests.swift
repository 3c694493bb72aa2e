import Core
import OrderedJSON
import Testing

@Suite("What has to be confirmed, and with which word")
struct ConfirmListTests {
    static let lines: [(line: String, word: String?)] = [
        ("rm -rf build", "rm"), ("ls", nil), ("rmdir x", nil), ("farm x", nil), ("git rm x", nil), ("echo rm", nil),
        ("/bin/rm x", "/bin/rm"), ("./rm x", "./rm"), ("'rm' x", "rm"), ("\"rm\" x", "rm"),
        // Any command of the line.
        ("cd x && rm y", "rm"), ("ls; rm y", "rm"), ("ls | rm y", "rm"), ("ls || rm y", "rm"), ("ls\nrm y", "rm"),
        ("timeout 5 rm x", "rm"), ("CI=1 rm x", "rm"), ("ls && echo \"rm\"", nil),
        // What another program is told to run.
        ("sudo rm x", "rm"), ("env rm x", "rm"), ("find . -name x -exec rm y", "rm"), ("sh -c 'rm x'", "rm"),
        ("ls | xargs rm", "rm"), ("/usr/bin/env rm", "rm"), ("sudo ls", nil), ("sh -c 'farm x'", nil),
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
        #expect(list.prompt(for: "Bash", input: ["command": .string(line)]) == word, "\(line)")
    }

    @Test("a line over the splitter's ceiling is looked through all the same")
    func longLines() throws {
        let list = try #require(ConfirmList(["Bash(rm)"]))
        let filler = String(repeating: "echo aaaaaaaa; ", count: 2000)
        #expect(list.prompt(for: "Bash", input: ["command": .string(filler + "rm x")]) == "rm")
        #expect(list.prompt(for: "Bash", input: ["command": .string(filler)]) == nil)
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
        #expect(try #require(ConfirmList(list)).prompt(for: tool, input: input) == word)
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
