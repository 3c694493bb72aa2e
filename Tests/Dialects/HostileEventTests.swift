import Agents
import Core
import Dialects
import OrderedJSON
import Testing

/// Anybody on this machine may send hooks, with members of any name, number and size. Whatever they are, an event fits
/// a frame, says which session it is about, and does not take long.
@Suite struct HostileEventTests {
    private static let text = JSON.string(letters("o"))
    private static let name = letters("k")
    private static let blanks = JSON.array(Array(repeating: "", count: 20_000))
    private static let keys = (0..<20_000).map {
        ("key number \($0), of a name that makes this longer than a frame", JSON.number(JSONNumber($0)))
    }

    /// Put into order, as Swift's `==` and its hashes do, these take hours.
    private static let marks = "a" + String(repeating: "\u{301}\u{316}", count: 300_000)

    private static func letters(_ letter: Unicode.Scalar) -> String {
        String(decoding: [UInt8](repeating: UInt8(ascii: letter), count: 1_200_000), as: UTF8.self)
    }

    static let members: [(String, [(String, JSON)])] = [
        ("a member with the name of ours", [("options", text), ("deadline", text), ("truncated", text)]),
        ("a long name", [(name, 1)]),
        ("many members", keys),
        ("names of marks", [(marks + "\u{301}", 1), (marks + "\u{300}", 2)]),
        ("many names of marks", (0..<20).map { ("\($0)" + marks, 1) }),
        ("marks in the input", [("tool_input", ["command": .string(marks), "text": .string(marks + "\u{300}")])]),
        ("many members in the input", [("tool_input", .object(JSONObject(keys)))]),
        ("a long name over many values", [("tool_input", .object(JSONObject([(name, blanks)])))]),
        (
            "many strings to cut",
            [("tool_input", .array(Array(repeating: .string(String(repeating: "x", count: 90)), count: 15_000)))]
        ),
    ]

    @Test(.timeLimit(.minutes(1)), arguments: members.indices)
    func fitsAFrame(index: Int) throws {
        let (name, more) = Self.members[index]
        let raw = JSONObject(
            [("session_id", "s1"), ("hook_event_name", "PreToolUse"), ("tool_name", "Bash")] + more)
        let body = EventBody.toolStart(try AgentEvent(hookInput: .object(raw)))
        let bytes = EventEncoder.encode(.record(EventRecord(sequence: 7, at: moment(0), sessionID: "s1", body: body)))
        let params = try #require(try JSON(parsing: bytes)["params"])
        #expect(bytes.count <= 1 << 20, "\(name)")
        #expect(params["session_id"] == "s1" && params["sequence"] == 7 && params["truncated"] != [:], "\(name)")
    }

    @Test(.timeLimit(.minutes(1)))
    func listsHiddenCharactersBelowALongName() throws {
        let input = JSON.object(JSONObject([(Self.name, .array(Array(repeating: "a\u{200B}", count: 5_000)))]))
        let params = PermissionCard.params(of: heldRequest(tool: "mcp__a__b", input: input), limit: nil)
        let list = try #require(params["hidden_characters"]?.arrayValue)
        #expect(list.count == 65 && list.last == ["more": 4_936])
        #expect(list.first?["path"]?.stringValue?.utf8.count ?? 0 < 400)
    }
}
