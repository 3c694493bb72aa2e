/// A way to tell people something, as far as planning needs to know it.
package struct NoticeChannel: Sendable, Hashable {
    /// Unique; shown to people: `ntfy`, `webhook`, `push phone`.
    package let id: String
    /// An answer can come of what it brings, so that it counts as somebody who can be asked.
    package let answers: Bool
    /// One notification stands for the questions a session asks shortly after each other; else each has its own.
    package let gathers: Bool
    /// Why no answer can come of it, where one was meant to; for people.
    package let obstacle: String?

    package init(id: String, answers: Bool, gathers: Bool, obstacle: String? = nil) {
        self.id = id
        self.answers = answers && obstacle == nil
        self.gathers = gathers
        self.obstacle = obstacle
    }
}

/// How a channel has been doing.
package struct NoticeHealth: Sendable, Hashable {
    package var delivered = 0
    package var failed = 0
    package var lastDelivery: Timestamp?
    /// Why the last delivery failed for good; `nil` after one that arrived.
    package var failure: String?
    package var failedAt: Timestamp?

    package init() {}
}

/// When notices are made, in seconds.
package struct NoticePolicy: Sendable, Hashable {
    /// A session that made a sound makes none for so long.
    package var coolDown: Double = 30
    package var tellsIdle = false
    package var tellsStop = false
    /// So long a notice waits for somebody who has the page in view.
    package var delayInView: Double = 10
    /// In view is who touched the page within this time.
    package var inputCounts: Double = 60
    /// Questions that come together are told together, and what a rule ends at once is not told.
    package var gathering: Double = 0.2
    /// After these the attempts at a notice are given up.
    package var pauses: [Double] = [2, 8, 30]
    /// After a failure the last notice is tried again at this distance, so that a channel that works again is noticed.
    package var probing: Double = 300
    /// For so long.
    package var probesFor: Double = 86_400

    package init() {}
}
