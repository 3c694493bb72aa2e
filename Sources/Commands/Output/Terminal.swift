import Glibc

/// Writes to standard output and standard error. Callers must have escaped foreign text.
enum Terminal {
    static func write(_ text: String) {
        write(text, to: STDOUT_FILENO)
    }

    /// One line on stderr.
    static func complain(_ text: String) {
        write(text + "\n", to: STDERR_FILENO)
    }

    private static func write(_ text: String, to file: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
