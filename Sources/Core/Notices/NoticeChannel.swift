/// A channel for notifications, with what `NoticeState` needs to know of it.
package struct NoticeChannel: Sendable, Hashable {
    /// Unique; shown to people: `ntfy`, `webhook`, `push phone`.
    package let id: String
    /// Its notifications can lead to an answer, so that it counts as an approver.
    package let answers: Bool
    /// True if one notification covers requests that a session makes shortly after each other; false if each request
    /// has its own.
    package let gathers: Bool
    /// The reason for which the channel's notifications cannot be answered, although they were meant to be; a text for
    /// people.
    package let obstacle: String?
    /// True if it is told of reported sessions; false if of the requests of this machine.
    package let takesReports: Bool

    package init(id: String, answers: Bool, gathers: Bool, obstacle: String? = nil, takesReports: Bool = false) {
        self.id = id
        self.answers = answers && obstacle == nil
        self.gathers = gathers
        self.obstacle = obstacle
        self.takesReports = takesReports
    }
}

/// The results of a channel's deliveries.
package struct NoticeHealth: Sendable, Hashable {
    package var delivered = 0
    package var failed = 0
    package var lastDelivery: Timestamp?
    /// The reason for which the last delivery was given up; `nil` after a delivery that succeeded.
    package var failure: String?
    package var failedAt: Timestamp?

    package init() {}
}

/// The times that decide when notices are made, in seconds.
package struct NoticePolicy: Sendable, Hashable {
    /// The time after a notification with sound during which the session's notifications are silent.
    package var coolDown: Double = 30
    package var tellsIdle = false
    package var tellsStop = false
    /// The wait of a notice while somebody has the page in view.
    package var delayInView: Double = 10
    /// A page counts as in view if its user touched it within this time.
    package var inputCounts: Double = 60
    /// The wait of a notice otherwise: requests made together are notified together, and a request that a rule ends at
    /// once is not notified.
    package var gathering: Double = 0.2
    /// The pauses between attempts; after the last attempt the notice is given up.
    package var pauses: [Double] = [2, 8, 30]
    /// After a notice was given up, it is tried again at this interval, so that a channel that works again is noticed.
    package var probing: Double = 300
    /// The time after which it is no longer tried.
    package var probesFor: Double = 86_400

    package init() {}
}
