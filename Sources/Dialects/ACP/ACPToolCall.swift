import Core
import OrderedJSON

/// Calls of tools as an editor shows them.
package enum ACPToolCall {
    /// Of a call that has not ended.
    package enum Status: String, Sendable {
        case inProgress = "in_progress"
        /// The agent still writes its input, or somebody is asked about it.
        case pending
    }

    /// The call whose input the agent has not written yet.
    static func begin(_ call: ChildCall) -> JSONObject {
        [
            "sessionUpdate": "tool_call", "status": "pending", "toolCallId": .id(call.id),
            "title": .string(HiddenCharacters.escaped(call.tool.title)), "kind": .string(kind(of: call.tool)),
            "_meta": meta(of: call.tool.name),
        ]
    }

    /// The protocol has no place for a tool's name.
    private static func meta(of tool: String) -> JSON { ["cdev": ["tool": .string(tool)]] }

    /// Whether a call runs by now.
    static func change(_ id: String, to status: Status) -> JSONObject {
        ["sessionUpdate": "tool_call_update", "toolCallId": .id(id), "status": .string(status.rawValue)]
    }

    /// The end of a call whose input was never whole.
    static func breakOff(_ id: String) -> JSONObject {
        ["sessionUpdate": "tool_call_update", "toolCallId": .id(id), "status": "failed"]
    }

    /// The call as the agent has written it.
    /// - Parameter begun: Calls that were shown when the agent began to write them.
    static func begin(
        _ block: JSON, of message: TranscriptMessage, in directory: String, but begun: Set<String>, _ status: Status
    ) -> JSONObject? {
        guard let id = block["id"]?.idValue, let name = block["name"]?.stringValue else { return nil }
        let tool = message.tools[name] ?? Tool(name: name, kind: .other)
        let isBegun = begun.contains(id)
        var update: JSONObject = [
            "sessionUpdate": isBegun ? "tool_call_update" : "tool_call", "status": .string(status.rawValue),
            "_meta": meta(of: name),
        ]
        for (key, value) in members(of: tool, block["input"] ?? [:], id, in: directory) { update[key] = value }
        return update
    }

    /// The end of a call, with the change that it made.
    static func end(_ block: JSON, of message: TranscriptMessage, in directory: String) -> JSONObject? {
        guard let id = block["tool_use_id"]?.idValue else { return nil }
        let diffs = message.change.map { change in
            change.lines.hunks.map { hunk in
                diff(absolute(change.path, in: directory), hunk.oldText, hunk.text(but: .removed))
            }
        }
        return [
            "sessionUpdate": "tool_call_update", "toolCallId": .id(id),
            "status": block["is_error"] == true ? "failed" : "completed",
            "content": .array((diffs ?? []) + (diffs == nil ? output(block["content"]) : [])),
        ]
    }

    /// The members that tell what a call does.
    static func members(of tool: Tool, _ input: JSON, _ id: String, in directory: String) -> JSONObject {
        var members: JSONObject = [
            "toolCallId": .id(id), "title": .string(title(of: tool, input)), "kind": .string(kind(of: tool)),
            "rawInput": input,
        ]
        if let path = tool.firstText([.file, .path], in: input) {
            members["locations"] = [location(absolute(path, in: directory), tool.value(.line, in: input)?.intValue)]
            let changes = changes(of: tool, input, absolute(path, in: directory))
            if !changes.isEmpty { members["content"] = .array(changes) }
        }
        return members
    }

    private static func location(_ path: String, _ line: Int?) -> JSON {
        guard let line, (1...mostLines).contains(line) else { return ["path": .string(path)] }
        return ["path": .string(path), "line": .count(line)]
    }

    /// The protocol's lines are numbers of 32 bits; no file that is read has more.
    private static let mostLines = Int(Int32.max)

    private static func title(of tool: Tool, _ input: JSON) -> String {
        let command = tool.kind == .shellCommand ? tool.text(.command, in: input) : ""
        let words = CardText(tool: tool, input: input)
        return HiddenCharacters.escaped(command.isEmpty ? words.description : command)
    }

    private static func kind(of tool: Tool) -> String {
        switch tool.kind {
        case .agent: "think"
        case .fetch: "fetch"
        case .fileChanges: "edit"
        case .plan: "switch_mode"
        case .read: "read"
        case .search: "search"
        case .shellCommand: "execute"
        case .mcpTool, .other, .question: "other"
        }
    }

    /// The changes that a call asks for. The exact ones are known once it has run.
    private static func changes(of tool: Tool, _ input: JSON, _ path: String) -> [JSON] {
        guard tool.kind == .fileChanges else { return [] }
        if tool.replacesFile { return [diff(path, nil, tool.text(.content, in: input))] }
        let edits = tool.list(.edits, in: input)
        return (edits.isEmpty ? [input] : edits).compactMap { edit in
            tool.string(.new, in: edit).map { diff(path, tool.string(.old, in: edit), $0) }
        }
    }

    private static func diff(_ path: String, _ old: String?, _ new: String) -> JSON {
        ["type": "diff", "path": .string(path), "oldText": .text(old), "newText": .string(new)]
    }

    private static func output(_ content: JSON?) -> [JSON] {
        let blocks: [JSON] =
            switch content {
            case .array(let blocks): blocks
            case .string(let text): [["type": "text", "text": .string(text)]]
            default: []
            }
        return blocks.compactMap { block in
            switch block["type"]?.stringValue {
            case "image": ACPMessage.image(block)
            case "text": block["text"].map { ["type": "text", "text": $0] }
            default: nil
            }
        }.map { ["type": "content", "content": $0] }
    }

    private static func absolute(_ path: String, in directory: String) -> String {
        path.hasPrefix("/") ? path : directory + "/" + path
    }
}

extension LineDiff.Hunk {
    /// `nil` where there was no file.
    fileprivate var oldText: String? { oldStart == 0 ? nil : text(but: .added) }

    /// The hunk's text before the change, without what was added, or after it, without what was removed.
    fileprivate func text(but operation: LineDiff.Operation) -> String {
        lines.filter { $0.operation != operation }.map { $0.text + ($0.isTerminated ? "\n" : "") }.joined()
    }
}
