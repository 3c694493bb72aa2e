import Core
import OrderedJSON

/// Reads whole messages, to show them.
enum ClaudeMessageReader {
    /// `nil` for a line that is no message. Bytes that are not UTF-8 are replaced, so that such a line is shown.
    static func message(_ bytes: [UInt8]) -> TranscriptMessage? {
        var parser = ClaudeLineParser()
        let line = parser.read(bytes)
        guard line.isMessage, let object = parsed(bytes)?.objectValue, let message = message(of: object) else {
            return nil
        }
        return TranscriptMessage(
            kind: line.kind, flags: line.flags, uuid: line.uuid ?? "", parent: line.parent, time: line.time,
            branch: line.branch, agentID: line.agentID, message: message,
            tools: ClaudeToolLines.tools(in: message), change: ClaudeToolLines.change(in: object, message))
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
