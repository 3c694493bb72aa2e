package import Core
import Platform
package import Services

/// Time that passes when the test says so.
package final class ManualClock: TimeSource {
    private struct Alarm: Cancellable {
        let number: Int
        let clock: ManualClock

        func cancel() { clock.state.withLock { $0.alarms[number] = nil } }
    }

    private struct State {
        var now = Instant(
            wall: Timestamp(milliseconds: 1_795_170_600_000),  // 2026-11-20T10:30:00Z
            uptime: Uptime(milliseconds: 3_600_000))
        var count = 0
        var alarms: [Int: (at: Uptime, body: @Sendable () -> Void)] = [:]
    }

    private let state = Locked(State())

    package init() {}

    package func now() -> Instant { state.withLock { $0.now } }

    /// Rings soon where the time has come already, as another clock does: the test may have let it pass before the caller
    /// got so far.
    package func call(at time: Uptime, _ body: @escaping @Sendable () -> Void) -> any Cancellable {
        let (number, isDue) = state.withLock { state in
            state.count += 1
            state.alarms[state.count] = (time, body)
            return (state.count, time <= state.now.uptime)
        }
        if isDue { Task { ring(number) } }
        return Alarm(number: number, clock: self)
    }

    private func ring(_ number: Int) {
        state.withLock { $0.alarms.removeValue(forKey: number) }?.body()
    }

    /// Lets time pass as if the machine had slept: nothing rings.
    package func jump(by seconds: Double) {
        state.withLock { $0.now = $0.now + seconds }
    }

    /// Somebody sets the clock; no time passes.
    package func set(by seconds: Double) {
        state.withLock { $0.now = Instant(wall: $0.now.wall + seconds, uptime: $0.now.uptime) }
    }

    /// True while something rings within the next second.
    package var isBusy: Bool {
        state.withLock { state in state.alarms.values.contains { $0.at <= state.now.uptime + 1 } }
    }

    /// True while something is to ring at all.
    package var isWaitedFor: Bool { state.withLock { !$0.alarms.isEmpty } }

    /// True while something rings in exactly so many seconds: whoever is to be called then has come so far.
    package func isSet(in seconds: Double) -> Bool {
        state.withLock { state in state.alarms.values.contains { $0.at == state.now.uptime + seconds } }
    }

    /// Lets time pass and rings what is due, the earliest first.
    package func advance(by seconds: Double) {
        let end = now() + seconds
        while let (number, alarm) = state.withLock({ $0.alarms.min { $0.value.at < $1.value.at } }),
            alarm.at <= end.uptime
        {
            state.withLock { state in
                state.now = state.now + max(0, alarm.at.seconds(since: state.now.uptime))
                state.alarms[number] = nil
            }
            alarm.body()
        }
        state.withLock { $0.now = end }
    }
}
