package import Core
package import Wire

/// The interim answer to a held call. It tells the relay that the daemon lives and how long to wait.
package enum HoldNotice {
    /// `102` with `Cdev-Deadline`, the seconds from now until the daemon decides by itself, rounded up.
    package static func fields(deadline: Uptime, now: Uptime) -> HTTPHeaders {
        let milliseconds = max(0, deadline.milliseconds - now.milliseconds)
        return ["Cdev-Deadline": "\((milliseconds + 999) / 1000)"]
    }
}
