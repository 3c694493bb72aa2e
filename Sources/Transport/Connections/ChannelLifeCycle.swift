/// Decides what a channel does next: when it reads, what it tells its owner, when it shuts down its side and when it
/// closes. It has no descriptor and no clock. The channel reports what happened and performs the returned actions in
/// their order.
package struct ChannelLifeCycle: Equatable {
    package enum Action: Equatable {
        /// Ask the kernel whether a peer that is not being read has hung up, and if so call `ChannelOwner.peerLeft`.
        case checkForHangUp
        /// Close the descriptor, drop the output that waits and call `ChannelOwner.closed`.
        case close
        /// Drop the output that waits: the kernel takes nothing more.
        case dropOutput
        /// Send TLS's `close_notify`; then call `outputDrained`, at once on a channel without TLS.
        case sendCloseNotify
        /// Shut down our sending side, then call `shutDown`.
        case shutDownWriting
        case startReading
        case stopReading
        case tellOutputDrained
        case tellPeerLeft
    }

    private enum Phase {
        case open
        /// The output is being sent. Bytes from the peer are dropped from now on.
        case draining
        /// The output is sent, and TLS's `close_notify` is being sent.
        case sendingCloseNotify
        /// Our side is shut down. The peer gets time to close its own: closing at once would reset the connection, and
        /// the peer could lose what it has not read.
        case lingering
        case closed
    }

    private enum Input {
        /// No owner is attached.
        case unattached
        case reading
        /// Bytes from the peer stay in the kernel.
        case paused
        /// The peer sends nothing more, and everything that it sent was read.
        case ended
    }

    private let writeStallTime: Duration
    private let closeTime: Duration
    private var phase = Phase.open
    private var input = Input.unattached
    /// True once the kernel refused output: the peer takes nothing more, but bytes from it may still be unread.
    package private(set) var outputHasFailed = false
    /// The time at which the channel is closed even if output is unsent or the peer has not closed.
    private var deadline: ContinuousClock.Instant?
    private var lastReceived: ContinuousClock.Instant
    /// The time at which the kernel last took output, or at which output began to wait.
    private var lastProgress: ContinuousClock.Instant

    package init(limits: ServerLimits, at now: ContinuousClock.Instant) {
        writeStallTime = limits.writeStallTime
        closeTime = limits.closeTime
        lastReceived = now
        lastProgress = now
    }

    package var isOpen: Bool { phase == .open }
    package var isReading: Bool { input == .reading }
    package var isPaused: Bool { input == .paused }
    package var inputHasEnded: Bool { input == .ended }
    /// True if output may be queued or handed to the kernel.
    package var maySend: Bool { phase == .open && !outputHasFailed }

    /// Returns the time since the peer last sent bytes.
    package func silence(at now: ContinuousClock.Instant) -> Duration { now - lastReceived }

    // MARK: Reading

    /// An owner was attached. Only the first one starts the reading; a later one takes over the channel as it is.
    package mutating func attach() -> [Action] {
        guard phase == .open, input == .unattached else { return [] }
        input = .reading
        return [.startReading]
    }

    package mutating func pauseReading() -> [Action] {
        guard input == .reading else { return [] }
        input = .paused
        return [.stopReading]
    }

    package mutating func resumeReading() -> [Action] {
        guard input == .paused else { return [] }
        input = .reading
        return [.startReading]
    }

    /// Bytes were read. Returns true if the owner gets them; once our side is closing they are dropped.
    package mutating func received(at now: ContinuousClock.Instant) -> Bool {
        lastReceived = now
        return phase == .open
    }

    /// The peer has closed its side, or reading has failed.
    package mutating func inputEnded(isFailure: Bool) -> [Action] {
        guard input == .reading else { return [] }
        input = .ended
        if phase == .lingering { return [.stopReading] + close() }
        return [.stopReading] + (isFailure ? outputFailed() : [.tellPeerLeft])
    }

    // MARK: Writing

    /// The kernel has taken output, or output begins to wait for it.
    package mutating func progressed(at now: ContinuousClock.Instant) {
        lastProgress = now
    }

    /// The kernel has taken all output that waited.
    package mutating func outputDrained() -> [Action] {
        switch phase {
        case .open: return [.tellOutputDrained]
        case .draining:
            guard !outputHasFailed else { return close() }
            phase = .sendingCloseNotify
            return [.sendCloseNotify]
        case .sendingCloseNotify: return inputHasEnded || outputHasFailed ? close() : [.shutDownWriting]
        case .lingering, .closed: return []
        }
    }

    package mutating func outputFailed() -> [Action] {
        guard phase != .closed else { return [] }
        outputHasFailed = true
        return phase == .draining || phase == .sendingCloseNotify ? close() : [.dropOutput, .tellPeerLeft]
    }

    // MARK: Closing

    /// Sends the output that waits, shuts down our side and gives the peer time to close its own.
    /// - Parameter limit: The time after which the channel is closed in any case; `nil` gives the peer as long as it
    ///   keeps taking output.
    package mutating func closeGracefully(
        within limit: Duration?, isSending: Bool, at now: ContinuousClock.Instant
    ) -> [Action] {
        guard phase == .open else { return [] }
        phase = .draining
        deadline = limit.map { now + $0 }
        return isSending ? [] : outputDrained()
    }

    package mutating func shutDown(isFailure: Bool, at now: ContinuousClock.Instant) -> [Action] {
        guard phase == .sendingCloseNotify else { return [] }
        guard !isFailure else { return close() }
        phase = .lingering
        let latest = now + closeTime
        deadline = min(deadline ?? latest, latest)
        return resumeReading()
    }

    package mutating func close() -> [Action] {
        guard phase != .closed else { return [] }
        phase = .closed
        deadline = nil
        if input != .ended { input = .unattached }
        return [.close]
    }

    /// Applies the time limits.
    package mutating func sweep(_ now: ContinuousClock.Instant, isSending: Bool) -> [Action] {
        if let deadline, now >= deadline { return close() }
        if phase != .closed, isSending, now - lastProgress > writeStallTime { return close() }
        return isPaused ? [.checkForHangUp] : []
    }
}
