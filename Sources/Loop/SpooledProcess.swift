import CPlatform
import Glibc
package import Platform

/// A process that may outlive us: it reads from a FIFO that it holds open itself, and writes to files. One that an earlier
/// process of ours started is adopted. Use this on the loop's thread only.
///
/// It is not ended with this object: `signal` ends it.
package final class SpooledProcess: @unchecked Sendable {  // guard: used on its loop's thread only
    package let pid: Int32
    private let loop: EventLoop
    private let input: PipeWriter
    private let end: Int32
    private let isOurs: Bool
    private var source: EventSource?
    private var handler: ((Subprocess.Exit?) -> Void)?

    /// Bytes that may wait until the process reads them: some of the largest prompts.
    private static let mostInput = 64 << 20

    /// Starts the program with three open descriptors as its input, output and errors. Call it on the loop's thread.
    /// - Parameters:
    ///   - input: the path of the FIFO that is its input.
    ///   - handler: called once on the loop's thread when it has ended, never before this returns; without an exit where
    ///     nobody can tell.
    package convenience init(
        _ program: Program, on streams: [Int32], input: String, loop: EventLoop,
        handler: @escaping (Subprocess.Exit?) -> Void
    ) throws(SystemError) {
        let child = try program.start(on: streams)
        do throws(SystemError) {
            try self.init(child.pid, end: child.end, input: input, isOurs: true, loop: loop, handler: handler)
        } catch {
            // Nobody could write to it or wait for it.
            _ = cplatform_process_signal(child.end, child.pid, SIGKILL)
            while waitpid(child.pid, nil, 0) < 0 && errno == EINTR {}
            cplatform_close(child.end)
            throw error
        }
    }

    /// Finds a process again that an earlier process of ours started.
    /// - Parameter isMeant: asked once the process cannot be mistaken for a later one with its number.
    package convenience init(
        adopting pid: Int32, input: String, loop: EventLoop, isMeant: () -> Bool,
        handler: @escaping (Subprocess.Exit?) -> Void
    ) throws(SystemError) {
        let end = try checked(cplatform_process_end(pid))
        do throws(SystemError) {
            guard isMeant() else { throw SystemError(code: ESRCH) }
            try self.init(pid, end: end, input: input, isOurs: false, loop: loop, handler: handler)
        } catch {
            cplatform_close(end)
            throw error
        }
    }

    private init(
        _ pid: Int32, end: Int32, input: String, isOurs: Bool, loop: EventLoop,
        handler: @escaping (Subprocess.Exit?) -> Void
    ) throws(SystemError) {
        // Without a reader this fails: the process has ended.
        let fifo = open(input, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard fifo >= 0 else { throw .last }
        self.pid = pid
        self.end = end
        self.isOurs = isOurs
        self.loop = loop
        self.handler = handler
        self.input = PipeWriter(fifo, on: loop, limit: Self.mostInput)
        // It can be told nothing any more.
        self.input.broken = { [weak self] in self?.signal(SIGTERM) }
        // The source retains this object until the process has ended, or `release`.
        let source = EventSource(loop: loop, descriptor: end, for: .reading) { self.reap() }
        self.source = source
        loop.adopt(source)
        source.arm()
    }

    /// Queues bytes until the process reads them. Returns false, and queues nothing, where too many would wait or the
    /// process has ended.
    package func write(_ bytes: [UInt8]) -> Bool { input.write(bytes) }

    /// True if nothing waits here: the process can read all that was written, whatever becomes of us.
    package var hasWrittenAll: Bool { input.hasWrittenAll }

    /// Calls `body` on the loop's thread once nothing waits here.
    package func whenWritten(_ body: @escaping () -> Void) { input.whenWritten(body) }

    /// True if everything that was written was read, too.
    package var hasReadAll: Bool { input.isRead }

    /// Sends a signal to the process alone; what it started has groups of its own.
    package func signal(_ number: Int32) {
        if source != nil { _ = cplatform_process_signal(end, pid, number) }
    }

    /// Leaves the process to itself, and to whoever adopts it.
    package func release() {
        guard let source else { return }
        loop.drop(source)
        self.source = nil
        handler = nil
        cplatform_close(end)
        input.abandon()
    }

    private func reap() {
        var exit: Subprocess.Exit?
        if isOurs {
            var status: Int32 = 0
            let code = cplatform_child_reap(pid, &status)
            guard code != -EAGAIN else { return }
            if code == 0 { exit = Subprocess.Exit(status: status) }
        }
        let handler = handler
        release()
        handler?(exit)
    }
}
