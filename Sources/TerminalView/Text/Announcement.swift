import Core
package import OrderedJSON

/// Events shown besides requests: devices that were paired or revoked or ask for pairing, agents that were refused or
/// are not held, denies that were ignored. The texts hold names that devices gave themselves, so they must be shown by
/// `VisibleText` as all foreign text.
package struct Announcement: Sendable, Hashable {
    package let text: String
    /// True if a person should look at it now.
    package let isAlarming: Bool

    /// - Parameters:
    /// - event: The event's name without `event/`; the result is `nil` for events that announce nothing.
    ///   - params: The event's parameters.
    package init?(event: String, _ params: JSON) {
        switch event {
        case "agent_refused":
            let pid = params["pid"]?.intValue ?? 0
            text = "refused: process \(pid) inside an agent tried \(params.text("method"))"
            isAlarming = true
        case "agent_not_held":
            text = "not held: \(params.text("reason"))"
            isAlarming = false
        case "deny_ignored":
            let who = OutcomeWords.who(params.text("denied_by"))
            text = "ALARM: \(params.text("reason")); denied by \(who) in \(params.text("cwd"))"
            isAlarming = true
        case "device_paired":
            let rights = params.list("rights")
            let access =
                rights.contains("drive")
                ? "may change files and run commands" : rights.contains("decide") ? "may answer" : "may look"
            text =
                "let in: \(params.text("name")), which \(access); if it is not yours: "
                + "cdev devices revoke \(params.text("device_id"))"
            isAlarming = true
        case "device_revoked":
            text = "let in no more: \(params.text("name")): \(params.text("reason"))"
            isAlarming = false
        case "pairing_requested":
            let name = params.text("name")
            let who = "\(name.isEmpty ? "a device" : name) at \(params.text("address"))"
            text = "\(who) typed a code and asks to be let in: cdev pair approve \(params.text("request_id"))"
            isAlarming = true
        default: return nil
        }
    }
}
