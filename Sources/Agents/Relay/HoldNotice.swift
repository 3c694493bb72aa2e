package import Core
package import Wire

/// The interim answer to a held call. It tells the relay that the daemon lives and how long to wait.
package enum HoldNotice {
    /// `102` with `Cdev-Deadline`, the seconds from now until the daemon decides by itself, rounded up.
    package static func fields(deadline: Uptime, now: Uptime) -> HTTPHeaders {
        let milliseconds = max(0, deadline.milliseconds - now.milliseconds)
        return ["Cdev-Deadline": "\((milliseconds + 999) / 1000)"]
    }

    /// The fields of a `102` before an answer that will bring no words for the model: the relay of a tool's end need not
    /// wait for it.
    package static let withoutWords: HTTPHeaders = ["Cdev-Words": "none"]
}
