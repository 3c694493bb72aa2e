import Agents
import Core
import Testing

/// How Claude Code is started for a run session.
@Suite struct ClaudeProgramTests {
    private func launch(
        isResumed: Bool = false, mode: PermissionMode = .default, model: String? = nil, effort: String? = nil
    ) -> ChildLaunch {
        ChildLaunch(
            session: "s", run: 1, directory: "/p", agentID: "a1", isResumed: isResumed, mode: mode, model: model,
            effort: effort)
    }

    @Test func theModeIsAlwaysGiven() {
        for (mode, spelling) in [
            (PermissionMode.plan, "plan"), (.unknown(""), "default"), (.unknown("--x"), "default"),
        ] {
            let words = ClaudeProgram.arguments(for: launch(mode: mode), isTrusted: true)
            let index = words.firstIndex(of: "--permission-mode")
            #expect(index.map { words[$0 + 1] } == spelling)
        }
    }

    @Test func aConversationIsBegunOrGoneOnWith() {
        #expect(ClaudeProgram.arguments(for: launch(), isTrusted: true).contains("--session-id=a1"))
        let resumed = ClaudeProgram.arguments(for: launch(isResumed: true, model: "-x"), isTrusted: true)
        #expect(resumed.contains("--resume=a1") && resumed.contains("--model=-x"))
        #expect(!resumed.contains { $0.hasPrefix("--session-id") })
    }

    @Test func anEffortIsGivenWhereOneWasChosen() {
        #expect(ClaudeProgram.arguments(for: launch(effort: "-x"), isTrusted: true).contains("--effort=-x"))
        #expect(!ClaudeProgram.arguments(for: launch(), isTrusted: true).contains { $0.hasPrefix("--effort") })
    }

    /// A project that nobody trusted has no say.
    @Test func settingsOfAProjectNeedTrust() {
        let words = ClaudeProgram.arguments(for: launch(), isTrusted: false)
        #expect(Array(words.suffix(2)) == ["--setting-sources", "user"])
        #expect(!ClaudeProgram.arguments(for: launch(), isTrusted: true).contains("--setting-sources"))
    }

    @Test func theEnvironmentIsAPersons() {
        let found = ClaudeProgram.environment(from: [
            "PATH": "/bin", "HOME": "/h", "CLAUDE_CONFIG_DIR": "/c", "CLAUDECODE": "1", "CDEV_HOME": "/d",
            "CDEV_SOCKET": "/s", "CLAUDE_CODE_SESSION_ID": "x", "CLAUDE_PID": "7",
            "CLAUDE_CODE_RESUME_INTERRUPTED_TURN": "1", "GROK_SESSION_ID": "g",
        ])
        #expect(found["PATH"] == "/bin" && found["HOME"] == "/h" && found["CLAUDE_CONFIG_DIR"] == "/c")
        #expect(found["CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS"] == "1")
        #expect(
            found.keys.sorted() == [
                "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "CLAUDE_CODE_EXIT_AFTER_STOP_DELAY", "CLAUDE_CONFIG_DIR",
                "HOME",
                "PATH",
            ])
    }
}
