import Agents
import Core
import Glibc
import Host
import OrderedJSON
import Platform

/// Checks everything between Claude Code and the daemon, in the order in which a call passes it.
struct Doctor {
    let places: Places
    let invocation: Invocation

    mutating func examine() -> [Finding] {
        let answer = Result { () throws(CommandFailure) in try places.client.call("status/get") }
        let status = try? answer.get()
        let isUp = status != nil
        return home() + daemon(answer) + configuration(status) + relay() + settings()
            + scripts(isUp: isUp) + sessions(isUp: isUp) + modes(isUp: isUp) + agents(isUp: isUp)
            + runSessions(isUp: isUp) + notify(status) + limits()
    }

    private func home() -> [Finding] {
        var attributes = stat()
        guard stat(places.home, &attributes) == 0 else {
            return [Finding(.fault, "\(places.home) does not exist", remedy: "run `cdev install`, then `cdev start`")]
        }
        guard attributes.st_mode & 0o077 == 0 else {
            return [Finding(.fault, "\(places.home) can be entered by others", remedy: "chmod 700 \(places.home)")]
        }
        return [Finding(.fine, "state in \(places.home), for you alone")]
    }

    private func daemon(_ answer: Result<JSON, CommandFailure>) -> [Finding] {
        let status: JSON
        do throws(CommandFailure) { status = try answer.get() } catch {
            guard error.status == .noDaemon else {
                return [Finding(.fault, error.message, remedy: "bring it back, or end it; then run this again")]
            }
            let last = StartOutput.reason(places).map { "; the last start by `cdev start` ended with: \($0)" } ?? ""
            return [Finding(.fault, error.message + last, remedy: "cdev start")]
        }
        var findings = [Finding(.fine, "the daemon runs: pid \(status.text("pid")), version \(status.text("version"))")]
        if status.text("version") != Version.text {
            findings.append(
                Finding(
                    .fault, "the daemon is not version \(Version.text), as this command is",
                    remedy: "cdev restart"))
        }
        let failure = status.text("store_failure")
        if !failure.isEmpty {
            findings.append(
                Finding(
                    .fault, "decisions cannot be written down: \(failure)",
                    remedy: "free space in \(places.home); until then no allow is given"))
        }
        if status["approvers"]?.intValue == 0 {
            findings.append(
                Finding(
                    .note, "nobody who may answer is connected, so calls are not held unless no_approver is hold",
                    remedy: "cdev pending --follow, or connect a device"))
        }
        return findings + socket(status) + reach(status)
    }

    private func socket(_ status: JSON) -> [Finding] {
        let problem = status.text("socket_problem")
        guard problem.isEmpty else {
            return [Finding(.fault, "the socket: \(problem)", remedy: "mend it; the daemon looks again every second")]
        }
        let restored = status.text("socket_restored_at")
        guard !restored.isEmpty else { return [] }
        return [
            Finding(
                .note,
                "the socket's file had been deleted; the daemon made it anew at \(status.clock("socket_restored_at"))",
                remedy: "find out what deletes files in \(places.home): a hook that comes meanwhile does not reach "
                    + "the daemon")
        ]
    }

    private func reach(_ status: JSON) -> [Finding] {
        if status["insecure"] == true {
            return [
                Finding(
                    .note,
                    "other machines reach the daemon without encryption: tokens and cards can be read on the way",
                    remedy: "set \"tls\" to \"local-ca\", and leave --insecure out")
            ]
        }
        guard let tls = status["tls"], !tls.text("valid_until").isEmpty else { return [] }
        let problem = tls.text("problem")
        guard problem.isEmpty else {
            return [Finding(.fault, "tls: \(problem)", remedy: "mend it; the daemon looks again every minute")]
        }
        return [Finding(.fine, "\(status.text("base_url")) has a certificate until \(tls.clock("valid_until"))")]
    }

    private func relay() -> [Finding] {
        guard let path = try? places.relay(), access(path, X_OK) == 0 else {
            return [
                Finding(
                    .fault, "the relay cdev-hook is not beside this program", remedy: "run install/install.sh again")
            ]
        }
        guard let run = ChildProcess.run([path, "--version"], environment: [:]), run.status == 0 else {
            return [Finding(.fault, "\(path) does not run", remedy: "run install/install.sh again")]
        }
        return [Finding(.fine, "the relay runs: \(path)")]
    }

    private func settings() -> [Finding] {
        do {
            let path = try places.settings(invocation)
            let installer = try SettingsInstaller(settings: path, home: places.home)
            let project = WorkingDirectory.path + "/.claude/"
            let status = try installer.status(
                templates: .shipped, relay: try places.relay(), socket: places.socket,
                projects: ["settings.json", "settings.local.json"].map { project + $0 }.filter { access($0, F_OK) == 0 }
            )
            let problems = status.problems.map { Finding(.fault, $0.message, remedy: $0.remedy) }
            guard status.state == .installed else {
                if !problems.isEmpty { return problems }
                return [Finding(.fault, fault(status), remedy: "cdev install")]
            }
            return [Finding(.fine, "the hooks are in \(status.settings)")] + problems
        } catch {
            return [Finding(.fault, String(describing: error), remedy: "mend the file, then run `cdev install`")]
        }
    }

    private func fault(_ status: SettingsStatus) -> String {
        guard status.state != .notInstalled else { return "our hooks are not in \(status.settings)" }
        let missing = status.missing.isEmpty ? "" : "; missing: " + status.missing.joined(separator: ", ")
        let outdated = status.outdated.isEmpty ? "" : "; not current: " + status.outdated.joined(separator: ", ")
        return "our hooks are not as they should be in \(status.settings)\(missing)\(outdated)"
    }

    /// Runs both installed scripts as Claude Code would: in a fresh environment, with the event on standard input.
    private func scripts(isUp: Bool) -> [Finding] {
        let directory = InstallScripts.directory(in: places.home)
        let permission = directory + "/permission.sh"
        let forward = directory + "/forward.sh"
        guard access(permission, X_OK) == 0, access(forward, X_OK) == 0 else {
            return [Finding(.fault, "the hook scripts are not in \(directory)", remedy: "cdev install")]
        }
        guard isUp else { return [] }
        let session = "cdev-doctor-\(getpid())"
        return [check(permission: permission, session), check(forward: forward, session)]
    }

    private func check(permission script: String, _ session: String) -> Finding {
        let run = fire(script, ProbeInput.call(session))
        guard let run, run.status == 0, run.output.hasPrefix("{}") else {
            let said =
                run.map { $0.complaint.isEmpty ? "printed `\($0.output.shown(80))`" : $0.complaint } ?? "did not start"
            return Finding(
                .fault, "\(script) does not reach the daemon: \(said)", remedy: "cdev install; then `cdev doctor` again"
            )
        }
        return Finding(.fine, "\(script) reaches the daemon and hears its answer")
    }

    private func check(forward script: String, _ session: String) -> Finding {
        _ = fire(script, ProbeInput.start(session))
        let isSeen = waitFor { isKnown(session) }
        _ = fire(script, ProbeInput.end(session))
        guard isSeen else {
            return Finding(
                .fault, "\(script) does not reach the daemon", remedy: "cdev install; then `cdev doctor` again")
        }
        return Finding(.fine, "\(script) reaches the daemon")
    }

    private func fire(_ script: String, _ event: String) -> ChildProcess? {
        ChildProcess.run(
            ["/bin/sh", "-c", hookCommand(running: script)], environment: ["PATH": "/usr/bin:/bin"],
            input: event + "\n")
    }

    private func isKnown(_ session: String) -> Bool {
        let found = try? places.client.call("hook/sessions", ["session_id": .string(session)])
        return found?.list("sessions").isEmpty == false
    }

    private func waitFor(_ condition: () -> Bool) -> Bool {
        let deadline = SystemTime.awake + 3000
        while SystemTime.awake < deadline {
            if condition() { return true }
            usleep(20_000)
        }
        return false
    }

    /// A note on a limit of cdev, so that nobody relies on it.
    private func limits() -> [Finding] {
        [Finding(.note, "a project's settings can set disableAllHooks, and then no hook of ours runs there")]
    }
}
