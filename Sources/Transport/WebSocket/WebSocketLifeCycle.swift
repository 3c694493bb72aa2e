package import Wire

/// Decides what an open WebSocket does next: pings, the closing handshake, and how much is read ahead of the session
/// and may wait for the peer. It has no socket and no clock. The connection reports what happened and performs the
/// returned actions in their order.
package struct WebSocketLifeCycle: Equatable {
    package enum Action: Equatable {
        /// Close at once and drop the output that waits.
        case close
        /// Send the output that waits, then close. `within` limits the time for both.
        case closeGracefully(within: Duration?)
        /// Drop the output of which the peer has no part.
        case dropUnsent
        case pauseReading
        case resumeReading
        /// Write a close frame, then call `closeWritten`.
        case sendClose(code: UInt16?, reason: String)
        case sendPing
        case sendPong([UInt8])
        /// Hand the inbox to the session, batch after batch.
        case startDelivery
    }

    private enum Phase: Equatable {
        case open
        /// Our close frame is being written. Afterwards the peer's is awaited until `deadline`; without one the channel
        /// closes within `limit`.
        case sendingClose(WebSocketClosure, deadline: ContinuousClock.Instant?, limit: Duration?)
        /// Our close frame is written, and the peer's has not come.
        case awaitingClose(deadline: ContinuousClock.Instant)
        /// The channel is closing or closed.
        case ended
    }

    private let pingInterval: Duration
    private let pongTime: Duration
    private let closeTime: Duration
    private let slowClientTime: Duration
    private let outputBytes: Int
    private var phase = Phase.open
    private var isOpen: Bool { if case .open = phase { true } else { false } }
    private var inbox: WebSocketInbox
    /// The time of a ping after which the peer has sent nothing.
    private var pingSent: ContinuousClock.Instant?
    /// The payload of the last ping that came with the bytes being decoded.
    private var pong: [UInt8]?

    package init(limits: ServerLimits) {
        pingInterval = limits.pingInterval
        pongTime = limits.pongTime
        closeTime = limits.closeTime
        slowClientTime = limits.slowClientTime
        outputBytes = limits.outputBytes
        inbox = WebSocketInbox(limits: limits)
    }

    /// The handshake is over.
    package mutating func opened() -> [Action] { delivery(inbox.open()) }

    // MARK: Receiving

    /// An event was decoded; `decoded` follows the last one of a read.
    package mutating func received(_ event: WebSocketEvent) -> [Action] {
        switch event {
        case .text(let text): return delivery(inbox.add(.text(text)))
        case .binary(let bytes): return delivery(inbox.add(.binary(bytes)))
        case .ping(let payload): pong = payload
        case .pong: break
        case .close(let code, let reason): return finish(code: code, reason, isByPeer: true)
        case .failure(let code, let message): return finish(code: code, message, isByPeer: false)
        }
        return []
    }

    /// All bytes of a read are decoded. Of pings that came together only the last is answered (RFC 6455 section 5.5.3):
    /// one read may bring thousands, and a write for each would keep other connections waiting.
    package mutating func decoded() -> [Action] {
        pingSent = nil
        defer { pong = nil }
        let answer = isOpen ? pong.map { [Action.sendPong($0)] } ?? [] : []
        return inbox.isFull ? answer + [.pauseReading] : answer
    }

    /// The peer sends nothing more, or takes nothing more.
    package mutating func peerLeft() -> [Action] {
        guard phase != .ended else { return [] }
        phase = .ended
        return delivery(inbox.end(.connectionLost)) + [.closeGracefully(within: nil)]
    }

    /// The channel is closed.
    package mutating func closed() -> [Action] {
        phase = .ended
        return delivery(inbox.end(.connectionLost))
    }

    // MARK: Delivery

    /// Returns the items that the session has to handle next; `nil` ends the delivery.
    package mutating func nextBatch() -> [WebSocketInbox.Item]? { inbox.nextBatch() }

    package mutating func handled(_ message: WebSocketMessage) { inbox.handled(message) }

    /// Every item of a batch was handled.
    package func batchHandled() -> [Action] { inbox.isFull ? [] : [.resumeReading] }

    private func delivery(_ isNeeded: Bool) -> [Action] { isNeeded ? [.startDelivery] : [] }

    // MARK: Sending

    /// Returns `nil` if a frame of `count` bytes may be written, else the actions instead. A peer for which too much
    /// waits is closed: it cannot read the reason behind megabytes that it does not read, so those are dropped.
    /// - Parameter queued: The number of bytes that wait for the peer.
    package mutating func refusal(ofFrame count: Int, behind queued: Int) -> [Action]? {
        guard isOpen else { return [] }
        guard queued > 0, queued + count > outputBytes else { return nil }
        let reason = "more than \(outputBytes) bytes waited for you; reconnect and catch up"
        let closure = WebSocketClosure(code: WebSocketCloseCode.tryAgainLater, reason: reason, isByPeer: false)
        phase = .sendingClose(closure, deadline: nil, limit: slowClientTime)
        return [.dropUnsent, .sendClose(code: closure.code, reason: reason)]
    }

    // MARK: Closing

    /// Begins the closing handshake.
    package mutating func close(code: UInt16, reason: String, at now: ContinuousClock.Instant) -> [Action] {
        guard isOpen else { return [] }
        let closure = WebSocketClosure(code: code, reason: reason, isByPeer: false)
        phase = .sendingClose(closure, deadline: now + closeTime, limit: nil)
        return [.sendClose(code: code, reason: reason)]
    }

    /// Answers the peer's close frame or a violation of the protocol, unless a close frame was sent before.
    private mutating func finish(code: UInt16?, _ reason: String, isByPeer: Bool) -> [Action] {
        switch phase {
        case .open:
            let closure = WebSocketClosure(code: code ?? noCode, reason: reason, isByPeer: isByPeer)
            phase = .sendingClose(closure, deadline: nil, limit: nil)
            return [.sendClose(code: code, reason: reason)]
        case .awaitingClose:
            phase = .ended
            return [.closeGracefully(within: nil)]
        case .sendingClose, .ended: return []
        }
    }

    /// The close frame was written. Does nothing if that has shown that the peer is gone: `peerLeft` came first.
    package mutating func closeWritten() -> [Action] {
        guard case .sendingClose(let closure, let deadline, let limit) = phase else { return [] }
        let actions = delivery(inbox.end(closure))
        guard let deadline else {
            phase = .ended
            return actions + [.closeGracefully(within: limit)]
        }
        phase = .awaitingClose(deadline: deadline)
        return actions
    }

    // MARK: Times

    /// Applies the time limits.
    /// - Parameters:
    ///   - silence: The time since the peer has last sent something.
    ///   - isPaused: True while the peer is not read, so that a pong could not be seen.
    package mutating func sweep(
        _ now: ContinuousClock.Instant, silence: Duration, isPaused: Bool
    ) -> [Action] {
        if case .awaitingClose(let deadline) = phase, now >= deadline {
            phase = .ended
            return [.closeGracefully(within: nil)]
        }
        guard phase != .ended, !isPaused else { return [] }
        if let pingSent { return now - pingSent >= pongTime ? [.close] : [] }
        guard isOpen, silence >= pingInterval else { return [] }
        pingSent = now
        return [.sendPing]
    }
}

/// Close code 1005: the close frame had none; never sent (RFC 6455 section 7.4.1).
private let noCode: UInt16 = 1005

extension WebSocketClosure {
    /// Close code 1006: the connection ended without a close frame; never sent (RFC 6455 section 7.4.1).
    fileprivate static let connectionLost = WebSocketClosure(
        code: 1006, reason: "the connection was lost", isByPeer: true)
}
