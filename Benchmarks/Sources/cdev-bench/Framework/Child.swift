import Glibc

/// A process this one started. It is ended, by its id, at the latest with this value.
final class Child {
    let pid: pid_t
    let started: Nanoseconds
    private var stdin: Int32
    private var stdout: Int32
    private var status: Int32?
    private let leadsGroup: Bool

    /// - Parameter leadsGroup: its process group has its id, and ends with it: at once, for it has nothing to keep.
    init(pid: pid_t, started: Nanoseconds, stdin: Int32, stdout: Int32, leadsGroup: Bool = false) {
        self.pid = pid
        self.started = started
        self.stdin = stdin
        self.stdout = stdout
        self.leadsGroup = leadsGroup
    }

    deinit {
        stop()
        closeInput()
        if stdout >= 0 { close(stdout) }
    }

    /// Writes all of the input and ends it.
    func write(_ input: [UInt8]) {
        var done = 0
        while done < input.count {
            let count = input.withUnsafeBytes { Glibc.write(stdin, $0.baseAddress! + done, $0.count - done) }
            if count <= 0 { break }
            done += count
        }
        closeInput()
    }

    /// Where its output comes.
    var output: Int32 { stdout }

    /// Writes without ending the input.
    func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.write(stdin, $0.baseAddress, $0.count) }
    }

    /// To the end of its output.
    func readAll() -> [UInt8] {
        var output: [UInt8] = []
        while let more = readSome() { output += more }
        return output
    }

    /// To the end of the first line.
    func readLine() -> String {
        var output: [UInt8] = []
        while !output.contains(0x0A), let more = readSome() { output += more }
        return String(decoding: output.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// What is there, or comes next; nil at the end.
    func readSome() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = read(stdout, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Its exit status, or 128 and the signal's number.
    @discardableResult
    func wait() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
        let result = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
        status = result
        return result
    }

    /// Asks it to end, then makes it.
    func stop(within milliseconds: Int = 5000) {
        guard status == nil else { return }
        if leadsGroup {
            // While it is not waited for, its id is nobody else's.
            kill(-pid, SIGKILL)
            wait()
            return
        }
        kill(pid, SIGTERM)
        let end = Clock.now() + Nanoseconds(milliseconds) * 1_000_000
        var raw: Int32 = 0
        while Clock.now() < end {
            if waitpid(pid, &raw, WNOHANG) != 0 {
                status = raw
                return
            }
            Clock.sleep(milliseconds: 1)
        }
        kill(pid, SIGKILL)
        wait()
    }

    private func closeInput() {
        if stdin >= 0 { close(stdin) }
        stdin = -1
    }
}
