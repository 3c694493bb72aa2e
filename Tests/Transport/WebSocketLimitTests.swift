import Testing
import Transport
import Wire

/// What a WebSocket does at each limit of time, bytes and messages, without a socket.
@Suite struct WebSocketLimitTests {
    private let start = ContinuousClock.now
    private let limits = ServerLimits()
    private let step = Duration.milliseconds(1)

    private func life(_ path: (inout WebSocketLifeCycle) -> Void = { _ in }) -> WebSocketLifeCycle {
        var life = WebSocketLifeCycle(limits: limits)
        _ = life.opened()
        while life.nextBatch() != nil {}
        path(&life)
        return life
    }

    private func sweep(
        _ life: WebSocketLifeCycle, after time: Duration, silence: Duration? = nil, isPaused: Bool = false
    ) -> [WebSocketLifeCycle.Action] {
        var life = life
        return life.sweep(start + time, silence: silence ?? time, isPaused: isPaused)
    }

    // MARK: Times

    @Test func aSilentPeerIsAskedOnceAndThenClosed() {
        var life = life()
        #expect(sweep(life, after: limits.pingInterval - step) == [])
        #expect(sweep(life, after: .seconds(9000), silence: limits.pingInterval - step) == [])
        #expect(sweep(life, after: limits.pingInterval, isPaused: true) == [], "it is not listened to")
        #expect(life.sweep(start, silence: limits.pingInterval, isPaused: false) == [.sendPing])
        #expect(sweep(life, after: limits.pongTime - step) == [], "one ping is enough")
        #expect(sweep(life, after: limits.pongTime) == [.close])
        #expect(sweep(life, after: limits.pongTime, isPaused: true) == [], "the pong may be there, unread")
    }

    /// Any byte shows that the peer is there, and a pong that nobody asked for is no more than a byte.
    @Test func bytesAnswerAPing() {
        var life = life { _ = $0.sweep(start, silence: limits.pingInterval, isPaused: false) }
        #expect(life.decoded() == [])
        #expect(sweep(life, after: limits.pongTime, silence: .zero) == [])
        #expect(life.received(.pong([1])) == [])
        #expect(life.decoded() == [])
        #expect(sweep(life, after: limits.pongTime, silence: limits.pingInterval) == [.sendPing])
    }

    @Test func aPeerThatDoesNotAnswerACloseIsClosed() {
        let life = life {
            _ = $0.close(code: 1000, reason: "", at: start)
            _ = $0.closeWritten()
        }
        #expect(sweep(life, after: limits.closeTime - step) == [])
        #expect(sweep(life, after: limits.closeTime) == [.closeGracefully(within: nil)])
        let late = sweep(life, after: limits.closeTime, isPaused: true)
        #expect(late == [.closeGracefully(within: nil)], "a session that is stuck does not keep its connection open")
        #expect(sweep(life, after: .zero, silence: limits.pingInterval) == [], "no ping behind a close frame")
    }

    @Test func aPingBeforeTheCloseIsStillWaitedFor() {
        let life = life {
            _ = $0.sweep(start - limits.pongTime, silence: limits.pingInterval, isPaused: false)
            _ = $0.close(code: 1000, reason: "", at: start)
            _ = $0.closeWritten()
        }
        #expect(sweep(life, after: .zero - step) == [])
        #expect(sweep(life, after: .zero) == [.close])
    }

    @Test func anEndedConnectionHasNoTimes() {
        let ended = [
            life { _ = $0.peerLeft() }, life { _ = $0.closed() },
            life {
                _ = $0.sweep(start, silence: limits.pingInterval, isPaused: false)
                _ = $0.received(.close(code: nil, reason: ""))
                _ = $0.closeWritten()
            },
            life {
                _ = $0.close(code: 1000, reason: "", at: start)
                _ = $0.closeWritten()
                _ = $0.sweep(start + limits.closeTime, silence: .zero, isPaused: false)
            },
        ]
        for life in ended { #expect(sweep(life, after: .seconds(100_000)) == []) }
    }

    // MARK: Output

    @Test(arguments: [
        (count: 1, queued: 0, mayBeWritten: true), (1 << 40, 0, true), (1, ServerLimits().outputBytes - 1, true),
        (2, ServerLimits().outputBytes - 1, false), (0, ServerLimits().outputBytes + 1, false),
    ])
    func oneFrameMayAlwaysWait(count: Int, queued: Int, mayBeWritten: Bool) {
        var life = life()
        let isWritten = life.refusal(ofFrame: count, behind: queued) == nil
        #expect(isWritten == mayBeWritten)
        #expect((life.closeWritten() == []) == mayBeWritten)
    }

    @Test func nothingIsWrittenOnceAClosingHandshakeBegan() {
        for path in [
            { _ = $0.close(code: 1000, reason: "", at: start) }, { _ = $0.received(.close(code: 1000, reason: "")) },
            { _ = $0.peerLeft() }, { _ = $0.closed() },
        ] as [(inout WebSocketLifeCycle) -> Void] {
            var life = life(path)
            #expect(life.refusal(ofFrame: 1, behind: 0) == [])
            _ = life.closeWritten()
            #expect(life.refusal(ofFrame: 1, behind: 0) == [])
        }
    }

    // MARK: Input

    @Test func aPeerThatSendsTooManyMessagesIsNotRead() {
        var life = life()
        #expect(life.received(.text("1")) == [.startDelivery])
        for number in 2..<limits.readAheadMessages { #expect(life.received(.text("\(number)")) == []) }
        #expect(life.decoded() == [])
        #expect(life.received(.text("the last")) == [])
        #expect(life.decoded() == [.pauseReading])
        #expect(life.batchHandled() == [])
        let batch = life.nextBatch() ?? []
        #expect(batch.count == limits.readAheadMessages)
        #expect(life.decoded() == [], "as many again may come while these are handled")
        for case .message(let message) in batch { life.handled(message) }
        #expect(life.batchHandled() == [.resumeReading])
        #expect(life.nextBatch() == nil)
        #expect(life.received(.text("next")) == [.startDelivery])
    }

    @Test func aPeerThatSendsTooManyBytesIsNotRead() {
        var life = life()
        let large = [UInt8](repeating: 0, count: limits.readAheadBytes - 1)
        _ = life.received(.binary(large))
        #expect(life.decoded() == [])
        _ = life.received(.binary([1]))
        #expect(life.decoded() == [.pauseReading])
        #expect(life.nextBatch() == [.message(.binary(large)), .message(.binary([1]))])
        #expect(life.batchHandled() == [], "bytes count until they are handled")
        #expect(life.decoded() == [.pauseReading])
        life.handled(.binary([1]))
        #expect(life.batchHandled() == [.resumeReading])
    }

    @Test func aPingIsAnsweredAlthoughNoMoreIsRead() {
        var life = life()
        _ = life.received(.binary([UInt8](repeating: 0, count: limits.readAheadBytes)))
        _ = life.received(.ping([5]))
        #expect(life.decoded() == [.sendPong([5]), .pauseReading])
    }

    @Test func oneDeliveryRunsAtATime() {
        var inbox = WebSocketInbox(limits: limits)
        #expect(inbox.open() == true)
        #expect(inbox.add(.text("1")) == false, "the delivery that was started takes it along")
        #expect(inbox.nextBatch() == [.opened, .message(.text("1"))])
        #expect(inbox.add(.text("2")) == false)
        #expect(inbox.nextBatch() == [.message(.text("2"))])
        #expect(inbox.nextBatch() == nil)
        let end = WebSocketClosure(code: 1000, reason: "", isByPeer: true)
        #expect(inbox.end(end) == true)
        #expect(inbox.end(WebSocketClosure(code: 1001, reason: "", isByPeer: false)) == false)
        #expect(inbox.add(.text("3")) == false)
        #expect(inbox.nextBatch() == [.closed(end)])
        #expect(inbox.nextBatch() == nil)
    }
}
