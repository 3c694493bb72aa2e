import Core
import OrderedJSON

/// Reads what people are shown of a line of the stream.
enum ClaudeOutput {
    /// - Parameter contextTokens: Those that the last answer of the model left in the context.
    static func read(_ line: JSON, _ bytes: [UInt8], contextTokens: Int?) -> ChildOutput? {
        switch line["type"]?.stringValue {
        case "assistant", "user": message(bytes, isOfSubagent: line["parent_tool_use_id"]?.stringValue != nil)
        case "control_response": answer(line["response"]?["response"])
        case "result": .turnEnd(end(line, contextTokens))
        case "stream_event": piece(line["event"])
        case "system" where line["subtype"]?.stringValue == "api_retry": retry(line)
        default: nil
        }
    }

    private static func answer(_ answer: JSON?) -> ChildOutput? {
        ClaudeFigures.offer(answer).map { .offer($0) } ?? ClaudeServerList.read(answer).map { .servers($0) }
    }

    /// The line has the form that it has in the transcript, but that a subagent's says so in its own way.
    private static func message(_ bytes: [UInt8], isOfSubagent: Bool) -> ChildOutput? {
        var reader = ClaudeMessageReader()
        guard case .message(let message) = reader.read(bytes) else { return nil }
        return .message(isOfSubagent ? message.adding(.sidechain) : message)
    }

    private static func piece(_ event: JSON?) -> ChildOutput? {
        event?["type"]?.stringValue == "content_block_start" ? call(event?["content_block"]) : delta(event?["delta"])
    }

    private static func call(_ block: JSON?) -> ChildOutput? {
        guard block?["type"]?.stringValue == "tool_use", let id = ClaudeStream.id(block?["id"]),
            let name = ClaudeStream.id(block?["name"])
        else { return nil }
        return .call(ChildCall(id: id, tool: ClaudeTools.tool(named: name)))
    }

    private static func delta(_ delta: JSON?) -> ChildOutput? {
        switch delta?["type"]?.stringValue {
        case "text_delta": delta?["text"]?.stringValue.map { .delta(ChildDelta(kind: .text, text: $0)) }
        case "thinking_delta": delta?["thinking"]?.stringValue.map { .delta(ChildDelta(kind: .thinking, text: $0)) }
        default: nil
        }
    }

    private static func end(_ line: JSON, _ contextTokens: Int?) -> TurnEnd {
        let errors = (line["errors"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: "\n")
        return TurnEnd(
            reason: reason(line),
            isError: line["is_error"] == true,
            text: HookAnswer.capped(line["result"]?.stringValue ?? errors),
            cost: line["total_cost_usd"]?.doubleValue,
            context: contextTokens.map { ContextUse(tokens: $0, window: ClaudeFigures.window(line)) },
            tokens: ClaudeFigures.tokens(line["usage"]))
    }

    /// A refusal of the model is `api_error` like any failure, but for the model's own reason.
    private static func reason(_ line: JSON) -> String {
        if line["stop_reason"] == "refusal" { return TurnEnd.refusal }
        return ClaudeStream.id(line["terminal_reason"] ?? line["subtype"]) ?? ""
    }

    private static func retry(_ line: JSON) -> ChildOutput? {
        guard let attempt = line["attempt"]?.intValue, let most = line["max_retries"]?.intValue else { return nil }
        return .retry(attempt: attempt, of: most)
    }
}
