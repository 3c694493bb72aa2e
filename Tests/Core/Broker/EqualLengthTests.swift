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

    /// Compared byte by byte with each held request, the end of a call reads 15 MB, which takes some seventy times as
    /// long as all the rest of it.
    @Test func anEndedCallIsNotComparedWithEachHeldInput() {
        let alone = ends(besideHeld: 1)
        #expect(ends(besideHeld: 60) < 10 * alone)
    }

    /// Seconds of processor time that the ends of a call take beside so many held requests of other calls.
    private func ends(besideHeld count: Int) -> Double {
        var stage = Stage()
        let held = (0..<count).map { stage.send(Self.event(.permissionRequest, Self.call($0, id: nil))) }
        let other = Self.call(99, id: "toolu_other")
        let seconds = ProcessorTime.of {
            for _ in 0..<300 { stage.send(Self.event(.postToolUse, other)) }
        }
        #expect(held.allSatisfy { stage.answers[$0] == nil })
        stage.send(Self.event(.postToolUse, Self.call(count - 1, id: "toolu_last")))
        #expect(held.map { stage.answers[$0] != nil } == held.indices.map { $0 == count - 1 })
        return seconds
    }
}
