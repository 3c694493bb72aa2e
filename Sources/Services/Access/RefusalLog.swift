/// Log lines about refused requests, 120 at once and then one a minute: a refused sender must not be able to fill the log
/// until it rotates and loses the lines about earlier requests. All messages share these lines.
package struct RefusalLog: Sendable {
    private let log: any Log
    private let clock: any TimeSource
    private let budget = LineBudget(burst: 120, perMinute: 1)

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
        switch budget.take(for: "", at: clock.uptime) {
        case .write(leftOut: 0): return true
        case .write(let leftOut):
            log.warning("refused requests were not logged", ["count": "\(leftOut)"])
            return true
        case .leaveOut(isFirst: true):
            log.warning("more is refused than is logged in this minute")
            return false
        case .leaveOut: return false
        }
    }
}
