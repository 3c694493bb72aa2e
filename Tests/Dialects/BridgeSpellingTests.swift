import Dialects
import OrderedJSON
import Testing

/// Updates and questions as the app of the bridge decodes them.
@Suite struct BridgeSpellingTests {
    private func spelled(_ update: JSONObject) -> JSON? {
        let params = BridgeSpelling().update(update, of: "s")
        if let params { #expect(params["session_id"] == "s") }
        return params?["update"]
    }

    @Test(arguments: ["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"])
    func wordsAreWrappedOnceMore(_ kind: String) {
        let content: JSON = ["type": "text", "text": "a heron"]
        #expect(
            spelled(["sessionUpdate": .string(kind), "content": content])
                == ["sessionUpdate": .string(kind), "content": ["content": content]])
    }

    @Test func aCallHasItsToolsName() {
        let call: JSONObject = [
            "sessionUpdate": "tool_call", "toolCallId": "t", "title": "ls", "kind": "execute", "status": "pending",
            "rawInput": ["command": "ls"], "_meta": ["cdev": ["tool": "Bash", "message": "m"]],
        ]
        #expect(
            spelled(call) == [
                "sessionUpdate": "tool_call",
                "tool_call": [
                    "call_id": "t", "name": "Bash", "arguments": ["command": "ls"],
                    "_meta": ["kind": "execute", "title": "ls"],
                ],
            ])
    }

    @Test func aCallIsToldOnceItsInputIsWhole() {
        let begun: JSONObject = ["sessionUpdate": "tool_call", "toolCallId": "t", "title": "Bash", "status": "pending"]
        #expect(spelled(begun) == nil)
        var whole = begun
        (whole["sessionUpdate"], whole["rawInput"]) = ("tool_call_update", ["command": "ls"])
        #expect(spelled(whole)?["tool_call"]?["arguments"] == ["command": "ls"])
        #expect(spelled(whole)?["sessionUpdate"] == "tool_call")
    }

    @Test func aCallRunsAndEnds() {
        func told(_ status: String, _ content: JSON = []) -> JSON? {
            spelled([
                "sessionUpdate": "tool_call_update", "toolCallId": "t", "status": .string(status), "content": content,
            ])?["tool_call_update"]
        }
        let text: JSON = [["type": "content", "content": ["type": "text", "text": "no such file"]]]
        #expect(told("pending") == nil)
        #expect(told("in_progress") == ["call_id": "t", "status": "started"])
        #expect(told("completed", text) == ["call_id": "t", "status": "completed", "output": "no such file"])
        #expect(told("failed", text) == ["call_id": "t", "status": "error", "error": "no such file"])
        let change: JSON = [["type": "diff", "path": "/p/a", "oldText": nil, "newText": "x"]]
        #expect(
            told("completed", change)?["output"]
                == [["type": "diff", "path": "/p/a", "old_text": nil, "new_text": "x"]])
    }

    @Test func aLongOutputIsLeftOut() {
        func output(_ count: Int) -> JSON? {
            let text = String(repeating: "x", count: count)
            return spelled([
                "sessionUpdate": "tool_call_update", "toolCallId": "t", "status": "completed",
                "content": [["type": "content", "content": ["type": "text", "text": .string(text)]]],
            ])?["tool_call_update"]?["output"]
        }
        #expect(output(16384)?.stringValue?.count == 16384)
        #expect(output(16385) == "(omitted 16385 bytes)")
    }

    @Test func commandsAndPlans() {
        #expect(
            spelled([
                "sessionUpdate": "available_commands_update",
                "availableCommands": [
                    ["name": "a", "description": "b", "input": ["hint": "c"]], ["name": "d", "description": ""],
                ],
            ])?["available_commands"] == [
                ["name": "a", "description": "b", "input": ["type": "unstructured", "hint": "c"]],
                ["name": "d", "description": ""],
            ])
        let entries: JSON = [["content": "a", "priority": "medium", "status": "pending"]]
        #expect(spelled(["sessionUpdate": "plan", "entries": entries])?["plan"] == ["entries": entries])
    }

    /// The app ends its reading at an update that it does not know.
    @Test(arguments: ["config_option_update", "current_mode_update", "session_info_update", "usage_update", "odd"])
    func whatTheAppDoesNotKnowIsNotSent(_ kind: String) {
        #expect(spelled(["sessionUpdate": .string(kind), "currentModeId": "plan"]) == nil)
    }

    @Test func aQuestionAndItsAnswer() {
        let options: [JSON] = [["optionId": "allow_once", "name": "Allow once", "kind": "allow_once"]]
        let question = BridgeSpelling().question(
            about: ["toolCallId": "t", "title": "ls", "kind": "execute", "rawInput": ["command": "ls"]], options,
            in: "s")
        #expect(
            question == [
                "session_id": "s", "options": .array(options),
                "tool_call": [
                    "call_id": "t", "status": "started",
                    "_meta": ["title": "ls", "kind": "execute", "arguments": ["command": "ls"]],
                ],
            ])
        func choice(_ outcome: JSON) -> String? { BridgeSpelling().choice(in: ["outcome": outcome]) }
        #expect(choice(["outcome": "selected", "option_id": "allow_once"]) == "allow_once")
        #expect(choice(["outcome": "selected", "optionId": "allow_once"]) == nil)
        #expect(choice(["outcome": "cancelled", "option_id": "allow_once"]) == nil)
        #expect(choice("selected") == nil && choice([:]) == nil)
    }
}
