package import Core
import Platform

/// So many a minute for each key; a minute begins with its first use.
package final class RateLimiter: Sendable {
    private struct Window {
        var start: Uptime
        var used = 0
    }

    private struct State {
        var windows: [String: Window] = [:]
        /// When those whose minute is over were last looked for.
        var cleared = Uptime(milliseconds: 0)
    }

    /// Keys beyond which those whose minute is over are looked for: once a second, so that many keys are not all looked
    /// at for each of them.
    private static let fewKeys = 1024
    /// Keys of one minute; those beyond share one.
    package static let mostKeys = 16_384

    private let perMinute: Int
    private let state = Locked(State())

    package init(perMinute: Int) {
        self.perMinute = perMinute
    }

    /// Takes `count` at once, or nothing.
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
