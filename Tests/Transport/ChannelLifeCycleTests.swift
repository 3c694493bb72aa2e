import Testing
import Transport

/// The life cycle of a channel, without a socket.
@Suite struct ChannelLifeCycleTests {
    private typealias Life = ChannelLifeCycle

    enum Input: CaseIterable {
        case attach, pause, resume, end, readFailure, drained, sendFailure
        /// `closeGracefully` with nothing to send, and with output that waits.
        case finish, finishSending
        case shutDown, shutDownFailure, close
    }

    enum State: CaseIterable {
        case unattached, reading, paused, inputEnded, outputFailed, broken
        case draining, drainingPaused, drainingEnded
        case closeNotify, closeNotifyPaused, closeNotifyEnded
        case lingering, lingeringPaused, closed

        /// The inputs that lead to it.
        var path: [Input] {
            switch self {
            case .unattached: []
            case .reading: [.attach]
            case .paused: [.attach, .pause]
            case .inputEnded: [.attach, .end]
            case .outputFailed: [.attach, .sendFailure]
            case .broken: [.attach, .readFailure]
            case .draining: [.attach, .finishSending]
            case .drainingPaused: [.attach, .pause, .finishSending]
            case .drainingEnded: [.attach, .end, .finishSending]
            case .closeNotify: [.attach, .finish]
            case .closeNotifyPaused: [.attach, .pause, .finish]
            case .closeNotifyEnded: [.attach, .end, .finish]
            case .lingering: [.attach, .finish, .shutDown]
            case .lingeringPaused: [.attach, .finish, .shutDown, .pause]
            case .closed: [.attach, .close]
            }
        }
    }

    /// The expected actions and the state that follows; `nil` for a state that has no name here.
    typealias Step = (actions: [ChannelLifeCycle.Action], next: State?)

    /// Every other input does nothing and changes nothing.
    static let table: [State: [Input: Step]] = [
        .unattached: [
            .attach: ([.startReading], .reading), .drained: ([.tellOutputDrained], .unattached),
            .sendFailure: ([.dropOutput, .tellPeerLeft], nil), .finish: ([.sendCloseNotify], nil),
            .finishSending: ([], nil), .close: ([.close], .closed),
        ],
        .reading: [
            .pause: ([.stopReading], .paused), .end: ([.stopReading, .tellPeerLeft], .inputEnded),
            .readFailure: ([.stopReading, .dropOutput, .tellPeerLeft], .broken),
            .drained: ([.tellOutputDrained], .reading),
            .sendFailure: ([.dropOutput, .tellPeerLeft], .outputFailed), .finish: ([.sendCloseNotify], .closeNotify),
            .finishSending: ([], .draining), .close: ([.close], .closed),
        ],
        .paused: [
            .resume: ([.startReading], .reading), .drained: ([.tellOutputDrained], .paused),
            .sendFailure: ([.dropOutput, .tellPeerLeft], nil), .finish: ([.sendCloseNotify], .closeNotifyPaused),
            .finishSending: ([], .drainingPaused), .close: ([.close], .closed),
        ],
        .inputEnded: [
            .drained: ([.tellOutputDrained], .inputEnded), .sendFailure: ([.dropOutput, .tellPeerLeft], .broken),
            .finish: ([.sendCloseNotify], .closeNotifyEnded), .finishSending: ([], .drainingEnded),
            .close: ([.close], nil),
        ],
        .outputFailed: [
            .pause: ([.stopReading], nil), .end: ([.stopReading, .tellPeerLeft], .broken),
            .readFailure: ([.stopReading, .dropOutput, .tellPeerLeft], .broken),
            .drained: ([.tellOutputDrained], .outputFailed),
            .sendFailure: ([.dropOutput, .tellPeerLeft], .outputFailed), .finish: ([.close], nil),
            .finishSending: ([], nil), .close: ([.close], nil),
        ],
        .broken: [
            .drained: ([.tellOutputDrained], .broken), .sendFailure: ([.dropOutput, .tellPeerLeft], .broken),
            .finish: ([.close], nil), .finishSending: ([], nil), .close: ([.close], nil),
        ],
        .draining: [
            .pause: ([.stopReading], .drainingPaused), .end: ([.stopReading, .tellPeerLeft], .drainingEnded),
            .readFailure: ([.stopReading, .close], nil), .drained: ([.sendCloseNotify], .closeNotify),
            .sendFailure: ([.close], nil), .close: ([.close], .closed),
        ],
        .drainingPaused: [
            .resume: ([.startReading], .draining), .drained: ([.sendCloseNotify], .closeNotifyPaused),
            .sendFailure: ([.close], nil), .close: ([.close], .closed),
        ],
        .drainingEnded: [
            .drained: ([.sendCloseNotify], .closeNotifyEnded), .sendFailure: ([.close], nil), .close: ([.close], nil),
        ],
        .closeNotify: [
            .pause: ([.stopReading], .closeNotifyPaused), .end: ([.stopReading, .tellPeerLeft], .closeNotifyEnded),
            .readFailure: ([.stopReading, .close], nil), .drained: ([.shutDownWriting], .closeNotify),
            .sendFailure: ([.close], nil), .shutDown: ([], .lingering), .shutDownFailure: ([.close], .closed),
            .close: ([.close], .closed),
        ],
        .closeNotifyPaused: [
            .resume: ([.startReading], .closeNotify), .drained: ([.shutDownWriting], .closeNotifyPaused),
            .sendFailure: ([.close], nil), .shutDown: ([.startReading], .lingering),
            .shutDownFailure: ([.close], .closed), .close: ([.close], .closed),
        ],
        .closeNotifyEnded: [
            .drained: ([.close], nil), .sendFailure: ([.close], nil), .shutDown: ([], nil),
            .shutDownFailure: ([.close], nil), .close: ([.close], nil),
        ],
        .lingering: [
            .pause: ([.stopReading], .lingeringPaused), .end: ([.stopReading, .close], nil),
            .readFailure: ([.stopReading, .close], nil), .sendFailure: ([.dropOutput, .tellPeerLeft], nil),
            .close: ([.close], .closed),
        ],
        .lingeringPaused: [
            .resume: ([.startReading], .lingering), .sendFailure: ([.dropOutput, .tellPeerLeft], nil),
            .close: ([.close], .closed),
        ],
        .closed: [:],
    ]

    private let start = ContinuousClock.now
    private let limits = ServerLimits()

    private func apply(_ input: Input, to life: inout ChannelLifeCycle) -> [ChannelLifeCycle.Action] {
        switch input {
        case .attach: life.attach()
        case .pause: life.pauseReading()
        case .resume: life.resumeReading()
        case .end: life.inputEnded(isFailure: false)
        case .readFailure: life.inputEnded(isFailure: true)
        case .drained: life.outputDrained()
        case .sendFailure: life.outputFailed()
        case .finish: life.closeGracefully(within: nil, isSending: false, at: start)
        case .finishSending: life.closeGracefully(within: nil, isSending: true, at: start)
        case .shutDown: life.shutDown(isFailure: false, at: start)
        case .shutDownFailure: life.shutDown(isFailure: true, at: start)
        case .close: life.close()
        }
    }

    private func life(in state: State) -> ChannelLifeCycle {
        var life = ChannelLifeCycle(limits: limits, at: start)
        for input in state.path { _ = apply(input, to: &life) }
        return life
    }

    @Test(arguments: State.allCases) func eachInputInEachState(state: State) throws {
        let row = try #require(Self.table[state])
        for input in Input.allCases {
            var life = life(in: state)
            let expected = row[input] ?? ([], state)
            #expect(apply(input, to: &life) == expected.actions, "\(input)")
            if let next = expected.next { #expect(life == self.life(in: next), "\(input)") }
            #expect(life.isOpen || !life.maySend)
        }
    }

    /// Whatever comes before it, a channel is closed once, and nothing follows.
    @Test(arguments: State.allCases) func aChannelClosesOnce(state: State) {
        for first in Input.allCases {
            for second in Input.allCases {
                var life = life(in: state)
                let closed = apply(first, to: &life) + apply(second, to: &life) + apply(.close, to: &life)
                #expect(closed.filter { $0 == .close }.count == (state == .closed ? 0 : 1), "\(first), \(second)")
                for input in Input.allCases { #expect(apply(input, to: &life) == [], "\(first), \(second), \(input)") }
                #expect(life.sweep(start + .seconds(100_000), isSending: true) == [])
            }
        }
    }

    @Test(arguments: State.allCases) func onlyAnOpenChannelDelivers(state: State) {
        var life = life(in: state)
        let isOpen = [.unattached, .reading, .paused, .inputEnded, .outputFailed, .broken].contains(state)
        #expect(life.received(at: start) == isOpen)
        #expect(life.isOpen == isOpen)
        #expect(life.maySend == (isOpen && state != .outputFailed && state != .broken))
    }

    @Test(arguments: State.allCases) func readingIsPausedOrEnded(state: State) {
        let life = life(in: state)
        let reading: [State] = [.reading, .outputFailed, .draining, .closeNotify, .lingering]
        #expect(life.isReading == reading.contains(state))
        #expect(life.isPaused == [.paused, .drainingPaused, .closeNotifyPaused, .lingeringPaused].contains(state))
        #expect(life.inputHasEnded == [.inputEnded, .broken, .drainingEnded, .closeNotifyEnded].contains(state))
        #expect(life.outputHasFailed == [.outputFailed, .broken].contains(state))
    }

    // MARK: Times

    @Test(arguments: State.allCases) func outputThatTheKernelDoesNotTakeEndsTheChannel(state: State) {
        var life = life(in: state)
        let isLingering = state == .lingering || state == .lingeringPaused
        let isPaused = [.paused, .drainingPaused, .closeNotifyPaused].contains(state)
        let latest = start + limits.writeStallTime
        if !isLingering {
            #expect(life.sweep(latest, isSending: true) == (isPaused ? [.checkForHangUp] : []))
            #expect(life.sweep(latest + .seconds(1), isSending: false) == (isPaused ? [.checkForHangUp] : []))
        }
        var moving = life
        moving.progressed(at: latest)
        if !isLingering { #expect(moving.sweep(latest + .seconds(1), isSending: true).contains(.close) == false) }
        #expect(life.sweep(latest + .milliseconds(1), isSending: true) == (state == .closed ? [] : [.close]))
    }

    @Test(arguments: [State.lingering, .lingeringPaused]) func aPeerThatDoesNotCloseIsClosed(state: State) {
        var life = life(in: state)
        let before = life.sweep(start + limits.closeTime - .milliseconds(1), isSending: false)
        #expect(before == (state == .lingering ? [] : [.checkForHangUp]))
        #expect(life.sweep(start + limits.closeTime, isSending: false) == [.close])
        #expect(life.sweep(start + limits.closeTime, isSending: false) == [])
    }

    @Test func aLimitHoldsForTheOutputAndForThePeersEnd() {
        var life = life(in: .reading)
        #expect(life.closeGracefully(within: .seconds(10), isSending: true, at: start) == [])
        #expect(life.closeGracefully(within: nil, isSending: false, at: start) == [], "the first limit counts")
        #expect(life.sweep(start + .milliseconds(9999), isSending: true) == [])
        var late = life
        #expect(late.sweep(start + .seconds(10), isSending: true) == [.close])
        #expect(life.outputDrained() == [.sendCloseNotify])
        #expect(life.outputDrained() == [.shutDownWriting])
        #expect(life.shutDown(isFailure: false, at: start + .seconds(9)) == [])
        #expect(life.sweep(start + .milliseconds(9999), isSending: false) == [])
        #expect(life.sweep(start + .seconds(10), isSending: false) == [.close], "not the whole close time")
    }

    @Test func aPeersSilenceIsCounted() {
        var life = life(in: .reading)
        #expect(life.silence(at: start + .seconds(5)) == .seconds(5))
        _ = life.received(at: start + .seconds(3))
        #expect(life.silence(at: start + .seconds(5)) == .seconds(2))
    }
}
