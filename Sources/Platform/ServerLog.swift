import Glibc
import Text

package enum LogLevel: String, Sendable, CaseIterable {
    case debug, info, warning, error

    var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

/// `server.log`: one line for each event. Callers pass ids, names of tools and paths of requests, and never a tool's
/// input, a prompt, a token or a message.
package final class ServerLog: @unchecked Sendable {  // guard: `file` and `size` are used under `lock` only
    private let path: String
    private let level: LogLevel
    private let time: @Sendable () -> String
    private let echoes: Bool
    private let lock = Lock()
    private var file: Int32 = -1
    private var size = 0
    private let rotatesAt: Int

    /// `server.log`, `server.log.1` and `server.log.2`.
    private static let files = 3

    /// - Parameters:
    ///   - time: Returns the time stamp that a line begins with.
    ///   - echoes: True if warnings and errors go to standard error too.
    ///   - rotatesAt: The size in bytes beyond which the file is rotated.
    package init(
        path: String, level: LogLevel, time: @escaping @Sendable () -> String, echoes: Bool = false,
        rotatesAt: Int = 5_000_000
    ) {
        self.path = path
        self.level = level
        self.time = time
        self.echoes = echoes
        self.rotatesAt = rotatesAt
        use(opened())
    }

    deinit {
        if file >= 0 { close(file) }
    }

    package func debug(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.debug, message, fields)
    }

    package func info(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.info, message, fields)
    }

    package func warning(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.warning, message, fields)
    }

    package func error(_ message: String, _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.error, message, fields)
    }

    /// Opens the file anew where it was deleted or replaced. This asks the disk, so do not call it on the loop's
    /// thread.
    /// - Returns: False where the file cannot be opened.
    @discardableResult
    package func look() -> Bool {
        let (hasBegun, isThere) = lock.withLock {
            if isInPlace { return (false, true) }
            guard let opened = opened() else { return (false, false) }
            use(opened)
            return (true, true)
        }
        if hasBegun { warning("server.log had been deleted or replaced and was made anew") }
        return isThere
    }

    private func write(_ level: LogLevel, _ message: String, _ fields: () -> KeyValuePairs<String, String>) {
        guard level.rank >= self.level.rank else { return }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        // Some lines are written for every tool call, so no string is made for each part.
        for part in [time(), " ", level.rawValue, " ", Self.oneLine(message)] { bytes += part.utf8 }
        for (key, value) in fields() {
            for part in [" ", key, "=", Self.value(value)] { bytes += part.utf8 }
        }
        bytes.append(UInt8(ascii: "\n"))
        lock.withLock {
            if size + bytes.count > rotatesAt { rotate() }
            // A log that cannot be written must not stop the daemon; `cdev doctor` notices that the log has ended.
            _ = Glibc.write(file, bytes, bytes.count)
            size += bytes.count
        }
        if echoes, level.rank >= LogLevel.warning.rank { _ = Glibc.write(2, bytes, bytes.count) }
    }

    /// True if the path still names the open file.
    private var isInPlace: Bool {
        var held = stat()
        var named = stat()
        return fstat(file, &held) == 0 && lstat(path, &named) == 0 && held.st_dev == named.st_dev
            && held.st_ino == named.st_ino
    }

    /// Opens or creates the file at the path; `nil` where that fails or the path names a link, a pipe or a directory.
    private func opened() -> (file: Int32, size: Int)? {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if file >= 0 { close(file) }
            return nil
        }
        return (file, Int(status.st_size))
    }

    private func use(_ opened: (file: Int32, size: Int)?) {
        if file >= 0 { close(file) }
        (file, size) = opened ?? (-1, 0)
    }

    private func rotate() {
        for number in (1..<Self.files).reversed() {
            rename(number == 1 ? path : "\(path).\(number - 1)", "\(path).\(number)")
        }
        use(opened())
    }

    /// The text of one field's value. No text from a peer can begin a new line or look like another field.
    private static func value(_ text: String) -> String {
        let line = oneLine(text)
        let isPlain =
            !line.isEmpty && !line.utf8.contains { $0 == 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "=") }
        return isPlain
            ? line : "\"\(line.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "'"))\""
    }

    /// The text without line ends and without what a terminal would obey or not show: the names of tools are a
    /// stranger's words.
    private static func oneLine(_ text: String) -> String {
        if text.utf8.count <= 1000, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        let start = text.unicodeScalars.prefix(1000)
        return String(String.UnicodeScalarView(start.map { $0.value < 0x20 || $0.isHidden ? "?" : $0 }))
    }
}
