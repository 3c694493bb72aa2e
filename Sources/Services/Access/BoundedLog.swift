/// Lines of the log that others cause as often as they like: of each message a number at once, then one now and then, so
/// that nobody turns the log over and loses what it tells of decisions. The lines that were left out are counted.
package struct BoundedLog: Log {
    private let log: any Log
    private let clock: any TimeSource
    private let budget: LineBudget

    /// - Parameters:
    ///   - burst: The lines of one message that may come at once.
    ///   - perMinute: The lines of one message that may come in each minute from then on.
    package init(_ log: any Log, clock: any TimeSource, burst: Int = 240, perMinute: Double = 4) {
        self.log = log
        self.clock = clock
        budget = LineBudget(burst: burst, perMinute: perMinute)
    }

    package func debug(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) {
        log.debug(message, fields())
    }

    package func info(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) {
        if hasRoom(for: message) { log.info(message, fields()) }
    }

    package func warning(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) {
        if hasRoom(for: message) { log.warning(message, fields()) }
    }

    package func error(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String>) {
        if hasRoom(for: message) { log.error(message, fields()) }
    }

    private func hasRoom(for message: String) -> Bool {
        switch budget.take(for: message, at: clock.uptime) {
        case .write(leftOut: 0): return true
        case .write(let leftOut):
            log.warning("lines were left out", ["line": message, "count": "\(leftOut)"])
            return true
        case .leaveOut(isFirst: true):
            log.warning("more of these lines come than are logged", ["line": message])
            return false
        case .leaveOut: return false
        }
    }
}
