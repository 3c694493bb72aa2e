import Core
import OrderedJSON
import TestSupport
import Testing

/// What anybody on this machine may send has a ceiling, and a stated behaviour there.
@Suite struct CeilingTests {
    private static let stranger = HookSource(isVerified: false)
    private static let megabyte = String(repeating: "x", count: 1 << 20)

    private func write(_ number: Int, _ name: HookEventName = .preToolUse, session: String = "s1") -> AgentEvent {
        let input: JSON = ["file_path": .string("/p/\(number)"), "content": .string(Self.megabyte)]
        return .tool(name, "Write", input, id: "t\(number)", session: session)
    }

    /// All are counted, but not all announced: the rest is not to drown in them.
    @Test func anAgentThatTriesWithoutEnd() {
        var stage = Stage()
        func announced() -> Int { stage.events.count { if case .agentRefused = $0.body { true } else { false } } }
        for _ in 0..<100 { stage.perform(stage.state.refuseAgent("permission/respond", 7, at: stage.now)) }
        #expect(announced() == BrokerState.mostRefusals && stage.state.stats().agentRefusals == 100)
        stage.wait(60)
        stage.perform(stage.state.refuseAgent("pair/start", 8, at: stage.now))
        #expect(announced() == BrokerState.mostRefusals + 1)
        #expect(stage.state.stats().lastAgentRefusal?.method == "pair/start")
    }

    @Test func theSessionThatIsLeastMissedMakesRoom() {
        var stage = Stage()
        stage.send(.turn(.sessionStart, session: "mine"))
        stage.send(.bash("touch x", session: "asks"))
        for number in 0..<1500 {
            stage.now = stage.now + 1
            stage.send(.turn(.sessionStart, session: "flood \(number)"), from: Self.stranger)
        }
        let known = Set(stage.state.sessionViews(at: stage.now).map(\.session.id))
        #expect(known.count == 1002)
        #expect(known.isSuperset(of: ["asks", "flood 1499", "mine"]), "a verified one, or one that waits, stays")
        #expect(!known.contains("flood 0"))
        let ended = stage.events.filter { if case .sessionEnd = $0.body { true } else { false } }
        #expect(ended.count == 500, "each that goes is told")
    }

    /// Decisions wait while histories are written. Of those that a start would not read, none is.
    @Test func fewHistoriesAreWrittenAtATime() {
        var stage = Stage()
        for number in 0..<100 {
            stage.now = stage.now + 0.1
            stage.send(.bash("ls", session: "s\(number)"))
        }
        stage.wait(30)
        stage.appended = []
        for number in 0..<100 {
            stage.now = stage.now + 0.1
            stage.send(.tool(.preToolUse, id: "t2", session: "s\(number)", mode: .plan))
        }
        stage.wait(30)
        let rows = stage.appended.compactMap { if case .session(let session) = $0 { session } else { nil } }
        #expect(Set(rows.map(\.id)).count == 100)
        #expect(rows.filter { !$0.tools.isEmpty }.map(\.id).sorted() == (92..<100).map { "s\($0)" })
        #expect(rows.filter { !$0.tools.isEmpty }.allSatisfy { $0.tools.count == 2 })
    }

    /// Each call was compared with all others that had its id: a start took minutes for some thousands of them.
    @Test func callsThatShareAnIDTakeNoLonger() {
        let few = calls(500, withID: { _ in "same" })
        #expect(calls(5000, withID: { _ in "same" }) < 4 * max(10 * few, calls(5000, withID: { "t\($0)" })))
    }

    /// Seconds of processor time that so many held calls take.
    private func calls(_ count: Int, withID id: (Int) -> String) -> Double {
        var stage = Stage()
        let seconds = ProcessorTime.of {
            for number in 0..<count {
                let source = HookSource(relayToken: "\(number)", bodyDigest: [1])
                stage.send(.bash("touch x", id: id(number), session: "s\(number / 50)"), from: source)
            }
        }
        #expect(stage.pending.count == count)
        return seconds
    }

    @Test func strangersShareTheRoomForOpenRequests() {
        var stage = Stage()
        for number in 0..<100 {
            stage.send(.bash("touch x", id: "t\(number)", session: "s\(number)"), from: Self.stranger)
        }
        #expect(stage.pending.count == 64)
        let passed = stage.send(.bash("touch x", id: "more", session: "s more"), from: Self.stranger)
        #expect(stage.answers[passed] == [.pass])
        stage.send(.bash("touch x", id: "mine", session: "mine"))
        #expect(stage.pending.count == 65, "a verified call still has its own room")
    }

    @Test func endedRequestsAreForgottenByTheBytesTheyHold() {
        var stage = Stage()
        for number in 0..<80 {
            stage.send(write(number, session: "s\(number)"))
            stage.respond(stage.pending[0].id, .deny)
        }
        #expect(stage.respond("r_1", .deny) == .failure(.unknown(id: "r_1")))
        #expect((try? stage.respond("r_80", .deny)?.get()) != nil)
    }

    /// The fullest session forgets its calls first, so a flood in one costs the others nothing.
    @Test func aFloodOfLargeCallsForgetsItsOwn() {
        var stage = Stage()
        stage.send(write(0, session: "mine"))
        stage.respond("r_1", .allow)
        for number in 1..<100 {
            stage.send(write(number, session: "flood"))
            stage.respond(stage.pending[0].id, .deny)
            stage.send(write(number + 1000, session: "flood"))
            stage.respond(stage.pending[0].id, .allow)
        }
        let known = stage.send(write(0, .permissionRequest, session: "mine"))
        #expect(stage.answers[known] == [.allow(reason: "allowed when the call was announced", updatedInput: nil)])
        let forgotten = stage.send(write(1001, .permissionRequest, session: "flood"))
        #expect(stage.answers[forgotten] == nil, "what is forgotten is asked")
    }

    private static let large: [JSON] = [
        .object(["a": .array((0..<100_000).map { .number(JSONNumber($0)) })]),
        .object(JSONObject((0..<100_000).map { ("key \($0)", JSON.string("value")) })),
        .object(JSONObject([(megabyte, JSON.null)])),
        .string(String(repeating: "\u{301}", count: 100_000)),
    ]

    /// By index: a test's arguments are printed.
    @Test(arguments: large.indices) func theHistoryOfASessionStaysSmall(_ index: Int) {
        var stage = Stage()
        stage.send(.tool(.preToolUse, "Read", Self.large[index]))
        #expect(stage.state.sessionViews(at: stage.now)[0].session.tools[0].toolInput.footprint < 10_000)
    }
}
