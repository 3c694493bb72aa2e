import CPlatform
import Loop

/// What a channel tells the protocol that is spoken over it.
protocol ChannelOwner: AnyObject {
    /// The bytes are valid during the call only.
    func received(_ bytes: UnsafeRawBufferPointer)
    /// As soon as it is known: the peer has closed its side, or the connection is broken. Comes again if something
    /// was left to read and has been read since (`inputEnded`). What was received still counts.
    func peerLeft()
    /// Everything written is with the kernel.
    func outputDrained()
    /// Once; the descriptor is gone.
    func closed()
}

/// One connected socket: reads into a shared buffer, queues what the kernel does not take, closes gracefully.
final class Channel: @unchecked Sendable {  // guard: used on its loop's thread only
    private enum Security {
        /// TLS if its first byte says so.
        case undecided(TLSContext)
        case plain
        case tls(TLSSession)
    }

    private enum State {
        case open
        /// Ends when the output is sent, or at the deadline.
        case draining
        /// Our side is closed; waits for the peer's, so that it can read what we sent before a reset drops it.
        case lingering
        case closed
    }

    let loop: EventLoop
    private let descriptor: Int32
    private let scratch: UnsafeMutableRawBufferPointer
    private let limits: ServerLimits
    private var owner: (any ChannelOwner)?
    private var state = State.open
    private var security: Security
    private var readSource: EventSource?
    private var writeSource: EventSource?
    private var output = OutputQueue()
    private var deadline: ContinuousClock.Instant?
    private var lastProgress: ContinuousClock.Instant
    private(set) var outputFailed = false
    /// The peer will send nothing more, and all it sent has been read.
    private(set) var inputEnded = false
    private(set) var lastReceived: ContinuousClock.Instant

    /// One connection's turn ends after so many bytes, so that others get theirs. More than the kernel holds for a
    /// Unix socket: what such a peer has written before it ended is always read in one turn.
    private static let turn = 1 << 20

    /// - Parameters:
    ///   - scratch: read into and used up at once; may be shared by all channels of a loop.
    ///   - tls: nil: never encrypted.
    init(
        loop: EventLoop, descriptor: Int32, scratch: UnsafeMutableRawBufferPointer, limits: ServerLimits,
        tls: TLSContext? = nil
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.scratch = scratch
        self.limits = limits
        security = tls.map(Security.undecided) ?? .plain
        lastProgress = limits.now()
        lastReceived = lastProgress
    }

    var isClosed: Bool { state == .closed }
    var isOpen: Bool { state == .open }
    var queuedBytes: Int { output.byteCount }
    var isEncrypted: Bool { session != nil }

    private var session: TLSSession? {
        if case .tls(let session) = security { session } else { nil }
    }

    /// Begins to read on behalf of `owner`, or goes on for another one.
    func attach(_ owner: any ChannelOwner) {
        self.owner = owner
        guard readSource == nil, state == .open else { return }
        let source = EventSource(loop: loop, descriptor: descriptor, for: .reading) { self.readAvailable() }
        readSource = source
        source.arm()
    }

    // MARK: Reading

    /// Whether what the peer sends is left in the kernel for now.
    var isPaused: Bool { !inputEnded && readSource.map { !$0.isArmed } ?? false }

    /// Leaves what comes in the kernel. Only the sweep notices a peer that leaves meanwhile.
    func pauseReading() {
        readSource?.disarm()
    }

    func resumeReading() {
        guard !inputEnded, state != .closed, let readSource, !readSource.isArmed else { return }
        readSource.arm()
    }

    /// Reads what is there, until paused.
    func readAvailable() {
        var budget = Self.turn
        while budget > 0, let readSource, readSource.isArmed {
            let count = read()
            guard count > 0 else { return readEnded(count) }
            budget -= count
            lastReceived = limits.now()
            if state == .open { owner?.received(UnsafeRawBufferPointer(rebasing: scratch[..<count])) }
            // Less than asked for is all there was; a session gives one record at a time.
            if count < scratch.count, !isEncrypted { return }
        }
    }

    /// As `cplatform_read`. What comes once our side is closing is dropped anyway, so nobody decrypts it.
    private func read() -> Int {
        if state == .open, case .undecided(let context) = security {
            let result = decide(context)
            if result <= 0 { return result }
        }
        guard state == .open, let session else {
            return Int(cplatform_read(descriptor, scratch.baseAddress, scratch.count))
        }
        let count = session.read(into: scratch)
        if session.hasUnsent { armWriting() }
        return count
    }

    /// Looks at the first byte without taking it: 1 once it is known what is spoken, 0 at the end, or a negative errno.
    private func decide(_ context: TLSContext) -> Int {
        var first: UInt8 = 0
        let count = cplatform_peek(descriptor, &first)
        guard count > 0 else { return Int(count) }
        guard first == TLSSession.firstByte else {
            security = .plain
            return 1
        }
        guard let session = TLSSession(context: context, descriptor: descriptor) else { return -Int(ENOMEM) }
        security = .tls(session)
        return 1
    }

    private func readEnded(_ result: Int) {
        if result == -Int(EAGAIN) { return }
        inputEnded = true
        readSource?.disarm()
        if state == .lingering { return close() }
        if result < 0 { return failOutput() }
        owner?.peerLeft()
    }

    // MARK: Writing

    /// Sends the bytes, now or when the peer takes them.
    func write(_ bytes: [UInt8], outcome: OutputQueue.Outcome? = nil) {
        guard state == .open, !outputFailed else { return outcome?(false) ?? () }
        guard output.isEmpty else { return output.append(bytes, outcome: outcome) }
        let count = bytes.withUnsafeBytes { send($0) }
        if count == bytes.count { return outcome?(true) ?? () }
        guard count >= 0 || count == -Int(EAGAIN) else {
            outcome?(false)
            return failOutput()
        }
        output.append(bytes, sent: max(count, 0), outcome: outcome)
        armWriting()
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        session?.send(bytes) ?? Int(cplatform_send(descriptor, bytes.baseAddress, bytes.count))
    }

    /// Forgets what waits, except for a chunk of which the peer has a part.
    func dropUnsent() {
        for outcome in output.dropUnstarted(hasBegun: session?.holdsUnreported ?? false) { outcome(false) }
    }

    private func armWriting() {
        if writeSource == nil {
            lastProgress = limits.now()
            writeSource = EventSource(loop: loop, descriptor: descriptor, for: .writing) { self.flush() }
        }
        writeSource?.arm()
    }

    private func flush() {
        // What belongs to no chunk: the handshake's.
        if let result = session?.flush(), result < 0 { return sendFailed(result) }
        while let count = output.withFirst({ send($0) }) {
            guard count >= 0 else { return sendFailed(count) }
            lastProgress = limits.now()
            output.sent(count)?(true)
        }
        writeSource?.cancel()
        writeSource = nil
        if state == .draining { return finishDraining() }
        if state == .open { owner?.outputDrained() }
    }

    private func sendFailed(_ result: Int) {
        if result != -Int(EAGAIN) { failOutput() }
    }

    /// The peer takes nothing more; it may have sent something that is still to be read.
    private func failOutput() {
        outputFailed = true
        writeSource?.cancel()
        writeSource = nil
        for outcome in output.removeAll() { outcome(false) }
        if state == .draining { return close() }
        owner?.peerLeft()
    }

    // MARK: Closing

    /// Sends what waits, closes our side, and gives the peer time to close its own. What it still sends is dropped.
    /// - Parameter limit: ends it at the latest after so long; nil: as long as the peer keeps taking output.
    func closeGracefully(within limit: Duration? = nil) {
        guard state == .open else { return }
        state = .draining
        deadline = limit.map { limits.now() + $0 }
        if output.isEmpty { finishDraining() }
    }

    private func finishDraining() {
        if let session, !outputFailed {
            session.sayGoodbye()
            if session.hasUnsent { return armWriting() }
        }
        guard !inputEnded, !outputFailed, cplatform_shutdown_writing(descriptor) == 0 else { return close() }
        state = .lingering
        let latest = limits.now() + limits.closeTime
        deadline = min(deadline ?? latest, latest)
        resumeReading()
    }

    /// Closes at once; what waits is lost.
    func close() {
        guard state != .closed else { return }
        state = .closed
        readSource?.cancel()
        writeSource?.cancel()
        readSource = nil
        writeSource = nil
        cplatform_close(descriptor)
        for outcome in output.removeAll() { outcome(false) }
        let owner = owner
        self.owner = nil
        owner?.closed()
    }

    /// Looks at the channel's own times.
    func sweep(_ now: ContinuousClock.Instant) {
        if let deadline, now >= deadline { return close() }
        if !output.isEmpty || session?.hasUnsent ?? false, now - lastProgress > limits.writeStallTime { return close() }
        if isPaused, cplatform_has_hung_up(descriptor) != 0 { owner?.peerLeft() }
    }
}
