import Glibc

/// Nanoseconds of the monotonic clock: points in time and spans of it.
typealias Nanoseconds = Int64

enum Clock {
    static func now() -> Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Nanoseconds(time.tv_sec) * 1_000_000_000 + Nanoseconds(time.tv_nsec)
    }

    /// Runs the body and returns how long it took.
    static func time(_ body: () throws -> Void) rethrows -> Nanoseconds {
        let start = now()
        try body()
        return now() - start
    }

    static func sleep(milliseconds: Int) {
        usleep(UInt32(milliseconds) * 1000)
    }

    /// Looks again every millisecond until the condition holds.
    static func wait(seconds: Int, for what: String, until condition: () throws -> Bool) throws {
        let end = now() + Nanoseconds(seconds) * 1_000_000_000
        while try !condition() {
            guard now() < end else { throw BenchError("waited \(seconds) s in vain for \(what)") }
            sleep(milliseconds: 1)
        }
    }
}

/// Why a row has no figures.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The last system call's error.
    static func system(_ what: String) -> BenchError {
        BenchError("\(what): \(String(cString: strerror(errno)))")
    }
}
