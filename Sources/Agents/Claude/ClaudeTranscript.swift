package import Core
import Glibc
import OrderedJSON
import Platform

/// Reads the end of a transcript of Claude Code (2.1.x): a file of JSON lines, one for each block of a message. Whoever
/// can run a hook can name any path, so only lines of the session that the file is named after count, and of everything
/// else nothing is told.
package enum ClaudeTranscript {
    /// Bytes at the end of the file.
    private static let read = 256 << 10
    /// Bytes of a line that is parsed: results of tools are larger, texts of Claude are not.
    private static let longestLine = 64 << 10
    /// Attempts to find the call: the terminal's client writes it 10 ms after its hook has started, the one without a
    /// terminal up to 100 ms.
    private static let attempts = 10
    /// Microseconds between two attempts.
    private static let pause: UInt32 = 20_000

    /// Takes as long as the disk takes, and up to 180 ms more. `nil` where there is no such transcript.
    /// - Parameter wait: Waits before a further attempt; replaced by tests.
    package static func end(
        for query: TranscriptQuery, wait: () -> Void = { usleep(pause) }
    ) -> TranscriptEnd? {
        guard let path = path(for: query) else { return nil }
        var end: TranscriptEnd?
        for attempt in 1...attempts {
            if let bytes = tail(of: path) {
                var lines = TranscriptLines(query)
                lines.walk(bytes, longest: longestLine)
                end = lines.end
                if lines.hasCall { break }
            } else if !isYetToCome(path) {
                return nil
            }
            if attempt < attempts { wait() }
        }
        return end
    }

    /// True if the file's directory is there and the file is not: the client makes it with the first lines it writes.
    private static func isYetToCome(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/") else { return false }
        return access(String(path[..<slash]), F_OK) == 0
    }

    /// The path of the file with the call's lines; `nil` for a file that is not named after the session.
    private static func path(for query: TranscriptQuery) -> String? {
        let ending = "/\(query.sessionID).jsonl"
        guard query.path.hasPrefix("/"), query.path.hasSuffix(ending) else { return nil }
        guard let agent = query.agentID else { return query.path }
        // Part of a path, so it must not lead anywhere else.
        guard !agent.isEmpty, agent.utf8.allSatisfy({ $0.isPlain }) else { return nil }
        return query.path.dropLast(".jsonl".count) + "/subagents/agent-\(agent).jsonl"
    }

    /// The last bytes of a regular file of ours, from the start of a line; `nil` for anything else, links among it.
    private static func tail(of path: String) -> ArraySlice<UInt8>? {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return nil
        }
        let start = max(0, Int(status.st_size) - read)
        guard let bytes = FileBytes.contents(of: file, from: start, size: read) else { return nil }
        guard start > 0 else { return bytes[...] }
        return bytes.firstIndex(of: UInt8(ascii: "\n")).map { bytes[($0 + 1)...] } ?? []
    }
}

extension UInt8 {
    /// True for a letter, a digit, `-` and `_`.
    fileprivate var isPlain: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The lines of a transcript, walked from the last to the first.
private struct TranscriptLines {
    private let query: TranscriptQuery
    /// True once no earlier line can be what Claude said before the call.
    private var isBefore = false
    private(set) var end = TranscriptEnd()
    /// True if the call itself is among the lines.
    private(set) var hasCall = false

    init(_ query: TranscriptQuery) { self.query = query }

    mutating func walk(_ bytes: ArraySlice<UInt8>, longest: Int) {
        for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() {
            guard line.count <= longest, let object = (try? JSON(parsing: Array(line)))?.objectValue,
                object["sessionId"]?.stringValue == query.sessionID
            else { continue }
            take(object)
            if isBefore, end.title != nil { return }
        }
    }

    private mutating func take(_ line: JSONObject) {
        switch line["type"]?.stringValue {
        case "assistant" where isOfCaller(line): said(line["message"]?["content"])
        case "user" where isOfCaller(line): heard(line)
        case "ai-title": name(line["aiTitle"])
        case "custom-title": name(line["customTitle"])
        default: break
        }
    }

    private func isOfCaller(_ line: JSONObject) -> Bool {
        (line["isSidechain"] == true) == (query.agentID != nil)
    }

    private mutating func name(_ title: JSON?) {
        if end.title == nil { end.title = title?.stringValue.flatMap(CallContext.beginning) }
    }

    private mutating func said(_ content: JSON?) {
        guard !isBefore else { return }
        let blocks = content?.arrayValue ?? []
        if blocks.contains(where: { $0["type"] == "tool_use" && $0["id"]?.stringValue == query.toolUseID }) {
            hasCall = true
        }
        let texts = blocks.filter { $0["type"] == "text" }.compactMap { $0["text"]?.stringValue }
        end.lastWords = CallContext.end(of: texts.joined(separator: "\n"))
        isBefore = end.lastWords != nil
    }

    /// A prompt ends the search: words before it belong to another turn. Results of tools have the same type.
    private mutating func heard(_ line: JSONObject) {
        guard line["isMeta"] != true else { return }
        let content = line["message"]?["content"]
        let isResult = content?.arrayValue?.contains { $0["type"] == "tool_result" } == true
        if content != nil, !isResult { isBefore = true }
    }
}
