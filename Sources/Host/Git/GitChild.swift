import CPlatform
import Core
import Glibc
import Platform

/// A git process and its pipes, run to its end on the thread that made it.
final class GitChild {
    private let child: cplatform_child
    private var input: ArraySlice<UInt8> = []
    private var output: [UInt8] = []
    private var errors: [UInt8] = []
    private var isCut = false
    private var openPipes: Set<Int32>
    private var status: Int32?
    /// The reason for which the child is ended early.
    private var failure: GitRunFailure?
    private var nextSignal: Int64?
    private var chunk = [UInt8](repeating: 0, count: 65_536)

    /// Bytes of messages that are kept: the rest is read and dropped.
    private static let mostErrors = 64 << 10
    /// Bytes for a reading. That of a commit in the largest repositories takes some hundred million.
    private static let mostMemory: UInt64 = 1 << 30
    /// Milliseconds for which git may remove its locks after SIGTERM.
    private static let patience: Int64 = 2000
    /// Milliseconds for which output is read after the end. A process that a hook left behind may hold the pipes.
    private static let rest: Int64 = 500

    /// Starts the program in the open directory, as the leader of a process group.
    init(
        _ path: String, _ words: [GitWord], _ variables: [String: String], _ directory: OpenPlace
    ) throws(GitRunFailure) {
        let texts = words.map { strdup(bytes: $0.bytes) } + [nil]
        let values = variables.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in texts + values { free(text) } }
        var child = cplatform_child()
        let code = cplatform_child_start_in(path, texts, values, directory.descriptor, &child)
        guard code >= 0 else { throw .notStarted(SystemError(code: -code).description.lowercased()) }
        self.child = child
        openPipes = [child.input, child.output, child.errors]
    }

    deinit {
        for pipe in openPipes { cplatform_close(pipe) }
        cplatform_close(child.end)
    }

    /// Waits for the end, the deadline or the cancellation.
    func finish(_ invocation: GitInvocation, _ cancellation: Cancellation) throws(GitRunFailure) -> GitOutput {
        let isReading = invocation.kind == .reading
        let start = SystemTime.awake
        let deadline = start + Int64(invocation.seconds * 1000)
        var restDeadline = Int64.max
        // A repository may name endless files among its attributes and alternates.
        if isReading { _ = cplatform_bound_memory(child.pid, Self.mostMemory) }
        input = invocation.input[...]
        if input.isEmpty { close(child.input) }
        while status == nil || isReadable, SystemTime.awake < restDeadline {
            let now = SystemTime.awake
            if status == nil {
                if now >= deadline, failure == nil {
                    end(for: .late(seconds: Int(invocation.seconds)), gently: !isReading, at: now)
                }
                if cancellation.isCancelled, failure == nil { end(for: .cancelled, gently: !isReading, at: now) }
                if let time = nextSignal, now >= time { signal(SIGKILL) }
            }
            wait(until: status != nil ? restDeadline : nextSignal ?? deadline, cancellation, invocation)
            if status != nil, restDeadline == .max { restDeadline = SystemTime.awake + Self.rest }
        }
        if let failure { throw failure }
        return GitOutput(status: status ?? 0, output: output, errors: errors, isCut: isCut)
    }

    private var isReadable: Bool { openPipes.contains(child.output) || openPipes.contains(child.errors) }

    private func wait(until time: Int64, _ cancellation: Cancellation, _ invocation: GitInvocation) {
        var files: [pollfd] = []
        func add(_ descriptor: Int32, _ events: Int32) {
            files.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
        }
        if openPipes.contains(child.output) { add(child.output, POLLIN) }
        if openPipes.contains(child.errors) { add(child.errors, POLLIN) }
        if openPipes.contains(child.input) { add(child.input, POLLOUT) }
        if status == nil { add(child.end, POLLIN) }
        if failure == nil, cancellation.descriptor >= 0 { add(cancellation.descriptor, POLLIN) }
        let left = max(0, min(time - SystemTime.awake, 60_000))
        guard poll(&files, nfds_t(files.count), Int32(left) + 1) > 0 else { return }
        for file in files where file.revents != 0 {
            switch file.fd {
            case child.output: receive(from: child.output) { self.keep($0, invocation) }
            case child.errors:
                receive(from: child.errors) { self.errors += $0.prefix(Self.mostErrors - self.errors.count) }
            case child.input: send()
            case child.end: reap(killsGroup: invocation.kind == .reading || failure != nil)
            default: break
            }
        }
    }

    private func keep(_ bytes: ArraySlice<UInt8>, _ invocation: GitInvocation) {
        let room = invocation.mostOutput - output.count
        output += bytes.prefix(room)
        guard bytes.count > room else { return }
        isCut = true
        // The rest of a reading is not wanted; what writes has to come to its end.
        if invocation.kind == .reading, status == nil { signal(SIGKILL) }
    }

    private func receive(from pipe: Int32, _ take: (ArraySlice<UInt8>) -> Void) {
        let count = read(pipe, &chunk, chunk.count)
        if count > 0 { return take(chunk[..<count]) }
        if count == 0 || (errno != EAGAIN && errno != EINTR) { close(pipe) }
    }

    private func send() {
        let count = input.withUnsafeBytes { write(child.input, $0.baseAddress, min($0.count, 65_536)) }
        if count < 0 {
            if errno != EAGAIN && errno != EINTR { close(child.input) }
            return
        }
        input = input.dropFirst(count)
        if input.isEmpty { close(child.input) }
    }

    private func close(_ pipe: Int32) {
        if openPipes.remove(pipe) != nil { cplatform_close(pipe) }
    }

    private func end(for reason: GitRunFailure, gently: Bool, at now: Int64) {
        failure = reason
        signal(gently ? SIGTERM : SIGKILL)
        nextSignal = now + Self.patience
    }

    private func signal(_ number: Int32) {
        if status == nil { _ = cplatform_child_signal(child.pid, number) }
    }

    private func reap(killsGroup: Bool) {
        // Its number stands for the group only until the leader is reaped.
        if killsGroup { signal(SIGKILL) }
        var found: Int32 = 0
        let code = cplatform_child_reap(child.pid, &found)
        guard code != -EAGAIN else { return }
        let killer = found & 0x7F
        status = killer == 0 ? found >> 8 & 0xFF : 128 + killer
        close(child.input)
    }
}

/// A copy of the bytes with a NUL at its end, to be freed.
private func strdup(bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    guard let copy = malloc(bytes.count + 1) else { return nil }
    bytes.withUnsafeBytes { source in
        if let start = source.baseAddress { memcpy(copy, start, source.count) }
    }
    copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    return copy.assumingMemoryBound(to: CChar.self)
}
