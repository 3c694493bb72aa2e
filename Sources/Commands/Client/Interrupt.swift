import Glibc

/// Catches Ctrl-C and SIGTERM, so that a command can clean up.
enum Interrupt {
    nonisolated(unsafe) private static var flag: sig_atomic_t = 0  // guard: a type that signal handlers may set

    static var came: Bool { flag != 0 }

    /// From now on Ctrl-C and SIGTERM end every wait instead of the process.
    static func catchIt() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in Interrupt.flag = 1 }
        sigaction(SIGINT, &action, nil)
        sigaction(SIGTERM, &action, nil)
    }

    /// Waits, and returns the line that was typed meanwhile. `nil` if none was, if `forLine` is false, or if standard
    /// input is no terminal.
    static func wait(milliseconds: Int32, forLine: Bool) -> String? {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let isReading = forLine && isatty(STDIN_FILENO) == 1
        guard poll(&input, isReading ? 1 : 0, milliseconds) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        // The end of the input counts as an empty line, which means no.
        guard count > 0 else { return count == 0 ? "" : nil }
        let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self)
    }
}
