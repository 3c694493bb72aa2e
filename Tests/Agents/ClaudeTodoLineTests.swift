import Agents
import Core
import OrderedJSON
import Testing

/// What Claude Code's lines say of its list of tasks.
@Suite struct ClaudeTodoLineTests {
    private func notes(_ line: JSON) -> [TodoNote] {
        var stream = ClaudeStream(agentID: "c", mode: .default)
        guard case .message(let message) = stream.read(line.serializedBytes()).output else { return [] }
        return message.todos
    }

    private func call(_ name: String, _ input: JSON) -> [TodoNote] {
        notes([
            "type": "assistant", "uuid": "u",
            "message": [
                "role": "assistant",
                "content": [["type": "tool_use", "id": "t", "name": .string(name), "input": input]],
            ],
        ])
    }

    private func result(_ told: JSON?, isError: Bool = false, as name: String = "tool_use_result") -> [TodoNote] {
        var line: JSONObject = [
            "type": "user", "uuid": "u",
            "message": [
                "role": "user",
                "content": [["type": "tool_result", "tool_use_id": "t", "content": "x", "is_error": .bool(isError)]],
            ],
        ]
        line[name] = told
        return notes(.object(line))
    }

    @Test func callsOfTheListsToolsAreNoted() {
        for name in ["TaskCreate", "TaskGet", "TaskList", "TodoWrite"] {
            #expect(call(name, ["subject": "x"]) == [.called("t", nil)], "\(name)")
        }
        #expect(call("Bash", ["command": "ls"]).isEmpty && call("TaskStop", ["task_id": "1"]).isEmpty)
    }

    @Test(
        arguments: [
            (["taskId": "1", "status": "in_progress"], .change(id: "1", text: nil, status: .inProgress)),
            (
                ["taskId": "1", "subject": "uno", "status": "completed"],
                .change(id: "1", text: "uno", status: .completed)
            ),
            (["taskId": "1", "status": "deleted"], .remove(id: "1")),
            (["taskId": "1", "status": "odd", "subject": 7], .change(id: "1", text: nil, status: nil)),
            (["taskId": 1, "status": "completed"], nil), ("odd", nil),
        ] as [(JSON, TodoChange?)])
    func anUpdateIsRead(_ input: JSON, _ change: TodoChange?) {
        #expect(call("TaskUpdate", input) == [.called("t", change)])
    }

    @Test(arguments: ["tool_use_result", "toolUseResult"])
    func aResultIsRead(_ name: String) {
        let one = TodoItem(id: "1", text: "one", status: .pending)
        let task: JSON = ["id": "1", "subject": "one", "description": "d"]
        #expect(result(["task": task], as: name) == [.returned("t", .add(one))])
        let done: JSON = ["id": "1", "subject": "one", "status": "completed", "blockedBy": []]
        let both: JSON = ["tasks": [task, done]]
        #expect(
            result(both, as: name)
                == [.returned("t", .all([one, TodoItem(id: "1", text: "one", status: .completed)]))])
        let todo: JSON = ["content": "a", "status": "in_progress", "activeForm": "doing a"]
        #expect(
            result(["oldTodos": [], "newTodos": [todo]], as: name)
                == [.returned("t", .all([TodoItem(id: "0", text: "a", status: .inProgress)]))])
    }

    @Test func aCallThatFailedDidNothing() {
        #expect(result("Error: no such tool", isError: true).isEmpty)
        #expect(result(["success": false, "taskId": "9", "error": "Task not found"]).isEmpty)
        #expect(result(["success": true, "taskId": "1"]) == [.returned("t", nil)])
        #expect(result(nil) == [.returned("t", nil)], "a subagent's")
    }

    /// A form that is not known changes nothing.
    @Test(
        arguments: ["text", [], 7, nil, ["task": 7], ["task": ["id": "1"]], ["tasks": 7], ["newTodos": "x"]] as [JSON])
    func anotherFormIsNone(_ told: JSON) {
        #expect(result(told) == [.returned("t", nil)])
    }

    @Test func onlyTheBeginningOfALongTextIsKept() {
        let long = String(repeating: "x", count: 10_000)
        guard case .returned(_, .add(let item)) = result(["task": ["id": "1", "subject": .string(long)]]).first else {
            Issue.record("no task")
            return
        }
        #expect(item.text.count == CallContext.longest && item.text.hasSuffix("…"))
    }
}
