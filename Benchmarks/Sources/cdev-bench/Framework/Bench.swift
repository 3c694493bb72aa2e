import Glibc

/// What every row has at hand.
final class Bench {
    let directory: PrivateDirectory
    let programs: Programs
    /// A third of the rounds: for trying things out.
    let isQuick: Bool
    /// The real client, where it was found.
    let claude: String?
    /// The browser, where it was found.
    let chromium: String?
    private var directories = 0

    init(directory: PrivateDirectory, programs: Programs, isQuick: Bool, claude: String?, chromium: String?) {
        self.directory = directory
        self.programs = programs
        self.isQuick = isQuick
        self.claude = claude
        self.chromium = chromium
    }

    func rounds(_ full: Int) -> Int {
        isQuick ? max(1, full / 5) : full
    }

    /// A new empty directory.
    func makeDirectory(_ name: String) throws -> String {
        directories += 1
        let path = directory.path + "/\(name)\(directories)"
        guard mkdir(path, 0o700) == 0 else { throw BenchError.system("mkdir \(path)") }
        return path
    }

    func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
        try write(Array(text.utf8), to: path, mode: mode)
    }

    func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw BenchError.system("writing \(path)") }
        defer { close(file) }
        guard bytes.withUnsafeBytes({ Glibc.write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            throw BenchError.system("writing \(path)")
        }
    }
}

/// A directory of the benchmark's own, gone with everything in it when the benchmark ends.
final class PrivateDirectory {
    let path: String

    /// Short, since a socket's path may have 107 bytes.
    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/cdev-bench-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw BenchError.system("making a directory in \(parent)") }
        path = String(cString: made)
    }

    func remove() {
        // Only what this process made lies there.
        _ = try? Launch("/bin/rm", ["-rf", path]).run()
    }
}
