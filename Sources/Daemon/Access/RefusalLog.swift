import Core

/// Lines about what is refused: whoever is refused must not be able to turn the log over, and with it what he did before.
struct RefusalLog: Sendable {
    let log: ServerLog
    let clock: any TimeSource
    let lines = RateLimiter(perMinute: 120)
    let notes = RateLimiter(perMinute: 1)

    func warn(_ message: String, _ fields: KeyValuePairs<String, String>) {
        if hasRoom { log.warning(message, fields) }
    }

    func info(_ message: String, _ fields: KeyValuePairs<String, String>) {
        if hasRoom { log.info(message, fields) }
    }

    private var hasRoom: Bool {
        let now = clock.uptime
        if lines.take(1, for: "", at: now) { return true }
        if notes.take(1, for: "", at: now) { log.warning("more is refused than is logged in this minute") }
        return false
    }
}
