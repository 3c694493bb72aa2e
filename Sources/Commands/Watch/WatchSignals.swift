import Glibc
import Platform

/// Writes signals to a pipe, so that one `poll` waits for them and for all descriptors.
struct WatchSignals {
    static let ending: [Int32] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
    private static let all = ending + [SIGCHLD, SIGCONT, SIGTSTP, SIGWINCH]

    /// The pipe's end to read, for `poll`.
    let descriptor: Int32

    init() throws(CommandFailure) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw CommandFailure(.other, "no pipe could be made: \(SystemError.last)")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        signalPipe = ends[1]
        for number in Self.all { Self.catchSignal(number) }
    }

    private static func catchSignal(_ number: Int32) {
        signal(number) { number in
            var byte = UInt8(truncatingIfNeeded: number)
            let before = errno
            _ = write(signalPipe, &byte, 1)
            errno = before
        }
    }

    /// The signals that came since the last call, in order.
    func take() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? bytes.prefix(count).map(Int32.init) : []
    }

    /// Stops this job as its terminal would, and returns when it is continued.
    func stop() {
        signal(SIGTSTP, SIG_DFL)
        kill(0, SIGTSTP)
        Self.catchSignal(SIGTSTP)
    }

    /// Ends as if the signal had never been caught.
    func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        kill(getpid(), number)
        exit(128 + number)
    }
}

/// The pipe's end to which the handlers write. A handler can reach nothing but a global.
nonisolated(unsafe) private var signalPipe: Int32 = -1  // guard: set once, before the first handler is installed
