import Testing
import Transport
import Wire

/// The life cycle of a WebSocket, without a socket.
@Suite struct WebSocketLifeCycleTests {
    enum Input: CaseIterable {
        case text, binary, ping, pong, peerClose, peerCloseWithoutCode, violation, decoded
        case peerLeft, closed
        /// `close` by us, a frame for a peer that reads too slowly, and the end of writing a close frame.
        case close, tooMuchOutput, closeWritten
        /// The sweep after `pingInterval` without a byte.
        case silence
    }

    enum State: CaseIterable {
        case open, pingReceived, pingSent
        /// The frame is being written: of our own close, of the answer to the peer's, of the end of a slow client.
        case closing, answering, refusing
        case awaitingClose, ended

        /// The inputs that lead to it.
        var path: [Input] {
            switch self {
            case .open: []
            case .pingReceived: [.ping]
            case .pingSent: [.silence]
            case .closing: [.close]
            case .answering: [.peerClose]
            case .refusing: [.tooMuchOutput]
            case .awaitingClose: [.close, .closeWritten]
            case .ended: [.peerLeft]
            }
        }
    }

    /// The expected actions, the items that the session gets, and the state that follows; `nil` for a state that has no
    /// name here.
    typealias Step = (actions: [WebSocketLifeCycle.Action], heard: [WebSocketInbox.Item], next: State?)
    typealias Row = [Input: Step]

    private static let limits = ServerLimits()
    private static let slow = "more than \(limits.outputBytes) bytes waited for you; reconnect and catch up"
    private static let lost = WebSocketInbox.Item.closed(
        WebSocketClosure(code: 1006, reason: "the connection was lost", isByPeer: true))

    private static func closed(_ code: UInt16, _ reason: String, byPeer: Bool) -> WebSocketInbox.Item {
        .closed(WebSocketClosure(code: code, reason: reason, isByPeer: byPeer))
    }

    private static func open(_ state: State) -> Row {
        [
            .text: ([.startDelivery], [.message(.text("a"))], state),
            .binary: ([.startDelivery], [.message(.binary([7]))], state),
            .ping: ([], [], state == .open ? .pingReceived : nil),
            .peerClose: ([.sendClose(code: 1000, reason: "bye")], [], state == .open ? .answering : nil),
            .peerCloseWithoutCode: ([.sendClose(code: nil, reason: "")], [], nil),
            .violation: ([.sendClose(code: 1002, reason: "bad frame")], [], nil),
            .peerLeft: ([.startDelivery, .closeGracefully(within: nil)], [lost], state == .open ? .ended : nil),
            .closed: ([.startDelivery], [lost], state == .open ? .ended : nil),
            .close: ([.sendClose(code: 1008, reason: "enough")], [], state == .open ? .closing : nil),
            .tooMuchOutput: (
                [.dropUnsent, .sendClose(code: 1013, reason: slow)], [], state == .open ? .refusing : nil
            ),
            .silence: ([.sendPing], [], state == .open ? .pingSent : nil),
        ]
    }

    /// While a close frame is being written nothing is decoded; the write itself may show that the peer is gone.
    private static func writing(_ state: State, then step: Step) -> Row {
        [
            .text: ([.startDelivery], [.message(.text("a"))], state),
            .binary: ([.startDelivery], [.message(.binary([7]))], state),
            .ping: ([], [], nil), .closeWritten: step,
            .peerLeft: ([.startDelivery, .closeGracefully(within: nil)], [lost], .ended),
            .closed: ([.startDelivery], [lost], .ended),
        ]
    }

    /// Every other input does nothing and changes nothing.
    private static let table: [State: Row] = [
        .open: open(.open),
        .pingReceived: open(.pingReceived).merging([.decoded: ([.sendPong([1])], [], .open)]) { $1 },
        .pingSent: open(.pingSent).merging([.silence: ([], [], .pingSent), .decoded: ([], [], .open)]) { $1 },
        .closing: writing(
            .closing, then: ([.startDelivery], [closed(1008, "enough", byPeer: false)], .awaitingClose)),
        .answering: writing(
            .answering,
            then: ([.startDelivery, .closeGracefully(within: nil)], [closed(1000, "bye", byPeer: true)], .ended)),
        .refusing: writing(
            .refusing,
            then: (
                [.startDelivery, .closeGracefully(within: limits.slowClientTime)],
                [closed(1013, slow, byPeer: false)], .ended
            )),
        .awaitingClose: [
            .ping: ([], [], nil), .peerClose: ([.closeGracefully(within: nil)], [], .ended),
            .peerCloseWithoutCode: ([.closeGracefully(within: nil)], [], .ended),
            .violation: ([.closeGracefully(within: nil)], [], .ended),
            .peerLeft: ([.closeGracefully(within: nil)], [], .ended), .closed: ([], [], .ended),
        ],
        .ended: [.ping: ([], [], nil)],
    ]

    private let start = ContinuousClock.now
    private let limits = Self.limits

    private func apply(_ input: Input, to life: inout WebSocketLifeCycle) -> [WebSocketLifeCycle.Action] {
        switch input {
        case .text: life.received(.text("a"))
        case .binary: life.received(.binary([7]))
        case .ping: life.received(.ping([1]))
        case .pong: life.received(.pong([]))
        case .peerClose: life.received(.close(code: 1000, reason: "bye"))
        case .peerCloseWithoutCode: life.received(.close(code: nil, reason: ""))
        case .violation: life.received(.failure(closeCode: 1002, "bad frame"))
        case .decoded: life.decoded()
        case .peerLeft: life.peerLeft()
        case .closed: life.closed()
        case .close: life.close(code: 1008, reason: "enough", at: start)
        case .tooMuchOutput: life.refusal(ofFrame: limits.outputBytes, behind: 1) ?? []
        case .closeWritten: life.closeWritten()
        case .silence: life.sweep(start, silence: limits.pingInterval, isPaused: false)
        }
    }

    /// Handles everything in the inbox and returns it.
    private func deliver(_ life: inout WebSocketLifeCycle) -> [WebSocketInbox.Item] {
        var heard: [WebSocketInbox.Item] = []
        while let batch = life.nextBatch() {
            for case .message(let message) in batch { life.handled(message) }
            heard += batch
        }
        return heard
    }

    private func life(in state: State) -> WebSocketLifeCycle {
        var life = WebSocketLifeCycle(limits: limits)
        #expect(life.opened() == [.startDelivery])
        for input in state.path { _ = apply(input, to: &life) }
        #expect(deliver(&life).first == .opened)
        return life
    }

    @Test(arguments: State.allCases) func eachInputInEachState(state: State) throws {
        let row = try #require(Self.table[state])
        for input in Input.allCases {
            var life = life(in: state)
            let expected = row[input] ?? ([], [], state)
            #expect(apply(input, to: &life) == expected.actions, "\(input)")
            #expect(deliver(&life) == expected.heard, "\(input)")
            if let next = expected.next { #expect(life == self.life(in: next), "\(input)") }
        }
    }

    /// Whatever comes, the session hears of one end, and of nothing behind it.
    @Test(arguments: State.allCases) func theSessionHearsOfOneEnd(state: State) {
        for first in Input.allCases {
            for second in Input.allCases {
                var life = WebSocketLifeCycle(limits: limits)
                for input in state.path + [first, second, .closed] + Input.allCases { _ = apply(input, to: &life) }
                let ends = deliver(&life).map { if case .closed = $0 { true } else { false } }
                #expect(ends.filter { $0 }.count == 1 && ends.last == true, "\(first), \(second)")
            }
        }
    }

    @Test func aClosureTellsWhoClosedAndWhy() {
        let closures: [(Input, WebSocketInbox.Item)] = [
            (.peerCloseWithoutCode, Self.closed(1005, "", byPeer: true)),
            (.violation, Self.closed(1002, "bad frame", byPeer: false)),
        ]
        for (input, expected) in closures {
            var life = life(in: .open)
            _ = apply(input, to: &life)
            #expect(life.closeWritten() == [.startDelivery, .closeGracefully(within: nil)])
            #expect(deliver(&life) == [expected])
        }
    }

    @Test func ofPingsThatCameTogetherTheLastIsAnswered() {
        var life = life(in: .open)
        for number in 1...3 { #expect(life.received(.ping([UInt8(number)])) == []) }
        #expect(life.decoded() == [.sendPong([3])])
        #expect(life.decoded() == [], "once")
        _ = life.received(.ping([4]))
        _ = life.received(.close(code: 1000, reason: ""))
        #expect(life.decoded() == [], "nothing is sent behind a close frame")
    }
}
