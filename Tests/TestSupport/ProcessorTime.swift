import Glibc

/// The processor time that work takes on the thread that does it. Other work of the machine does not lengthen it, as it
/// does the time on the wall: a test that waited minutes for its turn took no longer by this measure.
package enum ProcessorTime {
    /// Seconds that `body` takes.
    package static func of(_ body: () throws -> Void) rethrows -> Double {
        let begin = spent()
        try body()
        return spent() - begin
    }

    private static func spent() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
