import Glibc
import TerminalView

/// The terminal's modes, size, input and output. Nothing else touches the terminal while `cdev watch` draws.
struct WatchTerminal {
    private var before = termios()
    private var isOurs = false

    /// `nil` if standard input or output is no terminal that can be drawn on.
    init?(environment: [String: String]) {
        let name = environment["TERM"] ?? ""
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, !name.isEmpty, name != "dumb",
            tcgetattr(STDIN_FILENO, &before) == 0
        else { return nil }
    }

    /// Alternate screen, no cursor, no wrapping, bracketed pastes, no reordering of right-to-left letters (ECMA-48
    /// section 8.3.106 with BDSM reset: what is shown is in the order in which it would run).
    private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[8l\u{1B}[0m\u{1B}[2J"
    private static let leaving = "\u{1B}[0m\u{1B}[8h\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Sets the modes and the alternate screen; called again after another program, such as the editor, has changed
    /// them.
    mutating func enter() {
        var raw = before
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        write(Array(Self.entering.utf8))
        isOurs = true
    }

    /// Restores the terminal's modes and screen.
    mutating func leave() {
        guard isOurs else { return }
        write(Array(Self.leaving.utf8))
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        isOurs = false
    }

    var size: TerminalSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// The bytes that were typed; `nil` when the terminal is gone.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
