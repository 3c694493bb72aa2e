import CPlatform
import Glibc

/// Reads lines from a pipe whenever it is readable. The reader owns the descriptor and closes it at the end.
final class PipeReader {
    private let descriptor: Int32
    private let loop: EventLoop
    private var lines: LineBuffer
    private var source: EventSource?
    private var deliver: ((LineBuffer.Line) -> Void)?
    private var atEnd: (() -> Void)?
    private(set) var isOver = false
    private var isPaused = false

    /// The capacity of a pipe on Linux; other sources get their turn between two reads.
    private static let atOnce = 65_536

    init(_ descriptor: Int32, on loop: EventLoop, longestLine: Int) {
        self.descriptor = descriptor
        self.loop = loop
        lines = LineBuffer(limit: longestLine)
    }

    func begin(_ deliver: @escaping (LineBuffer.Line) -> Void, atEnd: @escaping () -> Void) {
        self.deliver = deliver
        self.atEnd = atEnd
        let source = EventSource(loop: loop, descriptor: descriptor, for: .reading) { [weak self] in self?.read() }
        self.source = source
        loop.adopt(source)
        source.arm()
    }

    func pause() {
        isPaused = true
        source?.disarm()
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        source?.arm()
    }

    /// Stops reading and delivers the bytes without a line feed as the last line. Does nothing while paused.
    func abandon() {
        if !isOver, !isPaused { finish() }
    }

    private func read() {
        var found = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.atOnce) { buffer, count in
            repeat {
                found = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while found < 0 && errno == EINTR
            count = max(0, found)
        }
        if found < 0 && errno == EAGAIN { return }
        guard found > 0 else { return finish() }
        for line in lines.append(bytes) { deliver?(line) }
    }

    private func finish() {
        isOver = true
        if let source { loop.drop(source) }
        source = nil
        cplatform_close(descriptor)
        if let last = lines.finish() { deliver?(last) }
        atEnd?()
        deliver = nil
        atEnd = nil
    }
}

/// Writes to a pipe whenever it is writable. The writer owns the descriptor and closes it at the end.
final class PipeWriter {
    private let descriptor: Int32
    private let loop: EventLoop
    private let limit: Int
    private var waiting: [UInt8] = []
    private var source: EventSource?
    private var isClosing = false
    private var isOver = false
    /// Bytes of `waiting` that are written: they are removed once they are as many as the others.
    private var written = 0
    private var listeners: [() -> Void] = []
    /// Called when the reader has closed its end, and what waited is lost.
    var broken: (() -> Void)?

    init(_ descriptor: Int32, on loop: EventLoop, limit: Int) {
        self.descriptor = descriptor
        self.loop = loop
        self.limit = limit
    }

    /// Returns false, and queues nothing, where more than `limit` bytes would wait or the pipe is closed.
    func write(_ bytes: [UInt8]) -> Bool {
        guard !isOver, !isClosing, waiting.count - written + bytes.count <= limit else { return false }
        waiting += bytes
        flush()
        return !isOver
    }

    var hasWrittenAll: Bool { waiting.isEmpty }

    /// Calls `body` once nothing waits here; never where the pipe is closed before.
    func whenWritten(_ body: @escaping () -> Void) { listeners.append(body) }

    /// True if nothing waits, neither here nor in the pipe.
    var isRead: Bool {
        guard !isOver else { return true }
        var unread: Int32 = 0
        return waiting.isEmpty && ioctl(descriptor, UInt(FIONREAD), &unread) == 0 && unread == 0
    }

    /// Closes the pipe once all queued bytes are written.
    func close() {
        isClosing = true
        if waiting.isEmpty { abandon() }
    }

    /// Drops the queued bytes and closes the pipe.
    func abandon() {
        guard !isOver else { return }
        isOver = true
        waiting = []
        listeners = []
        written = 0
        if let source { loop.drop(source) }
        source = nil
        cplatform_close(descriptor)
    }

    private func flush() {
        while written < waiting.count {
            let count = waiting[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                // The reader has closed its end.
                if count < 0 && errno != EAGAIN {
                    abandon()
                    broken?()
                    return
                }
                break
            }
            written += count
        }
        if written * 2 >= waiting.count {
            waiting.removeFirst(written)
            written = 0
        }
        wait()
    }

    private func wait() {
        if waiting.isEmpty {
            source?.disarm()
            let told = listeners
            listeners = []
            if isClosing { abandon() }
            for body in told { body() }
            return
        }
        if source == nil {
            let source = EventSource(loop: loop, descriptor: descriptor, for: .writing) { [weak self] in self?.flush() }
            self.source = source
            loop.adopt(source)
        }
        source?.arm()
    }
}
