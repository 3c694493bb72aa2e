/// The state of a reported session, as far as its last events tell.
package enum ReportedStatus: String, Sendable, Hashable, CaseIterable {
    case active
    case ended
    case idle
    case waitingForInput = "waiting_for_input"
    case waitingForPermission = "waiting_for_permission"

    /// The state that an event leads to; `nil` if the event leaves the state as it is.
    package init?(after report: SessionReport) {
        if let status = report.status {
            self = status
            return
        }
        switch (report.name, report.notificationType) {
        case ("SessionStart", _), ("UserPromptSubmit", _), ("SubagentStart", _), ("SubagentStop", _): self = .active
        case ("Stop", _): self = .waitingForInput
        case ("SessionEnd", _): self = .ended
        case ("PermissionRequest", _), ("Notification", "permission_prompt"): self = .waitingForPermission
        case ("Notification", "idle_prompt"): self = .idle
        default: return nil
        }
    }
}
