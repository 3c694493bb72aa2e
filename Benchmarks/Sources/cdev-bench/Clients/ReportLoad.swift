import OrderedJSON

/// Machines that report events, so many a second, each on a connection and with a token of its own. An event that is due
/// while its machine still waits for an answer counts as late from when it was due.
final class ReportLoad {
    private final class Line {
        let socket: StreamSocket
        let token: String
        let number: Int
        var buffer: [UInt8] = []
        /// When the events were due that are not answered; the first of them is sent.
        var due: [Nanoseconds] = []

        init(_ socket: StreamSocket, token: String, number: Int) {
            self.socket = socket
            self.token = token
            self.number = number
        }
    }

    private let daemon: DaemonProcess
    private let tokens: [String]
    private let perSecond: Int
    private var lines: [Line] = []
    private var poller = Poller()
    private var start: Nanoseconds = 0
    private var sent = 0
    private(set) var answers = Samples()

    init(_ daemon: DaemonProcess, tokens: [String], perSecond: Int) {
        self.daemon = daemon
        self.tokens = tokens
        self.perSecond = perSecond
    }

    /// Runs on a thread of its own while `body` does, and then until everything is answered. Each time on new connections:
    /// one that asks nothing for ten seconds after it was made is closed.
    func run(_ body: () throws -> Void) throws {
        try connect()
        start = Clock.now()
        sent = 0
        let thread = Background { try self.step() }
        try body()
        try thread.stop()
        while lines.contains(where: { !$0.due.isEmpty }) { try receive(waiting: 1000) }
    }

    private func connect() throws {
        poller = Poller()
        lines = try tokens.enumerated().map { number, token in
            Line(try .loopback(daemon.port), token: token, number: number)
        }
        for line in lines { poller.add(line.socket, number: line.number) }
    }

    private func step() throws {
        let count = Int((Clock.now() - start) * Nanoseconds(perSecond) / 1_000_000_000)
        while sent < count {
            let line = lines[sent % lines.count]
            line.due.append(start + Nanoseconds(sent) * 1_000_000_000 / Nanoseconds(perSecond))
            if line.due.count == 1 { try line.socket.send(event(of: line)) }
            sent += 1
        }
        try receive(waiting: 1)
    }

    private func receive(waiting milliseconds: Int32) throws {
        for number in try poller.look(milliseconds: milliseconds) {
            let line = lines[number]
            guard line.socket.receive(into: &line.buffer) else { throw BenchError("the server has left") }
            guard let length = HTTPText.wholeLength(line.buffer) else { continue }
            guard line.buffer.contains("200 OK") else {
                throw BenchError("a report was refused: \(String(decoding: line.buffer, as: UTF8.self))")
            }
            line.buffer.removeFirst(length)
            answers.add(nanoseconds: Clock.now() - line.due.removeFirst())
            if !line.due.isEmpty { try line.socket.send(event(of: line)) }
        }
    }

    private static let names = [
        "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreToolUse", "PostToolUse", "PermissionRequest",
        "PostToolUse",
        "SubagentStop", "Stop", "SessionStart",
    ]

    /// Each machine has ten sessions at a time.
    private func event(of line: Line) -> [UInt8] {
        let name = Self.names[answers.count % Self.names.count]
        let session = "load-\(line.number)-\(answers.count / lines.count % 10)"
        return HTTPText.post(
            "/api/v1/events",
            [
                "device": [
                    "device_id": .string("load-\(line.number)"), "device_name": .string("box \(line.number)"),
                    "platform": "linux",
                ],
                "event": [
                    "session_id": .string(session), "hook_event_name": .string(name), "cwd": "/home/me/work",
                    "tool_name": "Bash", "message": "Claude needs your permission to use Bash",
                ], "timestamp": "2026-11-22T07:18:04.875Z",
            ], bearer: line.token)
    }
}
