import Agents
import Core
import Host
import Platform
import Services

/// Finds the Claude Code that sessions run, and the environment that it gets. Every call may wait for a program.
final class ClaudeInstallation: Sendable {
    private struct Known {
        var environment: [String: String]?
        var shell: String?
        var notice: String?
        var versions: [String: (stamp: FileStamp?, version: ClaudeVersion)] = [:]
    }

    private let home: String
    private let person: [String: String]
    private let configured: String?
    private let isLogin: Bool
    private let log: any Log
    private let known = Locked(Known())

    /// - Parameters:
    ///   - person: the daemon's environment.
    ///   - configured: the path of Claude Code in the configuration.
    ///   - isLogin: True to ask a login shell for the environment, once.
    init(home: String, person: [String: String], configured: String?, isLogin: Bool, log: any Log) {
        self.home = home
        self.person = person
        self.configured = configured
        self.isLogin = isLogin
        self.log = log
    }

    /// The environment of a child.
    var environment: [String: String] {
        known.withLock { known in
            if let environment = known.environment { return environment }
            let environment = ClaudeProgram.environment(from: ask(&known))
            known.environment = environment
            return environment
        }
    }

    private func ask(_ known: inout Known) -> [String: String] {
        guard isLogin else { return person }
        guard let shell = LoginShell(environment: person) else {
            known.notice = "no login shell is known"
            return person
        }
        switch shell.environment(from: ClaudeProgram.environment(from: person)) {
        case .variables(let variables):
            known.shell = shell.path
            return variables
        case .failed(let why):
            known.notice = why
            log.warning("agents get the daemon's environment, not that of a login shell", ["why": why])
            return person
        }
    }

    /// The path of the program: the configured one, else that which `cdev install` found, else that of the shell's or the
    /// daemon's PATH.
    func program() throws(ChildFailure) -> String {
        let path = try find()
        try check(path)
        return path
    }

    private func find() throws(ChildFailure) -> String {
        if let configured { return configured }
        let directories = [environment["PATH"], person["PATH"]].compactMap { $0 }.joined(separator: ":")
        guard let path = FoundClaude.path(home: home) ?? ProgramPath.find("claude", in: directories) else {
            throw ChildFailure(
                "there is no program \"claude\" in the PATH of your login shell, nor in the daemon's; set \"claude\" in "
                    + "config.json to its path, or run `cdev install` where it is found")
        }
        return path
    }

    private func check(_ path: String) throws(ChildFailure) {
        let version = try version(of: path)
        guard version >= .lowest else {
            throw ChildFailure(
                "\(path) is Claude Code \(version), and sessions need \(ClaudeVersion.lowest) or newer: run `claude update`"
            )
        }
    }

    /// Asked anew once the file is another.
    private func version(of path: String) throws(ChildFailure) -> ClaudeVersion {
        let stamp = FileStamp(path: path)
        if let known = known.withLock({ $0.versions[path] }), stamp != nil, known.stamp == stamp {
            return known.version
        }
        guard let run = ChildProcess.run([path, "--version"], environment: environment) else {
            throw ChildFailure("\(path) could not be started")
        }
        guard let version = ClaudeVersion(printed: run.output) else { throw ChildFailure(Self.words(path, run)) }
        known.withLock { $0.versions[path] = (stamp, version) }
        return version
    }

    private static func words(_ path: String, _ run: ChildProcess) -> String {
        if run.isTimedOut { return "\(path) --version did not end within 10 s" }
        let said = CallContext.beginning(of: run.output + run.complaint) ?? ""
        return "\(path) does not seem to be Claude Code: --version ended with status \(run.status) and printed "
            + "\"\(said)\""
    }

    /// Looks without starting anything but the shell and `--version`.
    func look() -> AgentCheck {
        var check = AgentCheck(lowestVersion: ClaudeVersion.lowest.description)
        _ = environment
        (check.shell, check.notice) = known.withLock { ($0.shell, $0.notice) }
        do throws(ChildFailure) {
            let path = try find()
            check.program = path
            check.version = try version(of: path).description
            try self.check(path)
        } catch { check.problem = error.reason }
        return check
    }
}
