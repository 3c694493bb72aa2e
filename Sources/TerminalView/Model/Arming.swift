/// Lets a key decide only about a card that has been on the screen, unchanged, for half a second: a card that has just
/// appeared must not take a key that was meant for another.
struct Arming: Sendable {
    /// The card and page that a key would decide about, as last drawn.
    struct Subject: Sendable, Hashable {
        let requestID: String
        let revision: Int
        /// The name of the open prompt; empty if none is open.
        let prompt: String
        let columns: Int
        let rows: Int
    }

    /// Milliseconds without a change of the subject before a key counts.
    static let delay: Int64 = 500

    private var drawn: Subject?
    private var since: Int64 = 0

    mutating func draw(_ subject: Subject?, at uptime: Int64) {
        guard subject != drawn else { return }
        drawn = subject
        since = uptime
    }

    /// Restarts the delay, after a key that did not count or several at once: a held key or a paste is no answer.
    mutating func disturb(at uptime: Int64) {
        since = max(since, uptime)
    }

    func allows(requestID: String, revision: Int, prompt: String, at uptime: Int64) -> Bool {
        guard let drawn, drawn.requestID == requestID, drawn.revision == revision, drawn.prompt == prompt else {
            return false
        }
        return uptime - since >= Self.delay
    }
}
