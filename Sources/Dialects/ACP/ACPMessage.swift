import Agents
package import Core
package import OrderedJSON

/// Messages of a conversation as updates of a session.
package enum ACPMessage {
    enum Chunk: String {
        case agent = "agent_message_chunk"
        case thought = "agent_thought_chunk"
        case user = "user_message_chunk"
    }

    static func chunk(_ kind: Chunk, _ content: JSON) -> JSONObject {
        ["sessionUpdate": .string(kind.rawValue), "content": content]
    }

    /// The agent makes no difference between its tasks.
    package static func plan(_ todos: TodoList) -> JSONObject {
        let entries = todos.items.map { item -> JSON in
            ["content": .string(item.text), "priority": "medium", "status": .string(item.status.rawValue)]
        }
        return ["sessionUpdate": "plan", "entries": .array(entries)]
    }

    /// - Parameters:
    ///   - directory: Of the session; paths of the agent may be relative to it.
    ///   - streamed: Bytes of its text and its thoughts that were sent in pieces before.
    ///   - begun: Calls that were shown when the agent began to write them.
    ///   - callStatus: That of calls whose end is told later.
    package static func updates(
        of message: TranscriptMessage, in directory: String, but streamed: [ChildDelta.Kind: Int] = [:],
        begun: Set<String> = [], callStatus: ACPToolCall.Status = .pending
    ) -> [JSONObject] {
        guard !message.flags.contains(.meta), !message.flags.contains(.compaction) else { return [] }
        var streamed = streamed
        return blocks(of: message).compactMap { block in
            switch block["type"]?.stringValue {
            case "image": image(block).map { chunk(.user, $0) }
            case "text": text(block["text"], message.kind == .assistant ? .agent : .user, of: message, &streamed)
            case "thinking": text(block["thinking"], .thought, of: message, &streamed)
            case "tool_result": ACPToolCall.end(block, of: message, in: directory)
            case "tool_use": ACPToolCall.begin(block, of: message, in: directory, but: begun, callStatus)
            default: nil
            }
        }
    }

    private static func blocks(of message: TranscriptMessage) -> [JSON] {
        switch message.message["content"] {
        case .array(let blocks): blocks
        case .string(let text): [["type": "text", "text": .string(text)]]
        default: []
        }
    }

    /// A subagent's words are for the agent that called it. Of a text that was sent in pieces only the rest is sent.
    private static func text(
        _ value: JSON?, _ kind: Chunk, of message: TranscriptMessage, _ streamed: inout [ChildDelta.Kind: Int]
    ) -> JSONObject? {
        guard var text = value?.stringValue, !message.isOfSubagent else { return nil }
        if kind == .user, let command = ClaudeCommandText.command(in: text) { text = command }
        let sent = kind == .user ? 0 : streamed.updateValue(0, forKey: kind == .thought ? .thinking : .text) ?? 0
        let rest = String(decoding: text.utf8.dropFirst(sent), as: UTF8.self)
        return rest.isEmpty ? nil : chunk(kind, ["type": "text", "text": .string(rest)])
    }

    /// A picture of a prompt, or of a tool's result.
    static func image(_ block: JSON) -> JSON? {
        guard let source = block["source"], let data = source["data"], let type = source["media_type"] else {
            return nil
        }
        return ["type": "image", "data": data, "mimeType": type]
    }
}
