/// Nothing moves under a finger: a key decides only about what has stood on the screen, unchanged, for half a second.
struct Arming: Sendable {
    /// What a decision would be about, as it was drawn.
    struct Subject: Sendable, Hashable {
        let requestID: String
        let revision: Int
        /// The question that is asked about the card, if one is.
        let prompt: String
        let columns: Int
        let rows: Int
    }

    /// Milliseconds.
    static let delay: Int64 = 500

    private var drawn: Subject?
    private var since: Int64 = 0

    mutating func draw(_ subject: Subject?, at uptime: Int64) {
        guard subject != drawn else { return }
        drawn = subject
        since = uptime
    }

    /// A key that did not count, or several at once: a held key or a paste is no answer, so it has to be quiet first.
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
