package import Core

/// Tells how Claude Code is started for a run session.
package enum ClaudeProgram {
    /// The arguments behind the program's name.
    /// - Parameter isTrusted: True if the person trusted the directory in Claude Code. Without a dialog nobody is asked,
    ///   and the settings of a project that is not trusted could send the API key elsewhere, silence hooks and choose the
    ///   mode.
    ///   The servers are in a file: their settings may be secret, and everybody can read a command line.
    package static func arguments(for launch: ChildLaunch, isTrusted: Bool, servers: String? = nil) -> [String] {
        var words = [
            "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
            "--permission-prompt-tool", "stdio", "--permission-mode", mode(launch.mode), "--replay-user-messages",
            "--include-partial-messages",
        ]
        // In one word: a value of its own could begin with a dash.
        words.append((launch.isResumed ? "--resume=" : "--session-id=") + launch.agentID)
        if let origin = launch.forkedFrom { words += ["--resume=" + origin, "--fork-session"] }
        if let model = launch.model { words.append("--model=" + model) }
        if let effort = launch.effort { words.append("--effort=" + effort) }
        if let servers { words += ["--mcp-config", servers] }
        if !isTrusted { words += ["--setting-sources", "user"] }
        return words
    }

    /// The arguments for one answer of the model to what is written to the process, and nothing else: no tool, server, hook,
    /// memory, skill or transcript (measured with 2.1.329). The person's settings have the login.
    package static func completionArguments(model: String?) -> [String] {
        let words = [
            "-p", "--output-format", "json", "--tools", "", "--safe-mode", "--setting-sources", "user",
            "--strict-mcp-config", "--no-session-persistence", "--system-prompt",
            "You answer a program, which asks you once. Answer with what it asks for alone.",
        ]
        return words + (model.map { ["--model=" + $0] } ?? [])
    }

    /// The environment for the same: none of a session.
    package static func completionEnvironment(from child: [String: String]) -> [String: String] {
        child.filter { name, _ in !ofSessions.contains(name) }
    }

    /// The mode is always given, else a project's settings choose it.
    private static func mode(_ mode: PermissionMode) -> String {
        if case .unknown = mode { PermissionMode.default.spelling } else { mode.spelling }
    }

    /// The environment of the child: a person's, without what belongs to the agent inside which the daemon may have been
    /// started, and without everything of ours.
    package static func environment(from person: [String: String]) -> [String: String] {
        var variables = AgentMarks.removed(from: person).filter { name, _ in
            !name.hasPrefix("CDEV_") && !ofAnotherSession.contains(name)
        }
        variables[tellsStates] = "1"
        variables[waitsForPrompts] = "\(exitDelay)"
        return variables
    }

    /// Adds a mark by which the processes of one child are found, however far from the child. Nothing is allowed by it.
    package static func environment(_ environment: [String: String], of launch: ChildLaunch) -> [String: String] {
        var variables = environment
        variables[markName] = markValue(launch.session, launch.run)
        return variables
    }

    /// The variable with its value that the processes of a child have.
    package static func mark(_ session: String, _ run: Int) -> String { "\(markName)=\(markValue(session, run))" }

    private static let tellsStates = "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS"
    private static let waitsForPrompts = "CLAUDE_CODE_EXIT_AFTER_STOP_DELAY"
    private static let ofSessions = [tellsStates, waitsForPrompts]

    private static let markName = "CDEV_RUN"
    private static func markValue(_ session: String, _ run: Int) -> String { "\(session) \(run)" }

    /// Milliseconds behind its last turn after which a child ends whose daemon never came back.
    private static let exitDelay = 86_400_000

    /// Variables that Claude Code sets for one session. The last one makes a resumed session run its cut turn again.
    private static let ofAnotherSession: Set<String> = [
        "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID",
        "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_RESUME_INTERRUPTED_TURN",
    ]
}
