/// The notification that an event of a reported session leads to.
package struct ReportNotice: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case idle = "idle_prompt"
        case permission = "permission_prompt"
        case stop
    }

    package let kind: Kind
    /// The title for a session that has none.
    package let fallbackTitle: String
    package let body: String
    /// The body without what the agent or its user wrote.
    package let plainBody: String
    /// True if the agent asks right now; its notification follows some seconds later, about the same dialog.
    package let isOfRequest: Bool

    /// `nil` for an event of which nobody is notified.
    package init?(of report: SessionReport) {
        switch (report.name, report.notificationType) {
        case ("Stop", _):
            (kind, fallbackTitle) = (.stop, "Session Stopped")
            (body, plainBody) = Self.words("Session stopped: ", report.message, else: "No reason given")
        case ("PermissionRequest", _), ("Notification", "permission_prompt"):
            (kind, fallbackTitle) = (.permission, "Permission Required")
            body = Self.words(report.toolName, report.message)
            plainBody = Self.words(report.toolName, nil)
        case ("Notification", "idle_prompt"):
            (kind, fallbackTitle) = (.idle, "Session Idle")
            (body, plainBody) = Self.words("Session idle: ", report.message, else: "Waiting for input")
        default: return nil
        }
        isOfRequest = report.name == "PermissionRequest"
    }

    private static func words(_ start: String, _ message: String?, else plain: String) -> (String, String) {
        (start + (message ?? plain), start + plain)
    }

    private static func words(_ tool: String?, _ message: String?) -> String {
        let parts = [tool, message].compactMap(\.self)
        return parts.isEmpty
            ? "A session needs permission to continue"
            : "Permission required: " + parts.joined(separator: " — ")
    }
}

/// Which notifications of reported sessions come too soon after another one. In memory: after a restart one may be sent
/// once more.
package struct ReportCooldowns: Sendable {
    private struct Key: Hashable {
        /// Another's report may be refused, and is no reason to keep this one's back.
        let reporter: String
        let sessionID: String
        let kind: ReportNotice.Kind
    }

    private var last: [Key: Uptime] = [:]
    private var cleared = Uptime(milliseconds: 0)

    /// Seconds in which a session's notifications of one kind count as one.
    package static let seconds: Double = 30
    /// Seconds after a permission request in which a notification is about the same dialog. The agent sends it after six,
    /// and later if the machine is busy.
    package static let dialogSeconds: Double = 60
    /// With more sessions than this in a minute, the others are notified of no stop and no idling.
    package static let mostKeys = 16_384

    package init() {}

    /// Returns true if people are to be told, and takes note of it. A permission request always is told: each is a dialog
    /// of its own.
    package mutating func admits(
        _ notice: ReportNotice, session: String, reporter: String, at now: Uptime
    ) -> Bool {
        clear(now)
        let key = Key(reporter: reporter, sessionID: session, kind: notice.kind)
        if notice.kind == .permission, !notice.isOfRequest { return last[key] == nil }
        guard notice.kind == .permission || last[key].map({ now.seconds(since: $0) >= Self.seconds }) ?? true else {
            return false
        }
        guard last[key] != nil || last.count < Self.mostKeys else { return notice.kind == .permission }
        last[key] = now
        return true
    }

    /// Forgets what is over, at most once a second: this walks all keys.
    private mutating func clear(_ now: Uptime) {
        guard now.seconds(since: cleared) >= 1 else { return }
        cleared = now
        last = last.filter { key, time in
            now.seconds(since: time) < (key.kind == .permission ? Self.dialogSeconds : Self.seconds)
        }
    }
}
