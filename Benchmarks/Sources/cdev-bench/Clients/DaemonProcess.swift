import Glibc
import OrderedJSON

/// A `cdev serve` with a home of its own.
final class DaemonProcess {
    let home: String
    let socket: String
    let port: UInt16
    let child: Child

    var pid: pid_t { child.pid }

    /// - Parameters:
    ///   - home: an existing one is used again.
    ///   - configuration: beyond what is shipped.
    init(_ bench: Bench, home: String? = nil, configuration: [(String, JSON)] = []) throws {
        let home = try home ?? bench.makeDirectory("h")
        self.home = home
        socket = home + "/cdev.sock"
        let settings: [(String, JSON)] = [("gate", "tool-call"), ("permission_timeout_seconds", 600)] + configuration
        try bench.write(JSON.object(JSONObject(settings)).serialized(), to: home + "/config.json")
        child = try Self.launch(bench, home: home).start(pipes: true)
        let line = child.readLine()
        guard let place = line.end(of: "http://127.0.0.1:"), let port = UInt16(line[place...].prefix { $0.isNumber })
        else { throw BenchError("the daemon did not start: \(line)") }
        self.port = port
    }

    static func launch(_ bench: Bench, home: String) -> Launch {
        let environment = Launch.plainEnvironment.merging(["HOME": home, "CLAUDE_CONFIG_DIR": home]) { $1 }
        return Launch(bench.programs.cdev, ["serve", "--home", home, "--port", "0"], environment: environment)
    }

    func client() throws -> HTTPClient {
        HTTPClient(try .unix(socket))
    }

    func approver() throws -> Approver {
        try Approver(.unix(socket))
    }

    /// A bearer token.
    func token(rights: String = "approve") throws -> String {
        try device("bench \(rights)", rights: rights).token
    }

    /// A device's bearer token, and its id.
    func device(_ name: String, rights: String = "approve") throws -> (token: String, id: String) {
        let reply = try client().call("token/create", ["name": .string(name), "rights": .string(rights)])
        guard let token = reply["token"]?.stringValue, let id = reply["device_id"]?.stringValue else {
            throw BenchError("no token: \(reply.serialized())")
        }
        return (token, id)
    }

    /// Lets a person allow `npm test` for these sessions, as they would.
    func allow(_ command: String = HookInput.coveredCommand, sessions: [String], by approver: Approver) throws {
        let client = try client()
        for (number, session) in sessions.enumerated() {
            let body = HookInput.bash(command, session: session, id: "rule-\(session)")
            let fields = HTTPText.relayFields(0xF000_0000_0000 + number)
            try client.socket.send(HTTPText.post("/hooks/claude", body, fields: fields))
            let card = try approver.event("event/pty_permission")
            guard let id = card["request_id"]?.stringValue else { throw BenchError("a card without an id") }
            _ = try approver.reply(to: try approver.decide(id, "allow", scope: "session"))
            let answer = String(decoding: try client.response(), as: UTF8.self)
            guard answer.contains(#""allow""#) else { throw BenchError("the rule was not made: \(answer)") }
        }
        try approver.drain()
    }

    var resident: Double { ProcessFacts.resident(pid) }

    func stop() {
        child.stop()
    }
}

extension String {
    /// Where the text ends.
    fileprivate func end(of text: String) -> String.Index? {
        var at = startIndex
        while at < endIndex {
            if self[at...].hasPrefix(text) { return index(at, offsetBy: text.count) }
            at = index(after: at)
        }
        return nil
    }
}
