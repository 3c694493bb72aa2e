/// Log lines about refused requests, at most 120 a minute: a refused sender must not be able to fill the log until it
/// rotates and loses the lines about earlier requests.
package struct RefusalLog: Sendable {
    private let log: any Log
    private let clock: any TimeSource
    private let lines = RateLimiter(perMinute: 120)
    private let notes = RateLimiter(perMinute: 1)

    package init(log: any Log, clock: any TimeSource) {
        self.log = log
        self.clock = clock
    }

    package func warn(_ message: String, _ fields: KeyValuePairs<String, String>) {
        if hasRoom { log.warning(message, fields) }
    }

    package func info(_ message: String, _ fields: KeyValuePairs<String, String>) {
        if hasRoom { log.info(message, fields) }
    }

    private var hasRoom: Bool {
        let now = clock.uptime
        if lines.take(1, for: "", at: now) { return true }
        if notes.take(1, for: "", at: now) { log.warning("more is refused than is logged in this minute") }
        return false
    }
}
