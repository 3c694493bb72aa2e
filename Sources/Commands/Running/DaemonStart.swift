import Core
import Glibc
import Host
import OrderedJSON
import Platform

/// Starts the daemon in the background, and waits until it can be reached or has ended.
enum DaemonStart {
    /// Milliseconds for which a daemon may take to start: a damaged database is moved aside meanwhile.
    private static let longest: Int64 = 10_000

    static func run(
        _ invocation: Invocation, _ places: Places, tellsProblem: Bool = true
    ) throws(CommandFailure) {
        let service = UserService(invocation.environment, home: places.home)
        // A service manager tells neither a person nor `cdev doctor` at once why a daemon ended.
        try ConfigurationFile(home: places.home).check()
        let pid = service == nil ? try launch(invocation, places) : nil
        try service?.start()
        if service != nil { KeptStart.remove(places.home) }
        let status = try waitUntilUp(places, pid, service)
        // Only of a daemon that came up: a start that failed has no say in the next one.
        if service == nil { KeptStart.write(invocation.environment, places.home) }
        Terminal.write("cdev runs: pid \(status.text("pid")), log \(places.log)\n")
        if tellsProblem, let problem = StatusProblem.first(status) {
            Terminal.write("\(problem.message) → \(problem.remedy)\n")
        }
    }

    private static func launch(_ invocation: Invocation, _ places: Places) throws(CommandFailure) -> pid_t {
        guard let program = Executable.path else { throw CommandFailure(.other, "this program's own path is unknown") }
        mkdir(places.home, 0o700)
        // Only this start's output is to be read, should it fail.
        truncate(StartOutput.path(places), 0)
        let words = [program, "serve", "--home", places.home] + (invocation.has("--again") ? ["--again"] : [])
        // Without the agent's variables: a daemon that is started inside an agent is no part of the agent, and neither
        // are its child processes.
        let environment = AgentMarks.removed(from: invocation.environment)
            .filter { !$0.key.hasPrefix("CLAUDE_CODE") }
        guard let pid = ChildProcess.detach(words, environment: environment, log: StartOutput.path(places)) else {
            throw CommandFailure(.other, "\(program) could not be started: \(SystemError.last)")
        }
        return pid
    }

    /// Returns the daemon's status once it answers; throws at once when it has ended.
    private static func waitUntilUp(
        _ places: Places, _ pid: pid_t?, _ service: UserService?
    ) throws(CommandFailure) -> JSON {
        let deadline = SystemTime.awake + longest
        var looked = SystemTime.awake
        while SystemTime.awake < deadline {
            if let status = try? places.client.call("status/get") { return status }
            var status: Int32 = 0
            if let pid, waitpid(pid, &status, WNOHANG) == pid {
                // Another start may have been a moment earlier, and this daemon has ended for that reason.
                if let status = try? places.client.call("status/get") { return status }
                throw failed("the daemon ended at its start", StartOutput.reason(places), places)
            }
            if let service, SystemTime.awake - looked > 500 {
                looked = SystemTime.awake
                if let reason = service.failure { throw failed("the daemon ended at its start", reason, places) }
            }
            usleep(20_000)
        }
        throw failed("the daemon did not come up within 10 s", StartOutput.reason(places), places)
    }

    private static func failed(_ what: String, _ reason: String?, _ places: Places) -> CommandFailure {
        // On a full disk both files are empty.
        let elsewhere = "see \(places.log), or run `cdev serve` to be told why"
        return CommandFailure(.noDaemon, "\(what): \(reason ?? elsewhere)")
    }
}

/// The output of the last daemon that was started in the background.
enum StartOutput {
    static func path(_ places: Places) -> String { places.home + "/start.log" }

    /// The last line that says why it ended; `nil` if it said nothing.
    static func reason(_ places: Places) -> String? {
        guard let bytes = FileBytes.read(path(places), limit: 1 << 20) else { return nil }
        let lines = String(decoding: bytes.suffix(4000), as: UTF8.self).split(separator: "\n")
        // The daemon's log is there too; a failure begins so, and a crash of the Swift runtime has these words.
        guard let line = lines.last(where: { $0.hasPrefix("cdev: ") || String($0).holds("Fatal error") }) else {
            return nil
        }
        return (line.hasPrefix("cdev: ") ? String(line.dropFirst(6)) : String(line)).shown(600)
    }
}
