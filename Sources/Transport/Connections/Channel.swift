import CPlatform
import Loop

/// The protocol implementation that a channel delivers to.
protocol ChannelOwner: AnyObject {
    /// The bytes are valid during the call only.
    func received(_ bytes: UnsafeRawBufferPointer)
    /// The peer has closed its side, or the connection is broken. Called as soon as that is known, and again if bytes
    /// were unread then and have been read since (`inputEnded`). Everything that was received still counts.
    func peerLeft()
    /// The kernel has taken everything that was written.
    func outputDrained()
    /// The descriptor is closed. Called once, and last.
    func closed()
}

/// One connected socket. Reads into a shared buffer, queues the output that the kernel does not take, and closes
/// gracefully. `ChannelLifeCycle` decides what happens when; this class makes the system calls.
final class Channel: @unchecked Sendable {  // guard: used on its loop's thread only
    private enum Security {
        /// No byte has arrived. The first one shows whether the peer speaks TLS.
        case undecided(TLSContext)
        case plain
        case tls(TLSSession)
    }

    let loop: EventLoop
    private let descriptor: Int32
    private let scratch: UnsafeMutableRawBufferPointer
    private let now: @Sendable () -> ContinuousClock.Instant
    private var owner: (any ChannelOwner)?
    private var life: ChannelLifeCycle
    private var security: Security
    private var readSource: EventSource?
    private var writeSource: EventSource?
    private var output = OutputQueue()
    /// Called in place of reading when bytes have arrived, until `readInTurn`; `nil` if the channel reads at once.
    private var gate: (() -> Void)?
    /// True from such a call to `readInTurn`.
    private var isAtGate = false

    /// The number of bytes after which other connections get their turn. More than the kernel buffers for a Unix
    /// socket, so everything that such a peer wrote before it left is read in one turn.
    private static let turn = 1 << 20

    /// - Parameters:
    ///   - scratch: The read buffer. Its bytes are used at once, so all channels of a loop may share it.
    ///   - tls: `nil` if the channel never speaks TLS.
    init(
        loop: EventLoop, descriptor: Int32, scratch: UnsafeMutableRawBufferPointer, limits: ServerLimits,
        tls: TLSContext? = nil
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.scratch = scratch
        now = limits.now
        security = tls.map(Security.undecided) ?? .plain
        life = ChannelLifeCycle(limits: limits, at: limits.now())
    }

    /// False once the channel is closing or closed: nothing more is sent or delivered.
    var isOpen: Bool { life.isOpen }
    /// True once the peer sends nothing more and everything that it sent was read.
    var inputEnded: Bool { life.inputHasEnded }
    /// True once the peer takes nothing more; bytes from it may still be unread.
    var outputFailed: Bool { life.outputHasFailed }
    /// The number of bytes that wait for the peer to take them.
    var queuedBytes: Int { output.byteCount }
    var isEncrypted: Bool { session != nil }

    private var session: TLSSession? {
        if case .tls(let session) = security { session } else { nil }
    }

    private func perform(_ actions: [ChannelLifeCycle.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: ChannelLifeCycle.Action) {
        switch action {
        case .checkForHangUp: if cplatform_has_hung_up(descriptor) != 0 { owner?.peerLeft() }
        case .close: release()
        case .dropOutput: dropOutput()
        case .sendCloseNotify: sendCloseNotify()
        case .shutDownWriting:
            let isFailure = cplatform_shutdown_writing(descriptor) != 0
            perform(life.shutDown(isFailure: isFailure, at: now()))
        case .startReading: startReading()
        case .stopReading: readSource?.disarm()
        case .tellOutputDrained: owner?.outputDrained()
        case .tellPeerLeft: owner?.peerLeft()
        }
    }

    // MARK: Reading

    /// Delivers to `owner` from now on. The first call starts the reading.
    func attach(_ owner: any ChannelOwner) {
        self.owner = owner
        perform(life.attach())
    }

    /// True while what the peer sends is left in the kernel.
    var isPaused: Bool { life.isPaused }

    /// Leaves incoming bytes in the kernel. Until `resumeReading` only the sweep notices that the peer has left.
    func pauseReading() {
        perform(life.pauseReading())
    }

    func resumeReading() {
        perform(life.resumeReading())
    }

    /// Returns the time since the peer last sent bytes.
    func silence(at now: ContinuousClock.Instant) -> Duration { life.silence(at: now) }

    private func startReading() {
        if readSource == nil {
            readSource = EventSource(loop: loop, descriptor: descriptor, for: .reading) { self.becameReadable() }
        }
        readSource?.arm()
    }

    /// Leaves incoming bytes in the kernel, and calls `gate` when there are some; `readInTurn` reads them.
    func wait(at gate: @escaping () -> Void) { self.gate = gate }

    /// Reads at once from now on.
    func removeGate() {
        gate = nil
        openGate()
    }

    private func openGate() {
        guard isAtGate else { return }
        isAtGate = false
        if life.isReading { readSource?.arm() }
    }

    private func becameReadable() {
        guard let gate else { return readAvailable() }
        isAtGate = true
        readSource?.disarm()
        gate()
    }

    /// Reads and delivers some of the bytes that have arrived.
    func readInTurn() {
        openGate()
        readAvailable(atMost: scratch.count)
    }

    /// Reads and delivers the bytes that have arrived, until the reading is paused or the channel's turn ends.
    func readAvailable(atMost turn: Int = Channel.turn) {
        var budget = turn
        while budget > 0, life.isReading {
            let count = read()
            guard count > 0 else { return readEnded(count) }
            budget -= count
            if life.received(at: now()) { owner?.received(UnsafeRawBufferPointer(rebasing: scratch[..<count])) }
            // A read that does not fill the buffer has emptied the socket; with TLS it has only ended a record.
            if count < scratch.count, !isEncrypted { return }
        }
    }

    /// Returns what `cplatform_read` does. Bytes that arrive while our side closes are dropped, so they are not
    /// decrypted.
    private func read() -> Int {
        if life.isOpen, case .undecided(let context) = security {
            let result = decide(context)
            if result <= 0 { return result }
        }
        guard life.isOpen, let session else {
            return Int(cplatform_read(descriptor, scratch.baseAddress, scratch.count))
        }
        let count = session.read(into: scratch)
        if session.hasUnsent { armWriting() }
        return count
    }

    /// Looks at the first byte, which stays in the socket, and decides between TLS and plain text. Returns 1 once that
    /// is decided, 0 at the end of the stream, or a negative errno.
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
        if result != -Int(EAGAIN) { perform(life.inputEnded(isFailure: result < 0)) }
    }

    // MARK: Writing

    /// Sends the bytes, now or when the peer takes them.
    func write(_ bytes: [UInt8], outcome: OutputQueue.Outcome? = nil) {
        guard life.maySend else { return outcome?(false) ?? () }
        guard output.isEmpty else { return output.append(bytes, outcome: outcome) }
        let count = bytes.withUnsafeBytes { send($0) }
        if count == bytes.count { return outcome?(true) ?? () }
        guard count >= 0 || count == -Int(EAGAIN) else {
            outcome?(false)
            return perform(life.outputFailed())
        }
        output.append(bytes, sent: max(count, 0), outcome: outcome)
        armWriting()
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        session?.send(bytes) ?? Int(cplatform_send(descriptor, bytes.baseAddress, bytes.count))
    }

    /// Drops the output that waits, except for a chunk of which a part was sent.
    func dropUnsent() {
        for outcome in output.dropUnstarted(hasBegun: session?.holdsUnreported ?? false) { outcome(false) }
    }

    private func armWriting() {
        if writeSource == nil {
            life.progressed(at: now())
            writeSource = EventSource(loop: loop, descriptor: descriptor, for: .writing) { self.flush() }
        }
        writeSource?.arm()
    }

    private func flush() {
        // Bytes of the handshake belong to no chunk.
        if let result = session?.flush(), result < 0 { return sendFailed(result) }
        while let count = output.withFirst({ send($0) }) {
            guard count >= 0 else { return sendFailed(count) }
            life.progressed(at: now())
            output.sent(count)?(true)
        }
        writeSource?.cancel()
        writeSource = nil
        perform(life.outputDrained())
    }

    private func sendFailed(_ result: Int) {
        if result != -Int(EAGAIN) { perform(life.outputFailed()) }
    }

    private func dropOutput() {
        writeSource?.cancel()
        writeSource = nil
        for outcome in output.removeAll() { outcome(false) }
    }

    // MARK: Closing

    /// Sends the output that waits, shuts down our side, and gives the peer time to close its own. Bytes that the peer
    /// still sends are dropped.
    /// - Parameter limit: The time after which the channel is closed in any case; `nil` gives the peer as long as it
    ///   keeps taking output.
    func closeGracefully(within limit: Duration? = nil) {
        perform(life.closeGracefully(within: limit, isSending: !output.isEmpty, at: now()))
    }

    private func sendCloseNotify() {
        session?.sendCloseNotify()
        if session?.hasUnsent ?? false { armWriting() } else { perform(life.outputDrained()) }
    }

    /// Closes at once and drops the output that waits.
    func close() {
        perform(life.close())
    }

    private func release() {
        gate = nil
        // Both sources go before the descriptor, whose number the next file that is opened may get.
        readSource?.cancel()
        readSource = nil
        writeSource?.cancel()
        cplatform_close(descriptor)
        dropOutput()
        let owner = owner
        self.owner = nil
        owner?.closed()
    }

    /// Applies the channel's own time limits.
    func sweep(_ now: ContinuousClock.Instant) {
        perform(life.sweep(now, isSending: !output.isEmpty || session?.hasUnsent ?? false))
    }
}
