import Core
import OrderedJSON

/// Messages of transcripts, as clients get them.
enum TranscriptBody {
    /// A message in a page.
    /// - Parameter limit: Bytes; longer texts are cut, and `truncated` says so.
    static func listing(_ message: TranscriptMessage, of session: String, limit: Int) -> JSONObject {
        var members: JSONObject = [
            "id": .count(message.number), "session_id": .id(session), "type": type(of: message),
            "uuid": .id(message.uuid), "timestamp": .time(message.time),
            "timestamp_ms": message.time.map { .count($0.milliseconds) } ?? .null,
            "git_branch": .string(message.branch ?? ""), "parent_uuid": .id(message.parent),
            "message": shown(message, room: limit / 2),
        ]
        addProperties(of: message, to: &members)
        return Trimmer.fit(members, into: limit)
    }

    /// A message as an event. Inputs of tools are text there.
    static func event(_ message: TranscriptMessage) -> JSONObject {
        let (content, role) = (message.message["content"], message.message["role"])
        var members: JSONObject = [
            "id": .count(message.number), "type": type(of: message), "role": role ?? type(of: message),
            "uuid": .id(message.uuid), "timestamp_ms": message.time.map { .count($0.milliseconds) } ?? .null,
            "git_branch": .string(message.branch ?? ""),
            "content": .array(blocks(content).map { block($0, of: message) }),
        ]
        for name in ["model", "stop_reason"] {
            if let text = message.message[name]?.stringValue { members[name] = .string(text) }
        }
        addProperties(of: message, to: &members)
        if let origin = message.origin {
            members["agent_id"] = .id(origin.agentID)
            members["parent_tool_use_id"] = .id(origin.toolUseID)
        }
        return members
    }

    /// Bytes of a change: it stands beside the words of its call.
    private static let mostChange = 256 << 10

    /// The agent's message with what is known of its calls.
    private static func shown(_ message: TranscriptMessage, room: Int) -> JSON {
        guard !message.tools.isEmpty || message.change != nil, var object = message.message.objectValue,
            let blocks = object["content"]?.arrayValue
        else { return message.message }
        object["content"] = .array(
            blocks.map { block in
                block.objectValue.map { .object(with(block: $0, of: message, room: room)) } ?? block
            })
        return .object(object)
    }

    /// A block, a call with its `kind`, `members` and `title`, a result with the `difference` that its call made.
    private static func with(block: JSONObject, of message: TranscriptMessage, room: Int) -> JSONObject {
        var block = block
        switch block["type"] {
        case "tool_use":
            let tool = block["name"]?.stringValue.flatMap { message.tools[$0] }
            for (key, value) in tool?.titledListing ?? [:] { block[key] = value }
        case "tool_result":
            guard let change = message.change else { break }
            let room = min(room, mostChange)
            block["difference"] = .object(PreviewBody.difference(change.path, change.lines, room: room))
        default: break
        }
        return block
    }

    private static func type(of message: TranscriptMessage) -> JSON {
        message.kind == .assistant ? "assistant" : "user"
    }

    private static func addProperties(of message: TranscriptMessage, to members: inout JSONObject) {
        members["is_context_compaction"] = .bool(message.flags.contains(.compaction))
        members["is_meta"] = .bool(message.flags.contains(.meta))
        if message.flags.contains(.sidechain) { members["is_sidechain"] = true }
        if message.flags.contains(.queued) { members["is_queued"] = true }
        if let agent = message.agentID { members["agent_id"] = .id(agent) }
        if let bytes = message.leftOut { members["left_out_bytes"] = .count(bytes) }
    }

    /// A content that is one text is one block.
    private static func blocks(_ content: JSON?) -> [JSON] {
        if let text = content?.stringValue { return [["type": "text", "text": .string(text)]] }
        return content?.arrayValue ?? []
    }

    private static func block(_ block: JSON, of message: TranscriptMessage) -> JSON {
        var members: JSONObject
        switch block["type"] {
        case "thinking": return ["type": "thinking", "text": block["thinking"] ?? ""]
        case "tool_use":
            members = [
                "type": "tool_use", "id": block["id"] ?? "", "name": block["name"] ?? "",
                "input": .string((block["input"] ?? [:]).serialized()),
            ]
        case "tool_result":
            members = [
                "type": "tool_result", "tool_use_id": block["tool_use_id"] ?? "",
                "content": .string(text(of: block["content"])), "is_error": .bool(block["is_error"] == true),
            ]
        default: return block
        }
        return .object(with(block: members, of: message, room: mostChange))
    }

    private static func text(of content: JSON?) -> String {
        blocks(content).map { $0["text"]?.stringValue ?? "[\($0["type"]?.stringValue ?? "?")]" }.joined(separator: "\n")
    }
}

extension Schema {
    /// The members that a message has in a page and as an event.
    private static let transcriptProperties = object([
        "type": choice(["assistant", "user"]), "uuid": .string,
        "timestamp_ms": .integer.orNull.meaning("milliseconds since 1970"), "git_branch": .string,
        "is_context_compaction": .boolean.meaning("the summary that stands for what came before"),
        "is_meta": .boolean.meaning("written by the agent for itself"),
        "is_sidechain": .boolean.meaning("of a subagent, in its caller's file").optional,
        "is_queued": .boolean.meaning("sent while the agent worked").optional, "agent_id": .string.optional,
        "left_out_bytes": .count.meaning(
            "the line is too long to be read, or has too many values, and its content is left out"
        ).optional,
        "truncated": .truncated.optional,
    ])

    private static let place = Schema.count.meaning("its place in the transcript, from 1")

    static let transcriptMessage = transcriptProperties.with(
        object([
            "id": place,
            "session_id": .string, "timestamp": .time.orNull, "parent_uuid": .string.orNull,
            "message": .anyObject.meaning(
                "`role` and `content`, in the form of the model's provider; a `tool_use` also has `kind`, `members` and "
                    + "`title`, a `tool_result` perhaps `difference`"),
        ])
    ).named("TranscriptMessage")

    static let transcriptEvent = transcriptProperties.with(
        object([
            "id": place.optional, "session_id": .string, "workspace_id": .string, "timestamp": .time, "role": .string,
            "claude_session_id": .string.optional.meaning(
                "of a session that the daemon runs, whose id is `session_id`; `id` is missing there"),
            "content": .list(.anyObject).meaning(
                "blocks: `text` and `thinking` with `text`; `tool_use` with `id`, `name`, `input` as JSON text, `kind`, "
                    + "`members` and `title`; `tool_result` with `tool_use_id`, `content`, `is_error` and perhaps "
                    + "`difference`; others as they are"),
            "model": .string.optional, "stop_reason": .string.optional,
            "parent_tool_use_id": .string.orNull.optional.meaning(
                "the call that started the subagent in whose own transcript it stands, and where `id` counts; null where "
                    + "nothing tells which"),
        ]))
}
