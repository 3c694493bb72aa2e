import CPlatform
import Glibc
package import Platform

/// A child process whose lines arrive on the loop's thread. The loop never waits for the child.
///
/// The child leads a process group of its own and has no descriptor but its three pipes. Use this on the loop's thread
/// only.
package final class Subprocess: @unchecked Sendable {  // guard: used on its loop's thread only
    package enum Event: Hashable, Sendable {
        case output(LineBuffer.Line)
        case errors(LineBuffer.Line)
        /// The last event, exactly once.
        case ended(Exit)
    }

    package enum Exit: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)

        /// - Parameter status: as of waitpid(2).
        init(status: Int32) {
            let killer = status & 0x7F
            self = killer == 0 ? .code((status >> 8) & 0xFF) : .signal(killer)
        }
    }

    package let pid: Int32
    private let loop: EventLoop
    private let handler: (Event) -> Void
    private let output: PipeReader
    private let errors: PipeReader
    private let input: PipeWriter
    private var endSource: EventSource?
    private var exit: Exit?
    private var signalTimer: LoopTimer?
    private var isEnding = false
    private var restTimer: LoopTimer?
    private let mostWaitForRest: Duration
    private var isOver = false

    /// Starts the program. Call it on the loop's thread.
    /// - Parameter handler: called on the loop's thread, never before this returns.
    package init(
        _ program: Program, on loop: EventLoop, handler: @escaping (Event) -> Void
    ) throws(SystemError) {
        let child = try program.start()
        pid = child.pid
        self.loop = loop
        self.handler = handler
        mostWaitForRest = program.mostWaitForRest
        output = PipeReader(child.output, on: loop, longestLine: program.longestLine)
        errors = PipeReader(child.errors, on: loop, longestLine: program.longestLine)
        input = PipeWriter(child.input, on: loop, limit: program.mostInput)
        output.begin { [weak self] in
            self?.received(.output($0))
        } atEnd: { [weak self] in
            self?.finishIfDone()
        }
        errors.begin { [weak self] in
            self?.received(.errors($0))
        } atEnd: { [weak self] in
            self?.finishIfDone()
        }
        let end = child.end
        // The source retains the subprocess until the child has ended.
        let source = EventSource(loop: loop, descriptor: end, for: .reading) { self.reap(end) }
        endSource = source
        loop.adopt(source)
        source.arm()
    }

    private func received(_ event: Event) { handler(event) }

    // MARK: Input

    /// Queues bytes until the child reads them. Returns false, and queues nothing, where more than `mostInput` bytes
    /// would wait, or the input is closed.
    package func write(_ bytes: [UInt8]) -> Bool { input.write(bytes) }

    /// Closes the input once all queued bytes are written.
    package func closeInput() { input.close() }

    // MARK: Output

    /// Stops reading: the child waits once its pipe is full (64 KiB).
    package func pause() {
        output.pause()
        errors.pause()
    }

    package func resume() {
        output.resume()
        errors.resume()
        if exit != nil { waitForRest() }
    }

    // MARK: End

    /// Sends a signal to the child and its group; does nothing once the child has ended.
    package func signal(_ number: Int32) {
        if exit == nil { _ = cplatform_child_signal(pid, number) }
    }

    /// Sends signals one after another until the child has ended, each `patience` after the one before. Then kills the
    /// rest of the child's process group.
    package func end(_ signals: [Int32] = [SIGINT, SIGTERM, SIGKILL], patience: Duration = .seconds(5)) {
        guard exit == nil, !isEnding else { return }
        isEnding = true
        sendNext(signals[...], patience)
    }

    private func sendNext(_ signals: ArraySlice<Int32>, _ patience: Duration) {
        guard exit == nil, let first = signals.first else { return }
        signal(first)
        signalTimer = loop.schedule(after: patience) { [weak self] in
            self?.sendNext(signals.dropFirst(), patience)
        }
    }

    private func reap(_ end: Int32) {
        // The pid names this process group only until its leader is reaped; afterwards another group may have that
        // number.
        if isEnding { signal(SIGKILL) }
        var status: Int32 = 0
        let code = cplatform_child_reap(pid, &status)
        guard code != -EAGAIN else { return }
        exit = code < 0 ? .code(0) : Exit(status: status)
        signalTimer?.cancel()
        if let endSource { loop.drop(endSource) }
        endSource = nil
        cplatform_close(end)
        input.abandon()
        waitForRest()
        finishIfDone()
    }

    private func waitForRest() {
        restTimer?.cancel()
        restTimer = loop.schedule(after: mostWaitForRest) { [self] in
            output.abandon()
            errors.abandon()
        }
    }

    private func finishIfDone() {
        guard let exit, output.isOver, errors.isOver, !isOver else { return }
        isOver = true
        restTimer?.cancel()
        handler(.ended(exit))
    }
}

/// A program to start, with the limits of its input and output.
package struct Program: Sendable {
    /// The absolute path of the executable.
    package var path: String
    /// The arguments, of which the first is the program's own name.
    package var words: [String]
    /// The whole environment: nothing is inherited.
    package var environment: [String: String]
    /// The working directory; nil for ours.
    package var directory: String?
    /// The longest line in bytes; a longer line is cut.
    package var longestLine = 16 << 20
    /// The time for which output is read after the child has ended. Another process may hold the pipes open for ever.
    package var mostWaitForRest = Duration.seconds(1)
    /// Bytes that may be queued until the child reads them.
    package var mostInput = 16 << 20

    package init(path: String, words: [String], environment: [String: String], directory: String? = nil) {
        self.path = path
        self.words = words
        self.environment = environment
        self.directory = directory
    }

    /// Starts it with pipes of ours, or with three descriptors of the caller's: its input, output and errors.
    func start(on streams: [Int32]? = nil) throws(SystemError) -> cplatform_child {
        let texts = words.map { strdup($0) } + [nil]
        let values = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in texts + values { free(text) } }
        var child = cplatform_child()
        let code =
            streams.map { cplatform_child_start_on(path, texts, values, directory, $0, &child) }
            ?? cplatform_child_start(path, texts, values, directory, &child)
        _ = try checked(code)
        return child
    }
}
