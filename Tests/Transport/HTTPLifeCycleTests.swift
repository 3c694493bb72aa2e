import Testing
import Transport

/// The life cycle of an HTTP connection, without a socket.
@Suite struct HTTPLifeCycleTests {
    private let start = ContinuousClock.now
    private let limits = ServerLimits()

    private var fresh: HTTPLifeCycle { HTTPLifeCycle(limits: limits, at: start) }

    /// One whose request is being answered.
    private var answering: HTTPLifeCycle {
        var life = fresh
        _ = life.mayAdvance(isSending: false)
        _ = life.began()
        return life
    }

    @Test func oneRequestIsAnsweredAtATime() {
        var life = fresh
        #expect(life.received(10, isSending: false) == [.advance])
        #expect(life.mayAdvance(isSending: false) == true)
        #expect(life.began() == [])
        #expect(life.mayAdvance(isSending: false) == false, "the next one waits")
        #expect(life.received(10, isSending: false) == [])
        #expect(life.outputDrained() == [], "an interim answer was sent")
        #expect(life.answered(keepAlive: true, at: start) == true)
        let next = life.handedOver(keepAlive: true, isSending: false)
        #expect(next == [.awaitRequest, .resumeReading, .advance])
        #expect(life.mayAdvance(isSending: false) == true)
    }

    @Test func anAnswerOnItsWayHoldsTheNextRequest() {
        var life = answering
        #expect(life.answered(keepAlive: true, at: start) == true)
        #expect(life.handedOver(keepAlive: true, isSending: true) == [.awaitRequest])
        #expect(life.mayAdvance(isSending: true) == false)
        #expect(life.received(10, isSending: true) == [])
        #expect(life.outputDrained() == [.resumeReading, .advance])
    }

    @Test func aPeerThatSendsTooFarAheadIsNotRead() {
        var life = answering
        #expect(life.received(limits.readAheadBytes - 1, isSending: false) == [])
        #expect(life.received(1, isSending: false) == [.pauseReading])
        _ = life.answered(keepAlive: true, at: start)
        #expect(life.mayAdvance(isSending: false) == true)
        _ = life.began()
        #expect(life.received(limits.readAheadBytes - 1, isSending: false) == [], "it is counted anew")
    }

    @Test func aPeerThatLeavesCancelsItsRequest() {
        var life = answering
        #expect(life.peerLeft() == [.cancelRequest, .advance])
        var early = fresh
        #expect(early.peerLeft() == [.advance], "what it sent before still counts")
        #expect(early.mayAdvance(isSending: false) == true)
        #expect(early.began() == [.cancelRequest])
    }

    @Test func anEndedConnectionAnswersNothing() {
        var life = answering
        life.ended()
        #expect(!life.isAnswering)
        #expect(life.peerLeft() == [.advance], "there is no request to cancel")
        #expect(life.stop(isHeld: false, isSending: false) == [.close])
    }

    @Test func contentInPiecesEndsWhenTheServerStops() {
        var life = answering
        #expect(life.beganContent() == [])
        #expect(life.stop(isHeld: false, isSending: true) == [.endContent])
        #expect(life.answered(keepAlive: true, at: start) == false)
        var late = answering
        _ = late.stop(isHeld: false, isSending: false)
        #expect(late.beganContent() == [.endContent], "the stop came before it")
    }

    @Test func theEndOfTheInputClosesOnceEverythingIsAnswered() {
        var life = fresh
        #expect(life.mayAdvance(isSending: false) == true)
        #expect(life.needsMore(isMidRequest: true, inputEnded: true, at: start) == [.closeGracefully])
    }

    @Test func aConnectionMustBeUsed() {
        let life = fresh
        #expect(life.sweep(start + limits.requestTime - .seconds(1), isSending: false) == [])
        #expect(life.sweep(start + limits.requestTime, isSending: false) == [.closeGracefully])
        #expect(life.sweep(start + limits.requestTime, isSending: true) == [], "the channel looks after what it sends")
    }

    /// A byte now and then wins no time.
    @Test func aRequestMustBeWholeInTime() {
        var life = fresh
        #expect(life.needsMore(isMidRequest: true, inputEnded: false, at: start + .seconds(5)) == [])
        #expect(life.needsMore(isMidRequest: true, inputEnded: false, at: start + .seconds(9)) == [])
        let latest = start + .seconds(5) + limits.requestTime
        #expect(life.sweep(latest - .seconds(1), isSending: false) == [])
        #expect(life.sweep(latest, isSending: false) == [.refuseLateRequest])
    }

    @Test func betweenTwoRequestsItMayIdle() {
        var life = answering
        #expect(life.sweep(start + .seconds(100_000), isSending: false) == [], "an answer may take long")
        _ = life.answered(keepAlive: true, at: start)
        #expect(life.sweep(start + limits.idleTime - .seconds(1), isSending: false) == [])
        #expect(life.sweep(start + limits.idleTime, isSending: false) == [.closeGracefully])
    }

    @Test func whatIsNotKeptAliveIsClosed() {
        var life = answering
        #expect(life.answered(keepAlive: false, at: start) == false)
        #expect(life.handedOver(keepAlive: false, isSending: false) == [.closeGracefully])
    }

    static let stops: [(isAnswering: Bool, isHeld: Bool, isSending: Bool, expected: [HTTPLifeCycle.Action])] = [
        (false, false, false, [.close]), (false, false, true, [.closeGracefully]), (true, false, false, []),
        (true, true, false, [.close]),
    ]

    @Test(arguments: stops)
    func aStopFinishesWhatIsBeingAnswered(
        isAnswering: Bool, isHeld: Bool, isSending: Bool, expected: [HTTPLifeCycle.Action]
    ) {
        var life = isAnswering ? answering : fresh
        #expect(life.stop(isHeld: isHeld, isSending: isSending) == expected)
        #expect(life.isStopping)
        #expect(life.answered(keepAlive: true, at: start) == false, "the last answer on this connection")
    }
}
