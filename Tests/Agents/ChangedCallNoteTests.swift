import Agents
import Core
import OrderedJSON
import TestSupport
import Testing

/// The text that tells the model of a call that a person changed.
@Suite struct ChangedCallNoteTests {
    private func context(
        _ asked: JSON, _ update: JSON?, tool: String = "Bash", event: HookEventName = .preToolUse
    ) -> String? {
        let call = AgentEvent(
            name: event, sessionID: "s", cwd: "/p", tool: ToolCall(name: tool, input: asked, useID: "t"), raw: [:])
        let body = HookAnswer.allow(reason: "r", updatedInput: update).body(for: call)
        return body["hookSpecificOutput"]?["additionalContext"]?.stringValue
    }

    @Test func saysWhatWasAskedAndWhatRan() {
        let text = context(
            ["command": "touch a", "description": "x", "timeout": 5],
            ["command": "touch b", "description": "x", "run_in_background": true])
        #expect(
            text == """
                cdev: a person changed this call before allowing it.
                `command`: you asked for touch a, touch b ran.
                `run_in_background`: you asked for nothing, true ran.
                `timeout`: you asked for 5, nothing ran.
                """)
    }

    @Test func saysNothingOfACallThatIsAsItWas() {
        #expect(context(["command": "touch a"], nil) == nil)
    }

    /// An answer to a question, or an approved plan, is what the agent waits for.
    @Test(arguments: ["AskUserQuestion", "ExitPlanMode"]) func saysNothingOfAnswers(tool: String) {
        #expect(context(["plan": "x"], ["plan": "y"], tool: tool) == nil)
    }

    @Test func cutsLongValuesAndComparesNoHugeOnes() throws {
        let long = String(repeating: "x", count: 3000)
        let cut = try #require(context(["command": "touch a"], ["command": .string(long)]))
        #expect(cut.hasSuffix("x… ran.") && cut.count < 2200)
        let huge = JSON.string(String(repeating: "x", count: 40_000))
        #expect(
            context(["command": "touch a"], ["command": huge])
                == "cdev: a person changed this call before allowing it. The input that ran is not the one you sent.")
    }

    /// The loop makes the text. Each name compared with each, these would be a thousand million comparisons.
    @Test(.timeLimit(.minutes(1))) func manyMembersTakeLinearTime() throws {
        let names = (0..<3900).map { String($0, radix: 36) }
        let (asked, ran) = (JSONObject(names.map { ($0, 1) }), JSONObject(names.reversed().map { ($0, 2) }))
        for _ in 0..<20 {
            let text = try #require(context(.object(asked), .object(ran)))
            #expect(text.hasSuffix("`0`: you asked for 1, 2 ran."))
        }
    }

    @Test func isSaidAfterTheCallWhereItRanFromADialog() {
        let event = AgentEvent(
            name: .postToolUse, sessionID: "s", tool: ToolCall(name: "Bash", input: ["command": "b"], useID: "t"))
        let answer = HookAnswer.changed(asked: KeptJSON(["command": "a"]), ran: KeptJSON(["command": "b"]))
        let output = answer.body(for: event)["hookSpecificOutput"]
        #expect(output?["hookEventName"] == "PostToolUse")
        #expect(output?["additionalContext"]?.stringValue?.contains("you asked for a, b ran") == true)
        #expect(HookAnswer.pass.body(for: event) == [:])
    }
}
