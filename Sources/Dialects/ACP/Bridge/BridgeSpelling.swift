package import OrderedJSON
import Wire

/// Version 0.2.2 of the protocol, as the OpenAgents app for phones decodes it: members in snake_case, what an update holds
/// in a member of its own.
package struct BridgeSpelling: ACPSpelling {
    package init() {}

    package func update(_ update: JSONObject, of session: String) -> JSON? {
        guard let body = body(of: update) else { return nil }
        return ["session_id": .id(session), "update": .object(body)]
    }

    private func body(of update: JSONObject) -> JSONObject? {
        guard var kind = update["sessionUpdate"]?.stringValue else { return nil }
        // A call is told once its input is whole: nothing of it can be added later.
        if update["rawInput"] != nil { kind = "tool_call" } else if kind == "tool_call" { return nil }
        let member: (name: String, value: JSON)? =
            switch kind {
            case "user_message_chunk", "agent_message_chunk", "agent_thought_chunk":
                ("content", ["content": update["content"] ?? [:]])
            case "available_commands_update":
                ("available_commands", .array(list(update["availableCommands"]).map(command)))
            case "plan": ("plan", ["entries": update["entries"] ?? []])
            case "tool_call": ("tool_call", call(update))
            case "tool_call_update": progress(of: update).map { ("tool_call_update", $0) }
            // The client ends the whole message at a mode that is not one of its own four, and does not know the others.
            default: nil
            }
        return member.map { ["sessionUpdate": .string(kind), $0.name: $0.value] }
    }

    private func command(_ command: JSON) -> JSON {
        var members: JSONObject = ["name": command["name"] ?? "", "description": command["description"] ?? ""]
        if let hint = command["input"]?["hint"] { members["input"] = ["type": "unstructured", "hint": hint] }
        return .object(members)
    }

    private func call(_ update: JSONObject) -> JSON {
        var members: JSONObject = [
            "call_id": update["toolCallId"] ?? "", "name": update["_meta"]?["cdev"]?["tool"] ?? update["title"] ?? "",
        ]
        if let input = update["rawInput"], input.objectValue != nil { members["arguments"] = input }
        var meta: JSONObject = [:]
        for name in ["kind", "locations", "title"] { meta[name] = update[name] }
        members["_meta"] = .object(meta)
        return .object(members)
    }

    /// `nil` before the call runs: the version has no such status.
    private func progress(of update: JSONObject) -> JSON? {
        var members: JSONObject = ["call_id": update["toolCallId"] ?? ""]
        switch update["status"]?.stringValue {
        case "completed":
            members["status"] = "completed"
            members["output"] = output(list(update["content"]))
        case "failed":
            members["status"] = "error"
            members["error"] = .string(text(list(update["content"])))
        case "in_progress": members["status"] = "started"
        default: return nil
        }
        return .object(members)
    }

    /// A text, or a list of what a call changed. What a phone would wait long for is left out.
    private func output(_ content: [JSON]) -> JSON {
        let changes = content.filter { $0["type"] == "diff" }.map { change -> JSON in
            [
                "type": "diff", "path": change["path"] ?? "", "old_text": change["oldText"] ?? .null,
                "new_text": change["newText"] ?? "",
            ]
        }
        let output: JSON = changes.isEmpty ? .string(text(content)) : .array(changes)
        let bytes = output.stringValue?.utf8.count ?? output.footprint
        return bytes <= Self.longestOutput ? output : .string("(omitted \(bytes) bytes)")
    }

    private static let longestOutput = 16 << 10

    private func text(_ content: [JSON]) -> String {
        content.compactMap { $0["content"]?["text"]?.stringValue }.joined(separator: "\n")
    }

    private func list(_ value: JSON?) -> [JSON] { value?.arrayValue ?? [] }

    package func question(about call: JSONObject, _ options: [JSON], in session: String) -> JSON {
        [
            "session_id": .id(session), "options": .array(options),
            "tool_call": [
                "call_id": call["toolCallId"] ?? "", "status": "started",
                "_meta": [
                    "title": call["title"] ?? "", "kind": call["kind"] ?? "", "arguments": call["rawInput"] ?? [:],
                ],
            ],
        ]
    }

    package func choice(in answer: JSON) -> String? {
        guard let outcome = answer["outcome"], outcome["outcome"] == "selected" else { return nil }
        return outcome["option_id"]?.stringValue
    }
}
