import Core
import OrderedJSON
import Rules

/// Claude Code's reaction to a failure of a hook that should have decided.
package enum InstallOnFailure: String, Sendable, CaseIterable {
    /// Claude asks with its own dialog.
    case `continue`
    /// The call is refused.
    case block
}

/// One of the two scripts that Claude Code runs.
package enum InstallScript: String, Sendable, CaseIterable {
    case forward = "forward.sh"
    case permission = "permission.sh"
}

/// The seconds that Claude Code waits for a hook, as written into its settings.
package enum HookTimeout {
    /// For a hook that decides. Above `largestDeadline`, so that the daemon always ends a wait before Claude does: a
    /// hook that Claude ends decides nothing, and the user in the terminal is not told.
    package static let settings = 86_400

    /// The longest timeout the daemon may be configured with.
    package static let largestDeadline = 86_100

    /// For a hook that only reports. Claude's own limit for SessionEnd is 1.5 s (measured on 2.1.327), too short on a
    /// busy machine.
    package static let observing = 10
}

/// An event of Claude Code that we listen to, and the entry that its settings get for it.
package struct InstallHook: Sendable {
    package let event: String
    package let script: InstallScript
    let matcher: String?
    let timeout: Int
    /// The text that Claude Code shows in the terminal while the call waits.
    let statusMessage: String?

    /// Sorted by event.
    package static let all: [InstallHook] = [
        observing("Notification"),
        observing("PermissionDenied"),
        deciding("PermissionRequest", "cdev: asking the remote approvers too"),
        observing("PostToolBatch"),
        observing("PostToolUse"),
        observing("PostToolUseFailure"),
        deciding("PreToolUse", "cdev: waiting for a remote approver (Esc stops)"),
        observing("SessionEnd"),
        observing("SessionStart"),
        observing("Stop"),
        observing("StopFailure"),
        observing("SubagentStop"),
        observing("UserPromptSubmit"),
    ]

    private static func observing(_ event: String) -> InstallHook {
        InstallHook(
            event: event, script: .forward, matcher: nil, timeout: HookTimeout.observing, statusMessage: nil)
    }

    private static func deciding(_ event: String, _ statusMessage: String) -> InstallHook {
        InstallHook(
            event: event, script: .permission, matcher: "*", timeout: HookTimeout.settings, statusMessage: statusMessage
        )
    }
}

/// The values of our hooks' entries that depend on the machine.
package struct InstallTarget: Sendable {
    /// Absolute path of the directory that holds the scripts.
    let scripts: String
    let onFailure: InstallOnFailure

    /// - Parameter scripts: The absolute path of the directory that holds the scripts.
    package init(scripts: String, onFailure: InstallOnFailure) {
        self.scripts = scripts
        self.onFailure = onFailure
    }

    func command(of hook: InstallHook) -> String {
        hookCommand(running: scripts + "/" + hook.script.rawValue)
    }

    /// `onFailure` is set only for PreToolUse: an unanswered PermissionRequest is the user's to answer.
    func entry(of hook: InstallHook) -> JSON {
        var entry: JSONObject = ["type": "command", "command": .string(command(of: hook))]
        entry["timeout"] = .number(JSONNumber(hook.timeout))
        entry["statusMessage"] = hook.statusMessage.map(JSON.string)
        if hook.event == "PreToolUse" && onFailure == .block { entry["onFailure"] = "block" }
        return .object(entry)
    }

    func group(of hook: InstallHook) -> JSON {
        var group: JSONObject = [:]
        group["matcher"] = hook.matcher.map(JSON.string)
        group[SettingsEntry.marker] = true
        group["hooks"] = [entry(of: hook)]
        return .object(group)
    }
}

/// The command in Claude Code's settings that runs one of our scripts. With `exec`, because otherwise the shell that
/// Claude Code starts would stay as one more process for each held call.
package func hookCommand(running script: String) -> String {
    "exec " + shellQuoted(script) + SettingsEntry.suffix
}
