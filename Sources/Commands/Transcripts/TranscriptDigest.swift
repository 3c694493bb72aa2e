import Agents
import Core
import OrderedJSON
import TerminalView
import Text

/// Makes the parts of a transcript that people read of its messages: prompts, answers, and one part for each call of a tool
/// with its result.
struct TranscriptDigest {
    /// Calls without a result yet, in their order.
    private var open: [(id: String, call: String, time: Int?)] = []
    /// Words about subagents, by the call that started each.
    private var subagents: [String: String] = [:]
    /// The transcripts of subagents, by their ids.
    private var inner: [String: TranscriptDigest] = [:]

    /// Characters of a call's line about its input.
    private static let longestTarget = 100

    /// Calls that have no result yet.
    var unfinished: [TranscriptItem] {
        open.map { .call($0.call, outcome: nil) }
            + inner.sorted { $0.key < $1.key }.flatMap { $0.value.unfinished.map(TranscriptItem.inner) }
    }

    mutating func note(subagents list: [JSON]) {
        for subagent in list where !subagent.text("tool_use_id").isEmpty {
            subagents[subagent.text("tool_use_id")] =
                "--agent \(subagent.text("agent_id").shown(40)), \(subagent.text("message_count")) messages"
        }
    }

    /// The parts that one more message completes.
    mutating func add(_ message: JSON) -> [TranscriptItem] {
        guard message["parent_tool_use_id"] == nil else {
            return inner[message.text("agent_id"), default: TranscriptDigest()].own(message).map(TranscriptItem.inner)
        }
        return own(message)
    }

    private mutating func own(_ message: JSON) -> [TranscriptItem] {
        if message["is_context_compaction"]?.boolValue == true {
            return [.note("what came before was summarised for the agent")]
        }
        // A message in a page has its content inside, an event has it at the top.
        let content = message["message"]?["content"] ?? message["content"]
        let blocks = content?.arrayValue ?? [["type": "text", "text": content ?? ""]]
        guard message["is_meta"]?.boolValue != true else { return blocks.compactMap(Self.ending) }
        var items: [TranscriptItem] = []
        for block in blocks { items += add(block, of: message) }
        if let bytes = message["left_out_bytes"]?.intValue { items.append(.note("[\(bytes) bytes are not shown]")) }
        return items
    }

    /// The end of a task in the background, which the agent's program tells the agent as a prompt.
    private static func ending(_ block: JSON) -> TranscriptItem? {
        let text = block.text("text")
        guard text.hasPrefix("<task-notification>") else { return nil }
        return .note("Background task ended: \((text.inside("summary") ?? "").shown(120))")
    }

    private mutating func add(_ block: JSON, of message: JSON) -> [TranscriptItem] {
        switch block["type"] {
        case "text": return words(block.text("text"), of: message)
        case "thinking":
            let thought = block.text("thinking").isEmpty ? block.text("text") : block.text("thinking")
            return thought.isEmpty ? [] : [.thought(thought)]
        case "tool_use":
            open.append((block.text("id"), call(block), message["timestamp_ms"]?.intValue))
            return []
        case "tool_result": return result(block, at: message["timestamp_ms"]?.intValue)
        case let other: return [.note("[\((other?.stringValue ?? "?").shown(40))]")]
        }
    }

    private func words(_ text: String, of message: JSON) -> [TranscriptItem] {
        guard !text.isEmpty else { return [] }
        guard message["type"] == "user" else { return [.said(text)] }
        if let command = ClaudeCommandText.command(in: text) { return command.isEmpty ? [] : [.command(command)] }
        return [.prompt(text, time: message.clock("timestamp"))]
    }

    private func call(_ block: JSON) -> String {
        let tool = Tool(named: block.text("name"), block)
        let input = block["input"]?.stringValue.flatMap { try? JSON(parsing: $0) } ?? block["input"] ?? [:]
        let roles: [ToolRole] = [.command, .file, .url, .pattern, .query, .note, .path, .prompt, .selector]
        let target = tool.firstText(roles, in: input) ?? ""
        return "\(tool.name.shown(60))  \(target.shown(Self.longestTarget))"
    }

    private mutating func result(_ block: JSON, at time: Int?) -> [TranscriptItem] {
        let id = block.text("tool_use_id")
        guard let index = open.firstIndex(where: { $0.id == id }) else { return [] }
        let call = open.remove(at: index)
        let isError = block["is_error"]?.boolValue == true
        let text = Self.text(of: block["content"])
        var outcome = isError ? "failed: \(text.shown(120))" : Self.size(text)
        if let start = call.time, let time, time >= start { outcome += " in \(Self.duration(time - start))" }
        return [.call(call.call, outcome: .init(outcome, isError: isError, subagent: subagents[id] ?? ""))]
    }

    private static func text(of content: JSON?) -> String {
        if let text = content?.stringValue { return text }
        return (content?.arrayValue ?? []).map { $0["text"]?.stringValue ?? "[\($0.text("type"))]" }
            .joined(separator: "\n")
    }

    private static func size(_ text: String) -> String {
        guard !text.isEmpty else { return "nothing" }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
        let bytes = text.utf8.count
        let amount = bytes < 10_000 ? "\(bytes) bytes" : "\(bytes / 1000) kB"
        return lines == 1 ? amount : "\(lines) lines, \(amount)"
    }

    private static func duration(_ milliseconds: Int) -> String {
        if milliseconds < 10_000 { return "\(milliseconds / 1000).\(milliseconds / 100 % 10) s" }
        return PeopleTime.span(milliseconds / 1000)
    }
}
