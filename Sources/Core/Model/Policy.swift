/// What the user decided in `config.json` about questions; the defaults are the shipped ones.
package struct Policy: Sendable, Hashable {
    /// How much is held.
    package enum Gate: String, Sendable, Hashable, CaseIterable {
        /// Also in plan, dontAsk and auto mode.
        case always
        /// Only what Claude itself asks about (PermissionRequest).
        case prompt
        /// Every call but those Claude runs unasked.
        case toolCall = "tool-call"
    }

    package enum OnTimeout: String, Sendable, Hashable, CaseIterable {
        case ask, deny, pass
    }

    package enum NoApprover: String, Sendable, Hashable, CaseIterable {
        case deny, hold, pass
    }

    /// Calls whose allow needs a word typed.
    package var confirm = ConfirmList()
    package var gate = Gate.toolCall
    /// Seconds a PreToolUse call is held, and a prompt nobody sits in front of.
    package var permissionTimeout: Double = 60
    /// Seconds a PermissionRequest is held beside the terminal's dialog.
    package var promptTimeout: Double = 3600
    package var onTimeout = OnTimeout.ask
    package var noApprover = NoApprover.pass
    /// Tool names that are never held; a last `*` stands for any rest.
    package var passthroughTools: [String]

    package init(passthroughTools: [String]) {
        self.passthroughTools = passthroughTools
    }

    /// The most open questions of one session; what comes after is passed.
    package static let heldPerSession = 64
    /// The most open questions of unverified senders, all sessions together: a session costs them nothing.
    package static let heldUnverified = 64

    package func isPassthrough(_ tool: String) -> Bool {
        passthroughTools.contains { name in
            name.hasSuffix("*") ? tool.hasPrefix(name.dropLast()) : tool == name
        }
    }
}
