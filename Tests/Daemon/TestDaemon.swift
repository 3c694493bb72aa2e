import Core
import Daemon
import Foundation
import Host
import OrderedJSON
import Rules
import Store
import TestSupport
import Testing
import Transport
import Wire

/// A whole daemon in this process: its own home, real sockets, a real database, a clock in the test's hands.
final class TestDaemon: Sendable {
    let home: PrivateHome
    let clock: ManualClock
    let daemon: RunningDaemon

    init(
        home: PrivateHome? = nil, clock: ManualClock = ManualClock(), configuration: String = "",
        change: (inout ServeOptions, inout DaemonParts) -> Void = { _, _ in }
    ) async throws {
        self.home = try home ?? PrivateHome()
        self.clock = clock
        let isNew = !FileManager.default.fileExists(atPath: self.home.file("config.json"))
        if isNew || !configuration.isEmpty { try self.home.write("config.json", Self.gated(configuration)) }
        var options = ServeOptions(home: self.home.path, socket: self.home.file("cdev.sock"))
        options.port = 0
        options.logLevel = .debug
        var parts = DaemonParts(evaluator: NoRules(), claudeRules: NoClaudeRules())
        parts.clock = clock
        parts.processes = ProcessTable(root: self.home.file("proc")) { _, _ in nil }
        change(&options, &parts)
        try self.home.addProcess(getpid())
        daemon = try await RunningDaemon.start(options, parts)
    }

    /// The configuration with `gate` at `tool-call`, unless it says otherwise: most tests are about calls that are held
    /// before Claude's own dialog.
    private static func gated(_ configuration: String) throws -> String {
        var values = configuration.isEmpty ? [:] : try #require(JSON(parsing: configuration).objectValue)
        if values["gate"] == nil { values["gate"] = "tool-call" }
        return JSON.object(values).serialized()
    }

    var port: UInt16 { daemon.addresses[0].port }

    func local() throws -> TestPeer { try TestPeer(unix: home.file("cdev.sock")) }

    func network() throws -> TestPeer { try TestPeer(port: port) }

    var host: String { "127.0.0.1:\(port)" }

    /// The result of a method, called by the local user.
    func call(_ method: String, _ params: JSON = [:]) async throws -> JSON {
        let body = JSON.object(["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]).serialized()
        let answer = try await ask("POST", "/rpc", body).json ?? [:]
        if let error = answer["error"] { throw PeerError(what: error.serialized(), code: 0) }
        return answer["result"] ?? [:]
    }

    /// One request over the Unix socket.
    func ask(_ method: String, _ path: String, _ body: String = "", headers: HTTPHeaders = [:]) async throws
        -> HTTPResponse
    {
        let peer = try local()
        try await peer.send(httpRequest(method, path, body, headers: headers))
        return try await peer.response()
    }

    /// One request over TCP.
    func askNetwork(_ method: String, _ path: String, _ body: String = "", headers: HTTPHeaders = [:]) async throws
        -> HTTPResponse
    {
        let peer = try network()
        var headers = headers
        if method == "POST", headers["content-type"] == nil { headers.append("Content-Type", "application/json") }
        try await peer.send(httpRequest(method, path, body, host: host, headers: headers))
        return try await peer.response()
    }

    /// A WebSocket of the local user that is ready to decide.
    func approver() async throws -> TestPeer {
        let peer = try local()
        #expect(try await peer.upgrade().status.code == 101)
        try await peer.say(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"test"}}}"#)
        _ = try await peer.message(id: 0)
        return peer
    }

    /// Sends a hook as the relay does, and leaves it waiting.
    func relay(_ body: String, token: String = newToken(), path: String = "/hooks/claude") async throws -> TestPeer {
        let peer = try local()
        try await peer.send(httpRequest("POST", path, body, headers: ["Cdev-Request": token, "Cdev-Attended": "1"]))
        return peer
    }
}

func newToken() -> String {
    (0..<32).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
}

func bash(
    _ command: String, session: String = "s1", cwd: String = "/p", id: String = "toolu_1", mode: String = "default"
) -> String {
    JSON.object([
        "session_id": .string(session), "hook_event_name": "PreToolUse", "cwd": .string(cwd),
        "permission_mode": .string(mode), "tool_name": "Bash", "tool_input": ["command": .string(command)],
        "tool_use_id": .string(id),
    ]).serialized()
}

extension PrivateHome {
    /// A process as `/proc` shows it.
    func addProcess(
        _ pid: Int32, parent: Int32 = 1, started: UInt64 = 100, environment: [String] = ["HOME=/h"],
        name: String = "a (b) c", group: Int32 = 0, session: Int32 = 0
    ) throws {
        let directory = file("proc/\(pid)")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try write(
            "proc/\(pid)/stat",
            "\(pid) (\(name)) S \(parent) \(group) \(session)" + String(repeating: " 0", count: 15)
                + " \(started) 0 0\n")
        try write("proc/\(pid)/environ", environment.map { $0 + "\0" }.joined())
    }
}

/// Nothing is covered by a rule; whole tools can be remembered.
struct NoRules: RuleEvaluator {
    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers {
        RuleOffers(allow: ["\(call.name)(*)"], deny: ["\(call.name)(*)"])
    }

    func allowing(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> [SessionRule] {
        rules.all.filter { $0.pattern == "\(call.name)(*)" }
    }

    func denying(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? {
        rules.all.first { $0.pattern == "\(call.name)(*)" }
    }

    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool { false }
    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool { false }
}

struct NoClaudeRules: ClaudeRules {
    func allows(tool: String, input: JSON, root: String) -> Bool { false }
}
