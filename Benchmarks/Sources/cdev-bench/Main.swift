import Core
import Glibc
import OrderedJSON

/// Measures what cdev costs, side by side with what it is compared with. `docs/performance.md` has the results.
@main
enum Main {
    static func main() {
        leaveAgent()
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        if let part = Part(words) { part.run() }
        guard let options = Options(words) else { exit(2) }
        do { exit(try run(options)) } catch { fail("\(error)") }
    }

    /// The daemon takes a client with one of these variables for an agent, which may decide nothing. The kernel shows
    /// what a process was started with, so it has to start again.
    private static func leaveAgent() {
        let set = AgentMarks.names.filter { getenv($0) != nil }
        guard !set.isEmpty else { return }
        for name in set { unsetenv(name) }
        execv("/proc/self/exe", CommandLine.unsafeArgv)
    }

    private static func run(_ options: Options) throws -> Int32 {
        raiseFileLimit()
        let directory = try PrivateDirectory()
        defer { directory.remove() }
        let bench = Bench(
            directory: directory, programs: try Programs(into: directory.path), isQuick: options.isQuick,
            claude: options.claude, chromium: options.chromium)
        var report = Report(machine: ProcessFacts.machine)
        if !options.isJSON { print(report.machine) }
        for row in options.rows {
            do { report.add(row, try row.run(bench)) } catch { report.add(row, failure: error) }
            if !options.isJSON { print(report.lastText, terminator: "") }
            fflush(nil)
        }
        if options.isJSON { print(report.json.serialized()) }
        return 0
    }

    private static func raiseFileLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    static func fail(_ message: String) -> Never {
        FileError.write("cdev-bench: \(message)\n")
        exit(1)
    }
}

enum FileError {
    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
