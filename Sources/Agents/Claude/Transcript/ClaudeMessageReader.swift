import Core
import OrderedJSON

/// Reads whole messages, to show them.
struct ClaudeMessageReader {
    /// Keys and values of a line that is shown. What an agent writes has some hundreds, the results of its tools some
    /// thousands; each takes up to a hundred times its byte.
    private static let mostOfLine = 100_000
    /// All lines of a page together have no more.
    private static let mostOfPage = 250_000

    private var room = mostOfPage

    enum Outcome {
        case message(TranscriptMessage)
        case noMessage
        /// It is for the next page.
        case noRoom
    }

    /// Bytes that are not UTF-8 are replaced, so that such a line is shown.
    mutating func read(_ bytes: [UInt8]) -> Outcome {
        var parser = ClaudeLineParser()
        let line = parser.read(bytes)
        guard line.isMessage else { return .noMessage }
        let values = LineScanner.values(in: bytes, upTo: Self.mostOfLine + 1)
        guard values <= Self.mostOfLine else { return .message(Self.leftOut(line, bytes: bytes.count)) }
        guard values <= room else { return .noRoom }
        room -= values
        guard let object = Self.parsed(bytes)?.objectValue, let message = Self.message(of: object) else {
            return .noMessage
        }
        return .message(
            TranscriptMessage(
                kind: line.kind, flags: line.flags, uuid: line.uuid ?? "", parent: line.parent, time: line.time,
                branch: line.branch, agentID: line.agentID, message: message,
                tools: ClaudeToolLines.tools(in: message), change: ClaudeToolLines.change(in: object, message),
                todos: ClaudeTodoLines.notes(in: object, message)))
    }

    /// Stands for a message that is too large to be shown.
    static func leftOut(_ line: TranscriptLine, bytes: Int) -> TranscriptMessage {
        let kind = line.kind == .other ? .user : line.kind
        return TranscriptMessage(
            kind: kind, flags: line.flags, uuid: line.uuid ?? "", parent: line.parent, time: line.time,
            branch: line.branch, agentID: line.agentID,
            message: ["role": kind == .user ? "user" : "assistant", "content": []], leftOut: bytes)
    }

    private static func parsed(_ bytes: [UInt8]) -> JSON? {
        (try? JSON(parsing: bytes)) ?? (try? JSON(parsing: Array(String(decoding: bytes, as: UTF8.self).utf8)))
    }

    private static func message(of line: JSONObject) -> JSON? {
        if let message = line["message"], message.objectValue != nil { return message }
        // A prompt that was sent while the agent worked.
        return line["attachment"]?["prompt"].map { ["role": "user", "content": $0] }
    }
}
