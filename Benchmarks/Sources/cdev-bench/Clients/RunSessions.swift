import Glibc
import OrderedJSON

/// A daemon that runs sessions of a scripted agent.
final class RunSessions {
    let home: String
    private(set) var daemon: DaemonProcess
    private let bench: Bench
    private let configuration: [(String, JSON)]
    private var client: Approver
    /// The directory in which the sessions run.
    let project: String
    private let workspace: String

    /// - Parameter agent: the program that is run; nil for the scripted one.
    init(_ bench: Bench, agent real: String? = nil) throws {
        self.bench = bench
        home = try bench.makeDirectory("r")
        let scripted = home + "/agent"
        try bench.write("#!/bin/sh\nexec '\(bench.programs.bench)' --part agent \"$@\"\n", to: scripted, mode: 0o700)
        let agent = real ?? scripted
        configuration = [("claude", .string(agent)), ("session_environment", "daemon"), ("max_sessions", 64)]
        daemon = try DaemonProcess(bench, home: home, configuration: configuration)
        client = try daemon.approver()
        project = try bench.makeDirectory("w")
        workspace = try client.call("workspace/add", ["path": .string(project)])["id"]?.stringValue ?? ""
    }

    /// Returns the id of a session that takes prompts.
    func start() throws -> String {
        let session = try client.call("session/start", ["workspace_id": .string(workspace)])
        guard let id = session["id"]?.stringValue else { throw BenchError("no session: \(session.serialized())") }
        while try client.event("event/session_start")["session_id"]?.stringValue != id {}
        return id
    }

    func prompt(_ text: String, _ session: String) throws {
        _ = try client.call("session/send", ["session_id": .string(session), "prompt": .string(text)])
    }

    func stop(_ session: String) throws {
        _ = try client.call("session/stop", ["session_id": .string(session)])
        while try client.event("event/session_stopped")["session_id"]?.stringValue != session {}
    }

    /// A client that reads along.
    func watcher(_ session: String) throws -> (Approver, PieceReader) {
        let watcher = try daemon.approver()
        _ = try watcher.call("session/watch", ["session_id": .string(session)])
        return (watcher, PieceReader(watcher.socket.descriptor))
    }

    /// Kills the agent of each session; they are parked then.
    func killAgents(_ sessions: [String]) throws {
        for (name, process) in try agents() where sessions.contains(name) { kill(process, SIGKILL) }
        for session in sessions {
            while try client.call("session/state", ["session_id": .string(session)])["claude_state"] != "parked" {
                Clock.sleep(milliseconds: 2)
            }
        }
    }

    /// The processes of agents by their sessions, found by what they read from.
    private func agents() throws -> [(String, pid_t)] {
        guard let processes = opendir("/proc") else { throw BenchError.system("/proc") }
        defer { closedir(processes) }
        var found: [(String, pid_t)] = []
        while let entry = readdir(processes) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let pid = pid_t(name), let input = Self.link("/proc/\(pid)/fd/0") else { continue }
            let parts = input.split(separator: "/").map(String.init)
            guard input.hasPrefix(home + "/sessions/"), parts.count > 2 else { continue }
            found.append((parts[parts.count - 2], pid))
        }
        return found
    }

    private static func link(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
            let count = readlink(path, buffer.baseAddress!, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
        }
    }

    /// Kills the daemon; returns how long another takes until `isBack` says that all is as before.
    func replaceDaemon(_ isBack: (DaemonProcess) throws -> Void) throws -> Nanoseconds {
        kill(daemon.pid, SIGKILL)
        daemon.child.wait()
        let time = try Clock.time {
            daemon = try DaemonProcess(bench, home: home, configuration: configuration)
            try isBack(daemon)
        }
        client = try daemon.approver()
        return time
    }
}
