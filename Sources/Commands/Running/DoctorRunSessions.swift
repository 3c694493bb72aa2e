import OrderedJSON

extension Doctor {
    /// Tells which Claude Code the daemon would run for a session, and in which environment.
    func runSessions(isUp: Bool) -> [Finding] {
        guard isUp, let found = try? places.client.call("session/check") else { return [] }
        let problem = found.text("problem")
        guard problem.isEmpty else {
            return [Finding(.note, "the daemon can start no session: \(problem)", remedy: "then `cdev doctor` again")]
        }
        let shell = found.text("shell")
        let environment = shell.isEmpty ? "the daemon's environment" : "the environment of \(shell) -l"
        let fine = Finding(
            .fine, "sessions run \(found.text("program")), version \(found.text("version")), in \(environment)")
        let notice = found.text("notice")
        guard !notice.isEmpty else { return [fine] }
        return [
            fine,
            Finding(
                .note, "sessions do not get the environment of your login shell: \(notice)",
                remedy: "mend the shell's profile, then `cdev restart`; or set \"session_environment\" to \"daemon\""),
        ]
    }
}
