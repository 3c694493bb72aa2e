package import Core

/// How Claude Code is started for a run session.
package enum ClaudeProgram {
    /// The arguments behind the program's name.
    /// - Parameter isTrusted: True if the person trusted the directory in Claude Code. Without a dialog nobody is asked,
    ///   and the settings of a project that is not trusted could send the API key elsewhere, silence hooks and choose the
    ///   mode.
    package static func arguments(for launch: ChildLaunch, isTrusted: Bool) -> [String] {
        var words = [
            "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
            "--permission-prompt-tool", "stdio", "--permission-mode", mode(launch.mode), "--replay-user-messages",
            "--include-partial-messages",
        ]
        // In one word: a value of its own could begin with a dash.
        words.append((launch.isResumed ? "--resume=" : "--session-id=") + launch.agentID)
        if let model = launch.model { words.append("--model=" + model) }
        if !isTrusted { words += ["--setting-sources", "user"] }
        return words
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
        variables["CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS"] = "1"
        variables["CLAUDE_CODE_EXIT_AFTER_STOP_DELAY"] = "\(exitDelay)"
        return variables
    }

    /// Milliseconds behind its last turn after which a child ends whose daemon never came back.
    private static let exitDelay = 86_400_000

    /// Variables that Claude Code sets for one session. The last one makes a resumed session run its cut turn again.
    private static let ofAnotherSession: Set<String> = [
        "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID",
        "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_RESUME_INTERRUPTED_TURN",
    ]
}
