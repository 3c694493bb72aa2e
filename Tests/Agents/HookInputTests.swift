import Agents
import Core
import OrderedJSON
import TestSupport
import Testing
import Wire

@Suite struct HookInputTests {
    @Test func readsWhatClaudeCodeSends() throws {
        let input = #"""
            {"session_id":"s1","transcript_path":"/c/t.jsonl","cwd":"/p","prompt_id":"p1","permission_mode":"acceptEdits",
             "hook_event_name":"PreToolUse","agent_id":"a1","agent_type":"general-purpose",
             "tool_name":"Bash","tool_input":{"command":"echo hi"},"tool_use_id":"toolu_1","new":[1]}
            """#
        let event = try AgentEvent(hookInput: Array(input.utf8))
        #expect(event.name == .preToolUse)
        #expect(event.sessionID == "s1" && event.cwd == "/p" && event.promptID == "p1")
        #expect(event.permissionMode == .acceptEdits && event.agentID == "a1" && event.agentType == "general-purpose")
        #expect(event.tool == ToolCall(name: "Bash", input: ["command": "echo hi"], useID: "toolu_1"))
        #expect(event.everything["new"] == [1])
    }

    @Test(arguments: [
        #"{"session_id":"s"}"#,
        #"{"session_id":"s","hook_event_name":7,"cwd":null,"prompt_id":[],"permission_mode":{},"agent_id":1}"#,
        #"{"session_id":"s","tool_name":"","tool_input":5,"tool_use_id":9}"#,
    ])
    func toleratesOddFields(input: String) throws {
        let event = try AgentEvent(hookInput: Array(input.utf8))
        #expect(event.name == .other("") && event.cwd == "" && event.promptID == nil && event.tool == nil)
        #expect(event.permissionMode == .unknown(""))
    }

    private func event(marks: Int) throws -> AgentEvent {
        let text = "a" + String(repeating: "\u{0315}\u{0300}", count: marks / 2)
        let input: JSON = [
            "session_id": "s", "hook_event_name": .string(text), "prompt": .string("<" + text), "source": .string(text),
            "notification_type": .string(text), "tool_name": "Bash", "tool_input": ["command": .string(text), text: 1],
        ]
        return try AgentEvent(hookInput: input.serializedBytes())
    }

    /// Swift sorts the marks on a letter to compare it: a name of 32 KB took a second of every session's time.
    @Test func aLetterWithManyMarksIsCutButInTheCallsInput() throws {
        let cut = try event(marks: 30_000)
        #expect(cut.name.spelling.unicodeScalars.count == 33 && cut.details.isInputUncertain)
        #expect(try !event(marks: 30).details.isInputUncertain)
        #expect(
            cut.tool?.input["command"]?.stringValue?.unicodeScalars.count == 30_001, "shown whole, or said not to be")
        let few = try ProcessorTime.of { _ = try event(marks: 2_000) }
        #expect(try ProcessorTime.of { _ = try event(marks: 60_000) } < 150 * few)
    }

    /// Measured against the square of its length, an id of 30 KB took 150 ms of every session's time.
    @Test func anIDOfManyLettersIsReadInATimeOfItsLength() {
        func time(_ count: Int) -> Double {
            let id = JSON.string(String(repeating: "é", count: count))
            return ProcessorTime.of { _ = id.idValue }
        }
        #expect(time(100_000) < 80 * time(4_000))
    }

    @Test func takesAToolWithoutInputOrID() throws {
        let event = try AgentEvent(hookInput: Array(#"{"session_id":"s","tool_name":"Bash","tool_use_id":""}"#.utf8))
        #expect(event.tool == ToolCall(name: "Bash", input: [:], useID: nil))
    }

    @Test(arguments: [
        ("", "not JSON"), ("{", "not JSON"), ("[1,2]", "JSON object"), ("null", "JSON object"),
        ("{}", "session_id"), (#"{"session_id":""}"#, "session_id"), (#"{"session_id":7}"#, "session_id"),
        (#"{"session_id":"\#(String(repeating: "x", count: 300))"}"#, "longer"),
    ])
    func refusesWhatItCannotUse(input: String, word: String) {
        let error = #expect(throws: HookInputError.self) { try AgentEvent(hookInput: Array(input.utf8)) }
        #expect(error?.message.contains(word) == true)
    }

    @Test func readsTheRelaysFields() throws {
        let source = try HookSource(
            fields: [
                "cdev-request": String(repeating: "a0", count: 16), "Cdev-Attended": "1", "Cdev-Claude-Pid": "4711",
                "Cdev-Project": "/my%20p%C3%A4th", "Cdev-Shell": "/bin/zsh",
            ], bodyDigest: [1, 2], isVerified: true, isOfThisMachine: true)
        var expected = HookSource(
            relayToken: String(repeating: "a0", count: 16), bodyDigest: [1, 2], isAttended: true, claudePID: 4711,
            projectDirectory: "/my päth", shell: "/bin/zsh", isVerified: true)
        expected.isOfThisMachine = true
        #expect(source == expected)
    }

    @Test(arguments: [
        (nil, nil, false), ("1", nil, true), ("0", nil, false), ("0", "cli", false), (nil, "cli", true),
        (nil, "sdk-py", false), ("yes", "cli", false),
    ])
    func knowsWhetherSomebodySitsThere(attended: String?, entrypoint: String?, expected: Bool) throws {
        var fields: HTTPHeaders = [:]
        if let attended { fields.append("Cdev-Attended", attended) }
        if let entrypoint { fields.append("Cdev-Entrypoint", entrypoint) }
        #expect(try Self.source(fields).isAttended == expected)
    }

    private static func source(_ fields: HTTPHeaders, isOfThisMachine: Bool = true) throws -> HookSource {
        try HookSource(fields: fields, bodyDigest: [], isVerified: true, isOfThisMachine: isOfThisMachine)
    }

    /// A device could name the process that the user's terminals descend from.
    @Test func onlyASenderOfThisMachineNamesAProcess() throws {
        #expect(try Self.source(["Cdev-Claude-Pid": "77"]).claudePID == 77)
        #expect(try Self.source(["Cdev-Claude-Pid": "77"], isOfThisMachine: false).claudePID == nil)
    }

    @Test(arguments: ["0", "1", "-5", "x", "99999999999", "4 2"])
    func ignoresAnImpossiblePid(pid: String) throws {
        #expect(try Self.source(["Cdev-Claude-Pid": pid]).claudePID == nil)
    }

    @Test(arguments: ["relative", "%zz/", "/a%", "/%FF", ""])
    func ignoresABrokenPath(path: String) throws {
        let source = try Self.source(["Cdev-Project": path])
        #expect(source.projectDirectory == nil)
    }

    @Test(arguments: ["short", String(repeating: "a", count: 129), "aaaaaaaaaaaaaaaaaaaa;", ""])
    func refusesATokenThatCouldBeMet(token: String) {
        #expect(throws: HookInputError.self) {
            try Self.source(["Cdev-Request": token])
        }
    }

    @Test(arguments: [(61_000, "61"), (60_001, "61"), (60_000, "60"), (-5, "0"), (1, "1")])
    func saysHowLongTheRelayWaits(milliseconds: Int64, seconds: String) {
        let now = Uptime(milliseconds: 1_000_000)
        let deadline = Uptime(milliseconds: 1_000_000 + milliseconds)
        #expect(HoldNotice.fields(deadline: deadline, now: now)["cdev-deadline"] == seconds)
    }

    /// What is kept and sent many times over must be as short as anything real.
    @Test(arguments: [
        ("agent_id", 256), ("cwd", 4096), ("prompt_id", 256), ("session_id", 256), ("tool_name", 256),
        ("tool_use_id", 256), ("transcript_path", 4096),
    ])
    func refusesWhatIsTooLong(name: String, longest: Int) throws {
        let input = { (length: Int) in
            JSONObject([("session_id", "s"), (name, .string(String(repeating: "x", count: length)))])
        }
        _ = try AgentEvent(hookInput: .object(input(longest)))
        let error = #expect(throws: HookInputError.self) { try AgentEvent(hookInput: .object(input(longest + 1))) }
        #expect(error?.message.contains("\"\(name)\" is longer than \(longest) bytes") == true)
    }

    @Test func aCondensedEventSaysTheSameWithoutItsTree() throws {
        let nested = "[" + String(repeating: "[],", count: 20_000) + "0]"
        let input = #"""
            {"session_id":"s1","transcript_path":"/c/t.jsonl","cwd":"/p","hook_event_name":"PreToolUse","source":"x",
             "tool_name":"mcp__a__b","tool_input":{"x":\#(nested)},"tool_use_id":"toolu_1","other":\#(nested)}
            """#
        let event = try AgentEvent(hookInput: Array(input.utf8))
        let condensed = event.condensed()
        #expect(condensed.tool == event.tool && condensed.everything == event.everything)
        #expect(condensed.details == event.details && condensed.tool?.kept == event.tool?.kept)
        #expect(condensed.size < 2 * input.utf8.count)
    }

    @Test func aBatchNamesAtMostAsManyCallsAsAreRemembered() throws {
        let calls = (0..<300).map { #"{"tool_name":"Bash","tool_use_id":"t\#($0)","tool_input":{}}"# }
        let input =
            #"{"session_id":"s","hook_event_name":"PostToolBatch","tool_calls":[\#(calls.joined(separator: ","))]}"#
        let event = try AgentEvent(hookInput: Array(input.utf8))
        #expect(event.details.batch.count == 256 && event.details.batch.first?.useID == "t0")
        #expect(event.condensed().details.batch == event.details.batch)
    }
}
