import Glibc
import Platform

/// The output and the exit status of a program that was run to its end or its time limit.
package struct ChildProcess: Sendable {
    package let status: Int32
    package let output: String
    package let complaint: String
    package let isTimedOut: Bool

    /// Runs `arguments[0]` with exactly `environment`. Returns `nil` where it could not be started.
    package static func run(
        _ arguments: [String], environment: [String: String], input: String = "", seconds: Double = 10
    ) -> ChildProcess? {
        guard let stdin = Pipe(), let stdout = Pipe(), let stderr = Pipe() else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, stdin.read, 0)
        posix_spawn_file_actions_adddup2(&actions, stdout.write, 1)
        posix_spawn_file_actions_adddup2(&actions, stderr.write, 2)
        guard let pid = spawn(arguments, environment, &actions, nil) else { return nil }
        stdin.closeRead()
        stdout.closeWrite()
        stderr.closeWrite()
        return finish(pid, stdin, Array(input.utf8)[...], stdout, stderr, seconds)
    }

    /// Starts a program that outlives this process, in a session of its own, with its output appended to `log`. Returns
    /// its pid; `nil` where it could not be started.
    package static func detach(_ arguments: [String], environment: [String: String], log: String) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, setSession)
        return spawn(arguments, environment, &actions, &attributes)
    }

    /// The value of POSIX_SPAWN_SETSID, which glibc declares for GNU programs only.
    private static let setSession: Int16 = 0x80

    private static func spawn(
        _ arguments: [String], _ environment: [String: String], _ actions: inout posix_spawn_file_actions_t,
        _ attributes: UnsafePointer<posix_spawnattr_t>?
    ) -> Int32? {
        let words = arguments.map { strdup($0) } + [nil]
        let values = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + values { free(text) } }
        var pid: pid_t = 0
        return posix_spawnp(&pid, arguments[0], &actions, attributes, words, values) == 0 ? pid : nil
    }

    private static func finish(
        _ pid: Int32, _ stdin: Pipe, _ input: ArraySlice<UInt8>, _ stdout: Pipe, _ stderr: Pipe, _ seconds: Double
    ) -> ChildProcess {
        var input = input
        // The child may read its input only once its output is read.
        _ = fcntl(stdin.write, F_SETFL, O_NONBLOCK)
        var texts = [[UInt8](), [UInt8]()]
        let files = [(stdin.write, POLLOUT), (stdout.read, POLLIN), (stderr.read, POLLIN)]
        let isTimedOut = !exchange(files, until: SystemTime.awake + Int64(seconds * 1000)) { index in
            guard index == 0 else { return receive(files[index].0, into: &texts[index - 1]) }
            if stdin.send(&input), !input.isEmpty { return true }
            stdin.closeWrite()
            return false
        }
        if isTimedOut { kill(pid, SIGKILL) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
        let decoded = texts.map { String(decoding: $0, as: UTF8.self) }
        return ChildProcess(status: code, output: decoded[0], complaint: decoded[1], isTimedOut: isTimedOut)
    }

    /// Calls `turn` with the index of each descriptor that is ready, until it returns false for it. Returns false if the
    /// time is over before that is so for all.
    private static func exchange(
        _ files: [(descriptor: Int32, events: Int32)], until deadline: Int64, _ turn: (Int) -> Bool
    ) -> Bool {
        var polled = files.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
        while polled.contains(where: { $0.fd >= 0 }) {
            let left = deadline - SystemTime.awake
            guard left > 0, poll(&polled, nfds_t(polled.count), Int32(left) + 1) >= 0 || errno == EINTR else {
                return false
            }
            for index in polled.indices where polled[index].fd >= 0 && polled[index].revents != 0 {
                if !turn(index) { polled[index].fd = -1 }
            }
        }
        return true
    }

    private static func receive(_ file: Int32, into bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = read(file, &buffer, buffer.count)
        if count > 0 { bytes += buffer.prefix(count) }
        return count > 0
    }
}

/// A pipe. Both ends are closed when the object is released.
private final class Pipe {
    private(set) var read: Int32
    private(set) var write: Int32

    init?() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        read = ends[0]
        write = ends[1]
    }

    deinit {
        closeRead()
        closeWrite()
    }

    func closeRead() {
        if read >= 0 { close(read) }
        read = -1
    }

    func closeWrite() {
        if write >= 0 { close(write) }
        write = -1
    }

    /// Writes what fits now, and drops that from `bytes`. Returns false if nobody reads.
    func send(_ bytes: inout ArraySlice<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        let count = bytes.withUnsafeBytes { Glibc.write(write, $0.baseAddress, $0.count) }
        if count > 0 { bytes = bytes.dropFirst(count) }
        return count > 0 || errno == EAGAIN || errno == EINTR
    }
}
