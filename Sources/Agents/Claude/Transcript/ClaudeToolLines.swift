import Core
import OrderedJSON

/// Reads what lines of a transcript say of tools: those that a message calls, and what a call changed in a file.
enum ClaudeToolLines {
    /// By the names that the message's calls have.
    static func tools(in message: JSON) -> [String: Tool] {
        let names = blocks("tool_use", of: message).compactMap { $0["name"]?.stringValue }
        return Dictionary(names.map { ($0, ClaudeTools.tool(named: $0)) }) { first, _ in first }
    }

    /// The change by the call whose result the line is. Claude Code writes it beside the message, for its own screen; `nil`
    /// for other lines, and for a form that is not known.
    static func change(in line: JSONObject, _ message: JSON) -> FileDifference? {
        // The second name is that of the stream.
        guard blocks("tool_result", of: message).count == 1,
            let told = line["toolUseResult"] ?? line["tool_use_result"],
            let path = told["filePath"]?.stringValue, let list = told["structuredPatch"]?.arrayValue
        else { return nil }
        if list.isEmpty, told["type"] == "create", let text = told["content"]?.stringValue {
            return FileDifference(path: path, lines: LineDiff(newFile: text))
        }
        let hunks = list.compactMap(hunk)
        guard !hunks.isEmpty, hunks.count == list.count else { return nil }
        return FileDifference(path: path, lines: LineDiff(hunks: hunks))
    }

    private static func blocks(_ type: String, of message: JSON) -> [JSON] {
        (message["content"]?.arrayValue ?? []).filter { $0["type"]?.stringValue == type }
    }

    private static func hunk(_ hunk: JSON) -> LineDiff.Hunk? {
        guard let oldStart = hunk["oldStart"]?.intValue, let newStart = hunk["newStart"]?.intValue,
            let texts = hunk["lines"]?.arrayValue
        else { return nil }
        var lines: [LineDiff.Line] = []
        for text in texts {
            guard let line = text.stringValue, let sign = line.unicodeScalars.first else { return nil }
            // As git says it of the line before.
            if sign == "\\" {
                guard let last = lines.popLast() else { return nil }
                lines.append(LineDiff.Line(last.operation, last.text, isTerminated: false))
                continue
            }
            guard let operation = LineDiff.Operation(rawValue: String(sign)) else { return nil }
            lines.append(LineDiff.Line(operation, String(line.unicodeScalars.dropFirst())))
        }
        return LineDiff.Hunk(oldStart: oldStart, newStart: newStart, lines: lines)
    }
}
