#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Milliseconds of the monotonic clock, for points in time and for durations.
typealias Milliseconds = Int64

/// The outcome of one read or write.
enum Transfer {
    case bytes(Int)
    /// The other side has finished sending (reads only).
    case end
    case wouldBlock
    case broken
}

/// The relay's system calls. Only this file, `Starter` and `UnixSocket` import the C library.
///
/// The pointers taken here are safe: each is used only inside the call it is passed to, with the length its owner
/// states.
enum System {
    enum Direction {
        case reading, writing
    }

    static func now() -> Milliseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
    }

    enum Waiting {
        case late, ready
        /// The reader of our output has closed it: Claude was killed, and the relay has no other sign of that.
        case unheard
    }

    /// Waits until `descriptor` can be read or written, or its peer has closed. Returns false if the deadline passed.
    static func wait(_ descriptor: Int32, for direction: Direction, until deadline: Milliseconds) -> Bool {
        wait(descriptor, for: direction, watching: -1, until: deadline) != .late
    }

    /// Waits until `descriptor` can be read, and returns `unheard` as soon as no process reads our standard output.
    static func waitWhileHeard(_ descriptor: Int32, until deadline: Milliseconds) -> Waiting {
        wait(descriptor, for: .reading, watching: STDOUT_FILENO, until: deadline)
    }

    private static func wait(
        _ descriptor: Int32, for direction: Direction, watching output: Int32, until deadline: Milliseconds
    ) -> Waiting {
        let events = Int16(direction == .reading ? POLLIN : POLLOUT)
        var entries = (pollfd(fd: descriptor, events: events, revents: 0), pollfd(fd: output, events: 0, revents: 0))
        while true {
            let left = max(0, min(deadline - now(), Milliseconds(Int32.max)))
            let ready = withUnsafeMutablePointer(to: &entries) { pointer in
                pointer.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, Int32(left)) }
            }
            if ready > 0, entries.0.revents != 0 { return .ready }
            if ready > 0, entries.1.revents & Int16(POLLHUP | POLLERR) != 0 { return .unheard }
            // A standard output that was never open makes every poll return at once, so stop watching it.
            if ready > 0 { entries.1.fd = -1 }
            if ready == 0, now() >= deadline { return .late }
            // The read or write that follows reports any error but an interruption.
            if ready < 0, errno != EINTR, errno != EAGAIN { return .ready }
        }
    }

    static func pause(_ span: Milliseconds) {
        _ = poll(nil, 0, Int32(max(0, min(span, 60_000))))
    }

    static func readSome(_ descriptor: Int32, into start: UnsafeMutablePointer<UInt8>, upTo count: Int) -> Transfer {
        transfer { read(descriptor, start, count) }
    }

    static func writeSome(_ descriptor: Int32, from start: UnsafePointer<UInt8>, count: Int) -> Transfer {
        transfer { write(descriptor, start, count) }
    }

    private static func transfer(_ call: () -> Int) -> Transfer {
        while true {
            let count = call()
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: return .broken
            }
        }
    }

    /// Makes a write to a closed peer fail with EPIPE instead of killing the process by SIGPIPE.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    static func exit(_ status: Int32) -> Never {
        _exit(status)
    }

    /// The value of an environment variable; nil if it is unset or empty.
    static func environment(_ name: StaticString) -> UnsafePointer<CChar>? {
        let value = name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount + 1) {
            getenv($0)
        }
        guard let value, value.pointee != 0 else { return nil }
        return UnsafePointer(value)
    }

    static func equals(_ text: UnsafePointer<CChar>, _ word: StaticString) -> Bool {
        word.utf8Start.withMemoryRebound(to: CChar.self, capacity: word.utf8CodeUnitCount + 1) {
            strcmp(text, $0) == 0
        }
    }

    /// A C string of a literal, which is valid as long as the process.
    static func text(_ literal: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    static func length(_ text: UnsafePointer<CChar>) -> Int {
        strlen(text)
    }

    /// 16 random bytes from the kernel; nil if it has none to give.
    static func random() -> (UInt64, UInt64)? {
        var words: (UInt64, UInt64) = (0, 0)
        let result = withUnsafeMutableBytes(of: &words) { getentropy($0.baseAddress!, $0.count) }
        return result == 0 ? words : nil
    }
}
