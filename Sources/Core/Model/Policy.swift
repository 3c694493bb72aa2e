/// The configuration's values about requests, with their defaults.
package struct Policy: Sendable, Hashable {
    /// The calls that are held.
    package enum Gate: String, Sendable, Hashable, CaseIterable {
        /// The calls of `toolCall`, and also those in the plan, dontAsk and auto modes.
        case always
        /// `prompt` where somebody sits at the agent's terminal: the request then stands beside the agent's own dialog,
        /// and the first answer counts. `toolCall` where nobody does, since a dialog that nobody sees is a deny.
        case auto
        /// Only calls that Claude itself asks about (PermissionRequest).
        case prompt
        /// Every call except those that Claude runs without asking.
        case toolCall = "tool-call"

        /// The gate for one call.
        /// - Parameter isAttended: True if the agent can show its own dialog to somebody.
        func resolved(isAttended: Bool) -> Gate {
            self == .auto ? (isAttended ? .prompt : .toolCall) : self
        }
    }

    package enum OnTimeout: String, Sendable, Hashable, CaseIterable {
        case ask, deny, pass
    }

    package enum NoApprover: String, Sendable, Hashable, CaseIterable {
        case deny, hold, pass
    }

    /// Calls whose allow needs a word typed.
    package var confirm = ConfirmList()
    package var gate = Gate.auto
    /// Seconds for which a PreToolUse call is held, or a dialog that nobody sits in front of.
    package var permissionTimeout: Double = 60
    /// Seconds for which a PermissionRequest is held beside the terminal's dialog.
    package var promptTimeout: Double = 3600
    package var onTimeout = OnTimeout.ask
    package var noApprover = NoApprover.pass
    /// Names of tools that are never held; a final `*` matches any rest.
    package var passthroughTools: [String]

    package init(passthroughTools: [String]) {
        self.passthroughTools = passthroughTools
    }

    /// The most open requests of one session; further calls are passed.
    package static let heldPerSession = 64
    /// The most open requests of unverified senders, all sessions together, because such a sender can make up sessions.
    package static let heldUnverified = 64

    package func isPassthrough(_ tool: String) -> Bool {
        passthroughTools.contains { name in
            name.hasSuffix("*") ? tool.hasPrefix(name.dropLast()) : tool == name
        }
    }
}
