import Platform
package import Wire

/// One open WebSocket. Any thread may use what is `package`; what one thread sends arrives in its order.
package final class WebSocketConnection: @unchecked Sendable {
    // guard: mutable state is used on the loop's thread only, except `queued`, which has a lock

    package let peer: Peer
    let channel: Channel
    private let limits: ServerLimits
    /// Nil once closed: who keeps a closed connection keeps no more than that.
    private var server: Server?
    private let inbox: WebSocketInbox
    private var decoder: WebSocketDecoder
    private let queued = Locked(0)
    /// Since then a pong is awaited.
    private var pingSent: ContinuousClock.Instant?
    private var closeSent = false
    private var closeDeadline: ContinuousClock.Instant?

    init(channel: Channel, peer: Peer, server: Server, session: any WebSocketSession) {
        self.channel = channel
        self.peer = peer
        self.server = server
        limits = server.limits
        decoder = WebSocketDecoder(role: .server, limits: limits.webSocket)
        inbox = WebSocketInbox(loop: channel.loop, session: session, limits: limits)
    }

    // MARK: Sending

    /// Bytes that wait because the client does not take them.
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

    /// Ends the connection: what was sent before still arrives, what the peer sends from now on is dropped.
    package func close(code: UInt16, reason: String = "") {
        channel.loop.executeNow { self.sendClose(code, reason, isByPeer: false) }
    }

    private func send(frame: [UInt8]) {
        channel.loop.executeNow { self.write(frame) }
    }

    private func write(_ frame: [UInt8]) {
        guard channel.isOpen, !closeSent else { return }
        if channel.queuedBytes > 0, channel.queuedBytes + frame.count > limits.outputBytes {
            return closeSlowClient()
        }
        channel.write(frame)
        noteQueue()
    }

    private func noteQueue() {
        let now = channel.queuedBytes
        queued.withLock { $0 = now }
    }

    /// It cannot read the reason behind megabytes it does not read, so those are dropped.
    private func closeSlowClient() {
        channel.dropUnsent()
        let reason = "more than \(limits.outputBytes) bytes waited for you; reconnect and catch up"
        sendClose(WebSocketCloseCode.tryAgainLater, reason, isByPeer: false)
        channel.closeGracefully(within: limits.slowClientTime)
        noteQueue()
    }

    /// - Parameter code: nil answers a close that gave none.
    private func sendClose(_ code: UInt16?, _ reason: String, isByPeer: Bool) {
        guard channel.isOpen, !closeSent else { return }
        closeSent = true
        channel.write(WebSocketFrame.close(code: code, reason: reason))
        inbox.end(WebSocketClosure(code: code ?? noCode, reason: reason, isByPeer: isByPeer))
        closeDeadline = limits.now() + limits.closeTime
        // The peer's close is still awaited, unless there is nothing more to come.
        if isByPeer || channel.inputEnded { channel.closeGracefully() }
    }

    // MARK: Receiving

    /// - Parameter remaining: what the client sent ahead of the answer to its handshake.
    func start(remaining: [UInt8]) {
        inbox.open(self)
        channel.attach(self)
        if !remaining.isEmpty { remaining.withUnsafeBytes { received($0) } }
        channel.resumeReading()
        if channel.inputEnded { peerLeft() }
    }

    private func handle(_ event: WebSocketEvent) {
        switch event {
        case .text(let text): inbox.add(.text(text))
        case .binary(let bytes): inbox.add(.binary(bytes))
        case .ping, .pong: break
        case .close(let code, let reason):
            sendClose(code, reason, isByPeer: true)
            channel.closeGracefully()
        case .failure(let code, let message):
            sendClose(code, message, isByPeer: false)
            channel.closeGracefully()
        }
    }
}

/// Close code 1005: there was none; never sent.
private let noCode: UInt16 = 1005
/// Close code 1006: the connection was lost; never sent.
private let connectionLost: UInt16 = 1006

extension WebSocketConnection: Connection {
    func received(_ bytes: UnsafeRawBufferPointer) {
        pingSent = nil
        decoder.receive(bytes)
        // Of pings that came together the last is answered (RFC 6455, 5.5.3): a write for each of the thousands that one
        // read may bring would keep everybody else waiting.
        var ping: [UInt8]?
        while channel.isOpen, let event = decoder.next() {
            if case .ping(let payload) = event { ping = payload } else { handle(event) }
        }
        if let ping { write(WebSocketFrame.pong(ping)) }
        if inbox.isFull { channel.pauseReading() }
    }

    func peerLeft() {
        // A paused peer that left has messages to be read still.
        guard channel.inputEnded || channel.outputFailed else { return }
        inbox.end(WebSocketClosure(code: connectionLost, reason: "the connection was lost", isByPeer: true))
        channel.closeGracefully()
    }

    func outputDrained() {
        noteQueue()
    }

    func closed() {
        inbox.end(WebSocketClosure(code: connectionLost, reason: "the connection was lost", isByPeer: true))
        queued.withLock { $0 = 0 }
        server?.forget(self)
        server = nil
    }

    func sweep(_ now: ContinuousClock.Instant) {
        channel.sweep(now)
        guard channel.isOpen, !channel.isPaused else { return }
        noteQueue()
        if let closeDeadline, now >= closeDeadline { return channel.closeGracefully() }
        if let pingSent {
            if now - pingSent >= limits.pongTime { channel.close() }
        } else if channel.silence(at: now) >= limits.pingInterval, !closeSent {
            pingSent = now
            write(WebSocketFrame.ping())
        }
    }

    func stop() {
        sendClose(WebSocketCloseCode.goingAway, "the daemon stops", isByPeer: false)
    }
}
