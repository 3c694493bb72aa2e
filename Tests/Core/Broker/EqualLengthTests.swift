import Core
import OrderedJSON
import TestSupport
import Testing

/// Calls whose inputs have the same length and differ only in their last bytes.
struct EqualLengthTests {
    private static func call(_ number: Int, id: String?) -> ToolCall {
        let text = String(repeating: "x", count: 1 << 18) + String(10_000 + number)
        let input = KeptJSON(written: #"{"command":"\#(text)"}"#)
        return ToolCall(tool: .claude("Bash"), kept: input, useID: id).condensed()
    }

    private static func event(_ name: HookEventName, _ tool: ToolCall) -> AgentEvent {
        AgentEvent(
            name: name, sessionID: "s1", cwd: "/p", promptID: "p1", permissionMode: .default, agentID: nil, tool: tool,
            raw: JSONObject())
    }

    /// Compared byte by byte with each held request, the ends of these calls read 140 GB.
    @Test(.timeLimit(.minutes(1))) func anEndedCallIsNotComparedWithEachHeldInput() {
        var stage = Stage()
        let held = (0..<60).map { stage.send(Self.event(.permissionRequest, Self.call($0, id: nil))) }
        #expect(held.allSatisfy { stage.answers[$0] == nil })
        let other = Self.call(99, id: "toolu_other")
        for _ in 0..<9000 { stage.send(Self.event(.postToolUse, other)) }
        #expect(held.allSatisfy { stage.answers[$0] == nil })
        stage.send(Self.event(.postToolUse, Self.call(59, id: "toolu_59")))
        #expect(held.map { stage.answers[$0] != nil } == held.indices.map { $0 == 59 })
    }
}
