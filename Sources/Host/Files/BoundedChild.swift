import CPlatform
import Glibc
import Platform

/// A program that is run to its end, its time limit or the limit of its output, on the thread that calls. It has a process
/// group of its own, which ends with it, and no descriptor but its three pipes.
enum BoundedChild {
    struct Limits {
        var milliseconds: Int64 = 2000
        /// Bytes; a program that writes more is ended.
        var output = 8 << 20
    }

    /// What the program wrote and its exit status; nil where it could not be started, took too long, wrote too much or was
    /// ended by a signal.
    static func run(
        _ program: String, _ words: [String], environment: [String: String], in directory: String, input: [UInt8],
        limits: Limits = Limits()
    ) -> (status: Int32, output: [UInt8])? {
        let texts = ([program] + words).map { strdup($0) } + [nil]
        let values = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in texts + values { free(text) } }
        var child = cplatform_child()
        guard cplatform_child_start(program, texts, values, directory, &child) == 0 else { return nil }
        var exchange = Exchange(child, input: input, limits)
        let isWhole = exchange.run()
        exchange.closeAll()
        // Also what it has started and left running.
        cplatform_child_signal(child.pid, SIGKILL)
        let status = reap(child)
        return isWhole ? status.map { ($0, exchange.output) } : nil
    }

    private static func reap(_ child: cplatform_child) -> Int32? {
        var ended = pollfd(fd: child.end, events: Int16(POLLIN), revents: 0)
        while poll(&ended, 1, -1) < 0 && errno == EINTR {}
        var status: Int32 = 0
        let code = cplatform_child_reap(child.pid, &status)
        cplatform_close(child.end)
        return code == 0 && status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }
}

/// Writes the input and reads the output, neither waiting for the other.
private struct Exchange {
    private(set) var output: [UInt8] = []
    private var files: [pollfd]
    private let end: Int32
    private var rest: ArraySlice<UInt8>
    private let limits: BoundedChild.Limits

    init(_ child: cplatform_child, input: [UInt8], _ limits: BoundedChild.Limits) {
        files = [
            pollfd(fd: child.input, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: child.errors, events: Int16(POLLIN), revents: 0),
        ]
        end = child.end
        rest = input[...]
        self.limits = limits
    }

    /// False where a limit was passed. Returns once the output has ended and the program with it.
    mutating func run() -> Bool {
        let deadline = SystemTime.awake + limits.milliseconds
        write()
        while files[1].fd >= 0 || files[2].fd >= 0 {
            let left = deadline - SystemTime.awake
            guard left > 0, poll(&files, nfds_t(files.count), Int32(left) + 1) >= 0 || errno == EINTR else {
                return false
            }
            if files[0].fd >= 0, files[0].revents != 0 { write() }
            if files[1].fd >= 0, files[1].revents != 0, !read(1, keeps: true) { return false }
            if files[2].fd >= 0, files[2].revents != 0 { _ = read(2, keeps: false) }
        }
        var ended = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        return poll(&ended, 1, Int32(max(0, deadline - SystemTime.awake))) > 0
    }

    mutating func closeAll() {
        for index in files.indices { close(index) }
    }

    private mutating func close(_ index: Int) {
        if files[index].fd >= 0 { cplatform_close(files[index].fd) }
        files[index].fd = -1
    }

    private mutating func write() {
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(files[0].fd, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN { return }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        close(0)
    }

    /// False where there is more than is read.
    private mutating func read(_ index: Int, keeps: Bool) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(files[index].fd, &buffer, buffer.count)
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return true }
        guard count > 0 else {
            close(index)
            return true
        }
        guard keeps else { return true }
        guard output.count + count <= limits.output else { return false }
        output += buffer[..<count]
        return true
    }
}
