import Platform
package import Wire

/// An open WebSocket. Any thread may use the `package` members; messages of one thread arrive in the order in which it
/// sent them.
package final class WebSocketConnection: @unchecked Sendable {
    // guard: mutable state is used on the loop's thread only, except `queued`, which has a lock

    package let peer: Peer
    let channel: Channel
    private let now: @Sendable () -> ContinuousClock.Instant
    /// `nil` once closed: sessions may keep a closed connection, which must not keep the server.
    private var server: Server?
    /// `nil` once the session was told of the end: the session may hold this connection.
    private var session: (any WebSocketSession)?
    private var life: WebSocketLifeCycle
    private var decoder: WebSocketDecoder
    private let queued = Locked(0)

    init(channel: Channel, peer: Peer, server: Server, session: any WebSocketSession) {
        self.channel = channel
        self.peer = peer
        self.server = server
        self.session = session
        now = server.limits.now
        life = WebSocketLifeCycle(limits: server.limits)
        decoder = WebSocketDecoder(
            role: .server, limits: peer.isTCP ? server.limits.webSocket : server.limits.localWebSocket)
    }

    private func perform(_ actions: [WebSocketLifeCycle.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: WebSocketLifeCycle.Action) {
        switch action {
        case .close: channel.close()
        case .closeGracefully(let limit): channel.closeGracefully(within: limit)
        case .dropUnsent: channel.dropUnsent()
        case .pauseReading: channel.pauseReading()
        case .resumeReading: channel.resumeReading()
        case .sendClose(let code, let reason):
            channel.write(WebSocketFrame.close(code: code, reason: reason))
            perform(life.closeWritten())
        case .sendPing: write(WebSocketFrame.ping())
        case .sendPong(let payload): write(WebSocketFrame.pong(payload))
        case .startDelivery: _ = channel.loop.spawn { await self.deliver() }
        }
    }

    // MARK: Sending

    /// The number of bytes that wait for the client to take them.
    package var queuedBytes: Int { queued.withLock { $0 } }

    package func send(text: String) {
        send(frame: WebSocketFrame.text(text))
    }

    package func send(binary: [UInt8]) {
        send(frame: WebSocketFrame.binary(binary))
    }

    package func send(_ message: WebSocketBroadcast) {
        send(frame: message.frame)
    }

    /// Calls `left` on the loop's thread once the kernel has taken the message, or never will.
    package func send(_ message: WebSocketBroadcast, left: @escaping @Sendable () -> Void) {
        channel.loop.executeNow { self.write(message.frame) { _ in left() } }
    }

    /// Begins the closing handshake. Messages that were sent before still arrive; messages from the peer are dropped
    /// from now on.
    package func close(code: UInt16, reason: String = "") {
        channel.loop.executeNow { self.perform(self.life.close(code: code, reason: reason, at: self.now())) }
    }

    private func send(frame: [UInt8]) {
        channel.loop.executeNow { self.write(frame) }
    }

    private func write(_ frame: [UInt8], outcome: OutputQueue.Outcome? = nil) {
        if let actions = life.refusal(ofFrame: frame.count, behind: channel.queuedBytes) {
            outcome?(false)
            perform(actions)
        } else {
            channel.write(frame, outcome: outcome)
        }
        noteQueue()
    }

    private func noteQueue() {
        let count = channel.queuedBytes
        queued.withLock { $0 = count }
    }

    // MARK: Delivery

    /// Hands the inbox to the session. One such task runs at a time, so no message overtakes another; none runs while
    /// nothing waits, so that an idle connection does not hold a task's memory.
    private func deliver() async {
        while let batch = life.nextBatch() {
            for item in batch { await deliver(item) }
            perform(life.batchHandled())
        }
    }

    private func deliver(_ item: WebSocketInbox.Item) async {
        guard let session else { return }
        switch item {
        case .opened: await session.opened(self)
        case .message(let message):
            await session.received(message)
            life.handled(message)
        case .closed(let closure):
            self.session = nil
            await session.closed(closure)
        }
    }
}

extension WebSocketConnection: Connection {
    /// - Parameter remaining: Bytes that the client sent before its handshake was answered.
    func start(remaining: [UInt8]) {
        perform(life.opened())
        channel.attach(self)
        if !remaining.isEmpty { remaining.withUnsafeBytes { received($0) } }
        channel.resumeReading()
        if channel.inputEnded { peerLeft() }
    }

    func received(_ bytes: UnsafeRawBufferPointer) {
        decoder.receive(bytes)
        while channel.isOpen, let event = decoder.next() { perform(life.received(event)) }
        perform(life.decoded())
    }

    func peerLeft() {
        // If the peer hung up while it was not being read, its last messages are still in the kernel.
        if channel.inputEnded || channel.outputFailed { perform(life.peerLeft()) }
    }

    func outputDrained() {
        noteQueue()
    }

    func closed() {
        perform(life.closed())
        queued.withLock { $0 = 0 }
        server?.forget(self)
        server = nil
    }

    func sweep(_ now: ContinuousClock.Instant) {
        channel.sweep(now)
        noteQueue()
        perform(life.sweep(now, silence: channel.silence(at: now), isPaused: channel.isPaused))
    }

    func stop() {
        close(code: WebSocketCloseCode.goingAway, reason: "the daemon stops")
    }
}
