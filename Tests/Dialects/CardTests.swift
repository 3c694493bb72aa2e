import Core
import Dialects
import OrderedJSON
import TestSupport
import Testing

@Suite struct CardTests {
    static let texts: [(tool: String, input: JSON, expected: [JSON])] = [
        ("Bash", ["command": "ls", "description": "List"], ["bash_command", "ls", "List", ""]),
        (
            "Bash", ["command": .string(String(repeating: "x", count: 81))],
            [
                "bash_command", .string(String(repeating: "x", count: 81)),
                .string(String(repeating: "x", count: 77) + "..."), "",
            ]
        ),
        ("Bash", [:], ["bash_command", "", "", ""]),
        ("Bash", 7, ["bash_command", "", "", ""]),
        (
            "Write", ["file_path": "/p/a.ts", "content": "1\n2\n3\n4\n5\n6"],
            ["file_write", "/p/a.ts", "Write to a.ts", "1\n2\n3\n4\n5\n..."]
        ),
        ("Write", ["content": "1\n2"], ["file_write", "", "Write file", "1\n2"]),
        ("Edit", ["file_path": "/p/a.ts", "new_string": "n"], ["file_edit", "/p/a.ts", "Edit a.ts", "n"]),
        ("MultiEdit", ["file_path": "/a", "edits": [["new_string": "n"]]], ["file_edit", "/a", "Edit a", "n"]),
        (
            "NotebookEdit", ["notebook_path": "/a.ipynb", "new_source": "n"],
            ["file_edit", "/a.ipynb", "Edit a.ipynb", "n"]
        ),
        ("Read", ["file_path": "/etc/hosts"], ["file_read", "/etc/hosts", "Read hosts", ""]),
        ("Read", [:], ["file_read", "", "Read file", ""]),
        (
            "mcp__my_lab__echo", ["query": "q"],
            ["mcp_tool", "q", "Use MCP my_lab/echo: q", ""]
        ),
        ("mcp__lab__echo", ["text": "x"], ["mcp_tool", "lab/echo", "Use MCP tool: lab/echo", ""]),
        ("mcp__broken", [:], ["tool_use", "", "Use mcp__broken tool", ""]),
        ("WebFetch", ["url": "https://x"], ["tool_use", "https://x", "Use WebFetch tool", ""]),
        ("ExitPlanMode", ["plan": "# P"], ["tool_use", "", "Leave plan mode and begin", "# P"]),
        (
            "AskUserQuestion",
            ["questions": [["question": "Color?", "options": [["label": "Red"], ["label": "Blue"]]]]],
            ["tool_use", "Color?", "Claude asks: Color?", "Color? Red / Blue"]
        ),
    ]

    @Test(arguments: texts)
    func saysWhatItIsAbout(tool: String, input: JSON, expected: [JSON]) {
        let card = PermissionCard.params(of: heldRequest(tool: tool, input: input), limit: nil)
        #expect(["type", "target", "description", "preview"].map { card[$0] } == expected)
    }

    /// Swift sorts the marks on a letter to compare it: a card of 400 KB of them kept the others back for 12 s.
    @Test(arguments: [("Write", "content"), ("Read", "file_path"), ("Bash", "command"), ("ExitPlanMode", "plan")])
    func aLetterWithManyMarksTakesNoTime(tool: String, member: String) {
        func time(_ marks: Int) -> Double {
            let text = "/a" + String(repeating: "\u{0315}\u{0300}", count: marks / 2)
            let held = heldRequest(tool: tool, input: [member: .string(text)])
            return ProcessorTime.of { _ = PermissionCard.params(of: held, limit: nil) }
        }
        #expect(time(100_000) < 150 * time(1_000))
    }

    static let tools: [(tool: String, expected: JSON)] = [
        (
            "Bash",
            ["shell_command", ["command": "command", "note": "description", "timeout": "timeout"], "Run a command"]
        ),
        ("Write", ["file_changes", ["content": "content", "file": "file_path"], "Write a file"]),
        ("ExitPlanMode", ["plan", ["plan": "plan"], "Review the plan"]),
    ]

    /// For who does not know the names that an agent gives to its tools.
    @Test(arguments: tools)
    func saysWhatTheToolIs(tool: String, expected: JSON) {
        let card = PermissionCard.params(of: heldRequest(tool: tool, input: [:]), limit: nil)
        #expect(JSON.array(["kind", "members", "title"].map { card[$0] ?? .null }) == expected)
    }

    @Test func saysWhatHasToBeConfirmed() {
        var request = heldRequest()
        #expect(PermissionCard.params(of: request, limit: nil)["confirm"] == JSON.null)
        request.confirm = "rm"
        #expect(PermissionCard.params(of: request, limit: nil)["confirm"] == ["prompt": "rm"])
    }

    @Test func saysWhyTheCallIsMade() {
        var request = heldRequest()
        let nothing: JSON = ["title": nil, "prompt": nil, "last_words": nil]
        #expect(PermissionCard.params(of: request, limit: nil)["context"] == nothing)
        request.context = CallContext(title: "t", prompt: "p", lastWords: "w")
        let context: JSON = ["title": "t", "prompt": "p", "last_words": "w"]
        #expect(PermissionCard.params(of: request, limit: nil)["context"] == context)
    }

    @Test func saysWhatForSessionMeansAndWhatLiesOutside() {
        var request = heldRequest()
        request.patterns = []
        let plain = PermissionCard.params(of: request, limit: nil)
        #expect(plain["scope_words"] == JSON.null && plain["outside"] == false)
        (request.patterns, request.root, request.isOutside) = (["Bash(touch:*)"], "/h/proj", true)
        let card = PermissionCard.params(of: request, limit: nil)
        #expect(card["scope_words"] == "any `touch …` in proj, until the session ends or you revoke it")
        #expect(card["outside"] == true)
        request.isOutside = nil
        #expect(PermissionCard.params(of: request, limit: nil)["outside"] == JSON.null)
    }

    @Test func showsHiddenCharacters() {
        let input: JSON = ["command": "ls \u{202E}x\r\u{1B}[2K\n\tok 👩🏽‍💻 é", "more": [["k\u{200B}": "a\u{A0}b"]]]
        let card = PermissionCard.params(of: heldRequest(input: input), limit: nil)
        #expect(card["target"] == "ls \\u{202E}x\\u{000D}\\u{001B}[2K\n\tok 👩🏽\\u{200D}💻 é")
        let expected: JSON = [
            ["path": "$.tool_input.command", "offset": 3, "character": "U+202E"],
            ["path": "$.tool_input.command", "offset": 5, "character": "U+000D"],
            ["path": "$.tool_input.command", "offset": 6, "character": "U+001B"],
            ["path": "$.tool_input.command", "offset": 17, "character": "U+200D"],
            ["path": "$.tool_input.more[0]", "offset": 1, "character": "U+200B"],
            ["path": "$.tool_input.more[0]['k\\\\u{200B}']", "offset": 1, "character": "U+00A0"],
        ]
        #expect(card["hidden_characters"] == expected)
        #expect(card["tool_input"] == input)
    }

    @Test func countsHiddenCharactersItDoesNotList() {
        let input: JSON = ["command": .string(String(repeating: "\u{200B}", count: 70))]
        let list = PermissionCard.params(of: heldRequest(input: input), limit: nil)["hidden_characters"]?.arrayValue
        #expect(list?.count == 65 && list?.last == ["more": 6])
    }

    /// Each larger than 32 KiB.
    static let large: [(String, JSON)] = [
        ("one string", ["command": .string(String(repeating: "a", count: 90_000))]),
        ("escapes", ["command": .string(String(repeating: "\u{1}\"\n", count: 12_000))]),
        ("characters of many bytes", ["command": .string(String(repeating: "👩🏽‍💻", count: 6_000))]),
        (
            "many strings",
            .object(JSONObject((0..<400).map { ("k\($0)", .string(String(repeating: "é", count: 150))) }))
        ),
        (
            "two lengths",
            ["a": .string(String(repeating: "a", count: 33_000)), "b": .string(String(repeating: "b", count: 100))]
        ),
        ("numbers", ["list": .array((0..<12_000).map { .number(JSONNumber($0)) })]),
        ("short strings", ["list": .array((0..<4_000).map { .string("number \($0)") })]),
        ("a long key", .object([String(repeating: "k", count: 40_000): 1])),
        (
            "long keys and texts",
            .object([String(repeating: "k", count: 20_000): .string(String(repeating: "v", count: 30_000))])
        ),
        ("no object", .string(String(repeating: "s", count: 40_000))),
    ]

    @Test(arguments: large.indices, ["Bash", "mcp__a__b"])
    func fitsWhatItMust(index: Int, tool: String) throws {
        let (name, input) = Self.large[index]
        let request = heldRequest(tool: tool, input: input, patterns: ["Bash(npm test:*)"])
        let params = PermissionCard.params(of: request, limit: 32_768)
        #expect(JSON.object(params).serialized().utf8.count <= 32_768, "\(name)")
        #expect(params["truncated"] != [:] && params["request_id"] == "r_1" && params["session_id"] == "s1")
        #expect(params["options"]?.arrayValue?.count == 3)
    }

    @Test func fitsAFrame() throws {
        let input: JSON = ["command": .string(String(repeating: "\u{1}\"\n", count: 150_000))]
        let event = EventRecord(
            sequence: 1, at: moment(0), sessionID: "s1", body: .permission(heldRequest(input: input)))
        let bytes = EventEncoder.encode(.record(event))
        #expect(bytes.count <= 1 << 20 && bytes.count > 1_000_000)
    }

    @Test func cutsTheLongestStringsAndSaysHowLongTheyWere() throws {
        let input: JSON = [
            "file_path": "/p/a.ts", "edits": [["new_string": .string(String(repeating: "👩🏽‍💻", count: 80_000))]],
        ]
        let event = EventRecord(
            sequence: 1, at: moment(0), sessionID: "s1", body: .permission(heldRequest(tool: "Edit", input: input)))
        let params = try #require(try JSON(parsing: EventEncoder.encode(.record(event)))["params"])
        #expect(params["tool_input"]?["file_path"] == "/p/a.ts")
        #expect(params["truncated"] == ["$.tool_input.edits[0].new_string": 1_200_000])
        let text = try #require(params["tool_input"]?["edits"]?.arrayValue?.first?["new_string"]?.stringValue)
        #expect(text.allSatisfy { $0 == "👩🏽‍💻" } && text.utf8.count > 900_000)
    }

    @Test func cutsResultsOfTools() throws {
        let run = ToolRun(
            useID: "t", tool: .claude("Bash"), toolInput: ["command": "x"], sessionID: "s1", cwd: "/p", agentID: nil,
            transcriptPath: "", permissionMode: .default, startedAt: moment(0))
        let response: JSON = ["stdout": .string(String(repeating: "o", count: 1_500_000))]
        let body = EventBody.toolEnd(run, response: KeptJSON(response), isError: false, durationMilliseconds: nil)
        let bytes = EventEncoder.encode(.record(EventRecord(sequence: 1, at: moment(0), sessionID: "s1", body: body)))
        #expect(bytes.count <= 1 << 20 && bytes.count > 1_000_000)
        #expect(try JSON(parsing: bytes)["params"]?["truncated"]?["$.tool_result.stdout"] == 1_500_000)
    }

    @Test(arguments: [nil, 5000]) func saysWhereAnEndHasNotAllOfTheInput(bytes: Int?) throws {
        let run = ToolRun(
            useID: "t", tool: .claude("Bash"), toolInput: ["command": "x…"], inputBytes: bytes, sessionID: "s1",
            cwd: "/p",
            agentID: nil, transcriptPath: "", permissionMode: .default, startedAt: moment(0))
        let body = EventBody.toolEnd(run, response: KeptJSON(.null), isError: true, durationMilliseconds: nil)
        let event = EventEncoder.encode(.record(EventRecord(sequence: 1, at: moment(0), sessionID: "s1", body: body)))
        let expected: JSON? = bytes.map { ["$.tool_input": .number(JSONNumber($0))] }
        #expect(try JSON(parsing: event)["params"]?["truncated"] == expected)
    }
}
