import OrderedJSON

/// `cdev acp`, as an editor starts it.
final class EditorProcess {
    let child: Child
    /// From its start to the answer to `initialize`.
    let greeted: Nanoseconds
    private var lastID = 0

    init(_ bench: Bench, of daemon: DaemonProcess) throws {
        let home = ["HOME": daemon.home, "CDEV_HOME": daemon.home, "CLAUDE_CONFIG_DIR": daemon.home]
        child = try Launch(
            bench.programs.cdev, ["acp"], environment: Launch.plainEnvironment.merging(home) { $1 }
        ).start(pipes: true)
        child.send(Self.line(0, "initialize", ["protocolVersion": 1, "clientCapabilities": [:]]))
        guard child.readLine().contains("agentInfo") else { throw BenchError("cdev acp did not answer") }
        greeted = Clock.now() - child.started
    }

    /// Begins a session, and returns its id.
    func begin(in directory: String) throws -> String {
        send("session/new", ["cwd": .string(directory), "mcpServers": []])
        var said: [UInt8] = []
        while let more = child.readSome() {
            said += more
            // Updates may come before the answer.
            for line in said.split(separator: 0x0A) {
                guard let message = try? JSON(parsing: Array(line)) else { continue }
                if let id = message["result"]?["sessionId"]?.stringValue { return id }
            }
        }
        throw BenchError("cdev acp began no session")
    }

    func prompt(_ text: String, _ session: String) {
        send(
            "session/prompt", ["sessionId": .string(session), "prompt": [["type": "text", "text": .string(text)]]])
    }

    private func send(_ method: String, _ parameters: JSON) {
        lastID += 1
        child.send(Self.line(lastID, method, parameters))
    }

    private static func line(_ id: Int, _ method: String, _ parameters: JSON) -> [UInt8] {
        let message: JSON = [
            "jsonrpc": "2.0", "id": .init(integerLiteral: id), "method": .string(method), "params": parameters,
        ]
        return Array((message.serialized() + "\n").utf8)
    }
}
