/// Decides what an HTTP/1.1 connection does next: one request at a time, in order. It has no socket and no clock. The
/// connection reports what happened and performs the returned actions in their order.
package struct HTTPLifeCycle: Equatable {
    package enum Action: Equatable {
        /// Take the next request from what was received, if `mayAdvance`.
        case advance
        /// Count the connection among those whose peer may send a request at any time.
        case awaitRequest
        /// Tell the task of the request that its peer has left.
        case cancelRequest
        /// Close at once and drop the output that waits.
        case close
        case closeGracefully
        /// Tell the task of the request that the content it writes has to end.
        case endContent
        case pauseReading
        /// Answer 408 and close: the request was not complete in time.
        case refuseLateRequest
        case resumeReading
    }

    private let requestTime: Duration
    private let idleTime: Duration
    private let readAheadLimit: Int
    package private(set) var isAnswering = false
    private var isStreaming = false
    private var peerHasLeft = false
    package private(set) var isStopping = false
    /// The time by which the next request must have begun or, once it has begun, be complete; `nil` while a request is
    /// being answered.
    private var deadline: ContinuousClock.Instant?
    private var isMidRequest = false
    /// Bytes that were received while the next request had to wait.
    private var readAhead = 0

    package init(limits: ServerLimits, at now: ContinuousClock.Instant) {
        requestTime = limits.requestTime
        idleTime = limits.idleTime
        readAheadLimit = limits.readAheadBytes
        deadline = now + requestTime
    }

    /// - Parameter isSending: True while bytes of an earlier answer wait for the peer.
    package mutating func received(_ count: Int, isSending: Bool) -> [Action] {
        guard isAnswering || isSending else { return [.advance] }
        readAhead += count
        return readAhead >= readAheadLimit ? [.pauseReading] : []
    }

    /// Returns true if the next request may be taken; the connection then calls `began` or `needsMore`.
    package mutating func mayAdvance(isSending: Bool) -> Bool {
        guard !isAnswering, !isSending else { return false }
        readAhead = 0
        return true
    }

    /// A request was received completely and is being answered from now on.
    package mutating func began() -> [Action] {
        (isAnswering, isMidRequest, deadline) = (true, false, nil)
        return peerHasLeft ? [.cancelRequest] : []
    }

    /// Everything that was received has been parsed, and no further request is complete.
    /// - Parameter isMidRequest: True if a part of a request was received.
    package mutating func needsMore(isMidRequest: Bool, inputEnded: Bool, at now: ContinuousClock.Instant) -> [Action] {
        if inputEnded { return [.closeGracefully] }
        if isMidRequest, !self.isMidRequest {
            self.isMidRequest = true
            deadline = now + requestTime
        }
        return []
    }

    /// The head of the answer is sent, and its content follows in pieces.
    package mutating func beganContent() -> [Action] {
        isStreaming = true
        return isStopping ? [.endContent] : []
    }

    /// The answer is known. Returns true if the connection stays open after it was sent.
    package mutating func answered(keepAlive: Bool, at now: ContinuousClock.Instant) -> Bool {
        (isAnswering, isStreaming) = (false, false)
        deadline = now + idleTime
        return keepAlive && !isStopping
    }

    /// The answer was handed to the channel, which is still open.
    package func handedOver(keepAlive: Bool, isSending: Bool) -> [Action] {
        guard keepAlive else { return [.closeGracefully] }
        return isSending ? [.awaitRequest] : [.awaitRequest, .resumeReading, .advance]
    }

    /// The peer has taken everything that was sent.
    package func outputDrained() -> [Action] {
        isAnswering ? [] : [.resumeReading, .advance]
    }

    package mutating func peerLeft() -> [Action] {
        peerHasLeft = true
        return isAnswering ? [.cancelRequest, .advance] : [.advance]
    }

    /// The connection is a WebSocket's now, or its channel is closed.
    package mutating func ended() {
        isAnswering = false
    }

    /// Applies the time limits.
    package func sweep(_ now: ContinuousClock.Instant, isSending: Bool) -> [Action] {
        guard let deadline, now >= deadline, !isSending else { return [] }
        return isMidRequest ? [.refuseLateRequest] : [.closeGracefully]
    }

    /// The server stops. An answer in progress is finished, and streamed content is told to end; a held request stays
    /// unanswered, so that its caller asks the next daemon.
    package mutating func stop(isHeld: Bool, isSending: Bool) -> [Action] {
        isStopping = true
        if isAnswering { return isHeld ? [.close] : isStreaming ? [.endContent] : [] }
        return isSending ? [.closeGracefully] : [.close]
    }
}
