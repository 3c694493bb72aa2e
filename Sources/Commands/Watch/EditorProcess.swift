import Glibc
import Platform

/// The user's editor with a command in it, as a child process.
struct EditorProcess {
    let requestID: String
    private let file: PrivateFile
    private let pid: pid_t

    enum Ending {
        case done(String?)
        case running
        /// The editor was stopped, as by Ctrl-Z: the whole job has to stop.
        case stopped
    }

    static func command(_ environment: [String: String]) -> String? {
        ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    /// Starts the editor with the text in a file; `nil` if that fails.
    init?(_ text: String, requestID: String, environment: [String: String]) {
        guard let editor = Self.command(environment) else { return nil }
        self.requestID = requestID
        guard let file = PrivateFile(text, named: "command.sh", environment) else { return nil }
        guard let pid = Self.spawn(editor, file.path, environment) else {
            file.remove()
            return nil
        }
        self.file = file
        self.pid = pid
    }

    /// By custom `$EDITOR` is a shell command. The child's signals are reset to their defaults.
    private static func spawn(_ editor: String, _ path: String, _ environment: [String: String]) -> pid_t? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigfillset(&defaults)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let arguments: [String] = ["/bin/sh", "-c", editor + " \"$1\"", "sh", path]
        let words = arguments.map { strdup($0) } + [nil]
        let values = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + values { free(text) } }
        var pid: pid_t = 0
        return posix_spawn(&pid, "/bin/sh", nil, &attributes, words, values) == 0 ? pid : nil
    }

    /// To be called after SIGCHLD. Reads and removes the file of an editor that has ended.
    func look() -> Ending {
        var status: Int32 = 0
        let found = waitpid(pid, &status, WNOHANG | WUNTRACED)
        guard found == pid else { return found < 0 && errno == ECHILD ? .done(nil) : .running }
        if status & 0xff == 0x7f { return .stopped }
        defer { file.remove() }
        guard status == 0, let bytes = FileBytes.read(file.path, limit: 1 << 20) else { return .done(nil) }
        return .done(String(validating: bytes, as: UTF8.self))
    }
}
