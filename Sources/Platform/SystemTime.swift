import CPlatform
import Glibc

/// The kernel's clocks, in milliseconds.
package enum SystemTime {
    /// Since 1970 in UTC. This clock jumps when somebody sets it.
    package static var wall: Int64 { milliseconds(CLOCK_REALTIME) }

    /// Since the machine started, its sleep included.
    package static var sinceBoot: Int64 { cplatform_uptime() }

    /// A clock that never jumps and stands still while the machine sleeps: for time limits of work that stops then too.
    package static var awake: Int64 { milliseconds(CLOCK_MONOTONIC) }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
