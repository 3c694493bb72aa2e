package import Core
import Platform

/// Limits each key to `perMinute` uses a minute; a minute begins with the key's first use.
package final class RateLimiter: Sendable {
    private struct Window {
        var start: Uptime
        var used = 0
    }

    private struct State {
        var windows: [String: Window] = [:]
        /// The last time at which keys whose minute is over were removed.
        var cleared = Uptime(milliseconds: 0)
    }

    /// With more keys than this, those whose minute is over are removed, at most once a second: removal walks all keys.
    private static let fewKeys = 1024
    /// The most keys of one minute; further keys share one window.
    package static let mostKeys = 16_384

    private let perMinute: Int
    private let state = Locked(State())

    package init(perMinute: Int) {
        self.perMinute = perMinute
    }

    /// Counts `count` uses and returns true; false, with nothing counted, if the limit does not allow them all.
    package func take(_ count: Int, for key: String, at now: Uptime) -> Bool {
        state.withLock { state in
            if state.windows.count >= Self.fewKeys { Self.clear(&state, now) }
            let isKnown = state.windows[key] != nil
            let key = isKnown || state.windows.count < Self.mostKeys ? key : "beyond"
            var window = state.windows[key] ?? Window(start: now)
            if now.seconds(since: window.start) >= 60 { window = Window(start: now) }
            guard window.used + count <= perMinute else { return false }
            window.used += count
            state.windows[key] = window
            return true
        }
    }

    private static func clear(_ state: inout State, _ now: Uptime) {
        guard now.seconds(since: state.cleared) >= 1 else { return }
        state.cleared = now
        state.windows = state.windows.filter { now.seconds(since: $0.value.start) < 60 }
    }
}
