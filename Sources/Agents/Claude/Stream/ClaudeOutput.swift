import Core
import OrderedJSON

/// What people are shown of a line of the stream.
enum ClaudeOutput {
    static func read(_ line: JSON, _ bytes: [UInt8]) -> ChildOutput? {
        switch line["type"]?.stringValue {
        case "assistant", "user": message(bytes)
        case "result": .turnEnd(end(line))
        case "stream_event": delta(line["event"]?["delta"])
        case "system" where line["subtype"]?.stringValue == "api_retry": retry(line)
        default: nil
        }
    }

    /// The line has the form that it has in the transcript.
    private static func message(_ bytes: [UInt8]) -> ChildOutput? {
        var reader = ClaudeMessageReader()
        guard case .message(let message) = reader.read(bytes) else { return nil }
        return .message(message)
    }

    private static func delta(_ delta: JSON?) -> ChildOutput? {
        switch delta?["type"]?.stringValue {
        case "text_delta": delta?["text"]?.stringValue.map { .delta(ChildDelta(kind: .text, text: $0)) }
        case "thinking_delta": delta?["thinking"]?.stringValue.map { .delta(ChildDelta(kind: .thinking, text: $0)) }
        default: nil
        }
    }

    private static func end(_ line: JSON) -> TurnEnd {
        let errors = (line["errors"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: "\n")
        return TurnEnd(
            reason: (line["terminal_reason"] ?? line["subtype"])?.stringValue ?? "",
            isError: line["is_error"] == true,
            text: HookAnswer.capped(line["result"]?.stringValue ?? errors),
            cost: line["total_cost_usd"]?.doubleValue)
    }

    private static func retry(_ line: JSON) -> ChildOutput? {
        guard let attempt = line["attempt"]?.intValue, let most = line["max_retries"]?.intValue else { return nil }
        return .retry(attempt: attempt, of: most)
    }
}
