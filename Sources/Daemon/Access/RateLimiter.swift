import Core
import Transport

/// So many a minute for each key; a minute begins with its first use.
final class RateLimiter: Sendable {
    private struct Window {
        var start: Timestamp
        var used = 0
    }

    private let perMinute: Int
    private let windows = Locked<[String: Window]>([:])

    init(perMinute: Int) {
        self.perMinute = perMinute
    }

    /// Takes `count` at once, or nothing.
    func take(_ count: Int, for key: String, at now: Timestamp) -> Bool {
        windows.withLock { windows in
            if windows.count > 1024 { windows = windows.filter { now.seconds(since: $0.value.start) < 60 } }
            var window = windows[key] ?? Window(start: now)
            // A clock that was set back must not lock anybody out.
            if !(0..<60).contains(now.seconds(since: window.start)) { window = Window(start: now) }
            guard window.used + count <= perMinute else { return false }
            window.used += count
            windows[key] = window
            return true
        }
    }
}
