import Core
import OrderedJSON

/// Reads what a message says of Claude Code's list of tasks (2.1.330): its tools are `TaskCreate`, `TaskUpdate`, `TaskGet` and
/// `TaskList`, or `TodoWrite` with `CLAUDE_CODE_ENABLE_TASKS=0`. Which models have them, `docs/editors.md` says.
enum ClaudeTodoLines {
    static func notes(in line: JSONObject, _ message: JSON) -> [TodoNote] {
        let blocks = message["content"]?.arrayValue ?? []
        return blocks.compactMap { block in
            switch block["type"]?.stringValue {
            case "tool_result": result(block, in: line)
            case "tool_use": call(block)
            default: nil
            }
        }
    }

    private static func call(_ block: JSON) -> TodoNote? {
        guard let id = block["id"]?.idValue, let name = block["name"]?.stringValue, tools.contains(name) else {
            return nil
        }
        return .called(id, name == "TaskUpdate" ? update(block["input"] ?? [:]) : nil)
    }

    private static let tools: Set<String> = ["TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TodoWrite"]

    /// The result of an update does not hold the new text.
    private static func update(_ input: JSON) -> TodoChange? {
        guard let id = ClaudeStream.id(input["taskId"]) else { return nil }
        if input["status"] == "deleted" { return .remove(id: id) }
        return .change(id: id, text: text(input["subject"]), status: status(input["status"]))
    }

    /// Claude Code writes what a call came to beside the message; of a subagent's call it writes nothing in the stream.
    private static func result(_ block: JSON, in line: JSONObject) -> TodoNote? {
        // The second name is that of the stream.
        let told = line["toolUseResult"] ?? line["tool_use_result"]
        guard let call = block["tool_use_id"]?.idValue, block["is_error"] != true, told?["success"] != false else {
            return nil
        }
        return .returned(call, told.flatMap(change))
    }

    private static func change(_ told: JSON) -> TodoChange? {
        if let task = told["task"] { return item(task).map { .add($0) } }
        if let tasks = told["tasks"]?.arrayValue { return .all(tasks.prefix(most).compactMap(item)) }
        // The items of this list have no ids, only places.
        return told["newTodos"]?.arrayValue.map { todos in
            .all(todos.prefix(most).enumerated().compactMap { item($1, "content", id: "\($0)") })
        }
    }

    /// A task that was created has no status yet.
    private static func item(_ task: JSON) -> TodoItem? {
        ClaudeStream.id(task["id"]).flatMap { item(task, "subject", id: $0) }
    }

    private static func item(_ value: JSON, _ name: String, id: String) -> TodoItem? {
        text(value[name]).map { TodoItem(id: id, text: $0, status: status(value["status"]) ?? .pending) }
    }

    private static func text(_ value: JSON?) -> String? { value?.stringValue.flatMap(CallContext.beginning) }

    private static func status(_ value: JSON?) -> TodoItem.Status? {
        value?.stringValue.flatMap(TodoItem.Status.init)
    }

    /// Far more than an agent works on.
    private static let most = 200
}
