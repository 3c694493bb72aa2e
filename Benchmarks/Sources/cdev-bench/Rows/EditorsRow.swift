import OrderedJSON

extension Row {
    static let editors = Row(
        name: "editors",
        measures:
            "a piece of text → an editor at `cdev acp`, and a chat front end that reads server-sent events; `cdev acp` from exec to "
            + "the answer to `initialize`; its memory",
        against: "the agent's own output through a pipe, by `read`; `/bin/true`",
        run: { try EditorsRow($0).run() })
}

private struct EditorsRow {
    let bench: Bench
    let sessions: RunSessions

    init(_ bench: Bench) throws {
        self.bench = bench
        sessions = try RunSessions(bench)
    }

    func run() throws -> Findings {
        var findings = Findings()
        try pieces(&findings)
        try start(&findings)
        sessions.daemon.stop()
        return findings
    }

    private func pieces(_ findings: inout Findings) throws {
        let editor = try EditorProcess(bench, of: sessions.daemon)
        let session = try editor.begin(in: sessions.project)
        let words = PieceReader(editor.child.output)
        let chat = try ChatFrontEnd(sessions)
        let pipe = try PipedAgent(bench)
        let samples = try Interleaving.run(
            rounds: bench.rounds(500),
            [
                Variant("acp") {
                    editor.prompt("piece", session)
                    return try words.next()[0]
                },
                Variant("chat") { try chat.piece() },
                Variant("pipe") { try pipe.piece() },
            ])
        findings.add("a piece at an editor", samples[0])
        findings.add("a piece at a chat front end", samples[1])
        findings.add("a piece by `read`", samples[2])
        let (editors, chats, floor) = (samples[0].median, samples[1].median, samples[2].median)
        findings.check("an editor's median above `read`", (editors - floor) / 1e6, .atMost(1), .milliseconds)
        findings.check("a front end's median above `read`", (chats - floor) / 1e6, .atMost(1.5), .milliseconds)
    }

    private func start(_ findings: inout Findings) throws {
        var last: EditorProcess?
        let samples = try Interleaving.run(
            rounds: bench.rounds(100),
            [
                Variant("acp") {
                    last?.child.stop()
                    let editor = try EditorProcess(bench, of: sessions.daemon)
                    last = editor
                    return editor.greeted
                },
                Variant("true") { try Launch("/bin/true", []).run().time },
            ])
        findings.add("exec → the answer to initialize", samples[0], in: .milliseconds)
        findings.add("/bin/true", samples[1], in: .milliseconds)
        findings.check("exec → the answer to initialize", samples[0].median / 1e6, .atMost(10), .milliseconds)
        let editor = try EditorProcess(bench, of: sessions.daemon)
        let session = try editor.begin(in: sessions.project)
        let words = PieceReader(editor.child.output)
        for _ in 0..<20 {
            editor.prompt("piece", session)
            _ = try words.next()
        }
        let resident = ProcessFacts.resident(editor.child.pid) / 1_048_576
        findings.check("resident with a session", resident, .atMost(12), .megabytes)
        last?.child.stop()
    }
}

/// A program that asks for completions, all in one session and over one connection.
private final class ChatFrontEnd {
    private let socket: StreamSocket
    private let reader: PieceReader
    private let token: String
    private let session: String

    init(_ sessions: RunSessions) throws {
        session = try sessions.start()
        token = try sessions.daemon.token(rights: "drive")
        socket = try .loopback(sessions.daemon.port)
        reader = PieceReader(socket.descriptor, member: "content")
    }

    func piece() throws -> Nanoseconds {
        let request: JSON = [
            "model": "claude", "stream": true, "session_id": .string(session),
            "messages": [["role": "user", "content": "piece"]],
        ]
        let body = Array(request.serialized().utf8)
        try socket.send(HTTPText.post("/v1/chat/completions", body, host: "127.0.0.1", bearer: token))
        return try reader.next()[0]
    }
}
