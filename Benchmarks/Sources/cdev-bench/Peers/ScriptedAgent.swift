import Glibc
import OrderedJSON

/// Stands in for Claude Code as the daemon runs it (`--output-format stream-json`): says what its prompt orders, each piece
/// of text being the time at which it was written, in nanoseconds.
final class ScriptedAgent {
    private var input: [UInt8] = []
    /// Pieces are written for ever.
    private var isTicking = false

    static func serve(_ words: [String]) throws {
        if words.contains("--version") { return print("9.9.9 (Claude Code)") }
        try ScriptedAgent().run()
    }

    private func run() throws {
        while true {
            var entry = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, isTicking ? 5 : -1) == 0 {
                piece()
                continue
            }
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            let count = read(0, &buffer, buffer.count)
            guard count > 0 else { return }
            input += buffer[..<count]
            while let end = input.firstIndex(of: 0x0A) {
                let line = Array(input[..<end])
                input.removeFirst(end + 1)
                if let message = try? JSON(parsing: line) { try take(message) }
            }
        }
    }

    private func take(_ message: JSON) throws {
        switch (message["type"]?.stringValue, message["request"]?["subtype"]?.stringValue) {
        case ("control_request", "end_session"): exit(0)
        case ("control_request", _): answer(message["request_id"] ?? "")
        case ("user", _): order(message["message"]?["content"]?.stringValue ?? "", message["uuid"] ?? "")
        default: break
        }
    }

    private func answer(_ request: JSON) {
        say([
            "type": "control_response",
            "response": [
                "subtype": "success", "request_id": request, "response": ["commands": [], "models": []],
            ],
        ])
    }

    private func order(_ text: String, _ prompt: JSON) {
        let words = text.split(separator: " ")
        switch words.first {
        case "tick": isTicking = true
        case "burst": burst(Int(words[1]) ?? 0, milliseconds: Int(words[2]) ?? 1)
        default: piece()
        }
        // Whoever answers with a whole turn waits for it.
        if !isTicking {
            say(["type": "result", "subtype": "success", "is_error": false, "result": "", "session_id": "s"])
        }
        say(["type": "command_lifecycle", "command_uuid": prompt, "state": isTicking ? "started" : "completed"])
    }

    /// The same number of pieces in each millisecond.
    private func burst(_ count: Int, milliseconds: Int) {
        let begin = Clock.now()
        var written = 0
        while written < count {
            let due = min(count, count * Int((Clock.now() - begin) / 1_000_000 + 1) / milliseconds)
            while written < due {
                piece()
                written += 1
            }
            usleep(500)
        }
    }

    private func piece() {
        let line =
            #"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""#
            + "\(Clock.now()) " + #""}},"session_id":"s","parent_tool_use_id":null,"uuid":"u"}"# + "\n"
        write(Array(line.utf8))
    }

    private func say(_ message: JSON) { write(Array((message.serialized() + "\n").utf8)) }

    private func write(_ bytes: [UInt8]) {
        guard bytes.withUnsafeBytes({ Glibc.write(1, $0.baseAddress, $0.count) }) == bytes.count else { exit(1) }
    }
}
