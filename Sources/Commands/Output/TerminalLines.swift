import Glibc

/// The abilities of standard output.
enum TerminalLines {
    /// The terminal's columns; `nil` if standard output is no terminal.
    static var columns: Int? { size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

    /// The columns of prose: those of the terminal up to a hundred; 80 if standard output is no terminal.
    static var ofProse: Int { min(columns ?? 80, 100) }

    /// The terminal's rows; `nil` if standard output is no terminal.
    static var rows: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

    private static var size: winsize? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return size
    }

    /// https://no-color.org
    static func hasColours(_ environment: [String: String]) -> Bool {
        isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
}
