import Core
import OrderedJSON
import TestSupport
import Testing

/// A restart may end thousands of requests at one time. They end in slices, so that other calls are answered between.
@Suite struct DueSliceTests {
    private static let count = 3 * BrokerState.dueAtOnce + 1

    private static func open(_ change: (inout PermissionRequest) -> Void = { _ in }) -> [PermissionRequest] {
        (0..<count).map { number in
            var request = PermissionRequest(
                id: "r_\(number)", toolUseID: "t_\(number)", sessionID: "s\(number % 3)", event: .preToolUse,
                tool: .claude("Bash"), input: KeptJSON(["command": .string("touch \(number)")]), cwd: "/p",
                patterns: ["Bash(touch)"], createdAt: Timestamp(milliseconds: 1_000_000),
                deadline: Timestamp(milliseconds: 1_060_000), due: Uptime(milliseconds: 1_060_000),
                relayToken: "token_\(number)")
            change(&request)
            return request
        }
    }

    /// Works off everything that is due; returns the number of ends of each slice.
    private static func slices(_ stage: inout Stage) -> [Int] {
        var slices: [Int] = []
        while let wake = stage.state.nextWake(), wake <= stage.now.uptime {
            let before = stage.ends.count
            let effects = stage.state.timePassed(at: stage.now)
            expectWrittenBeforeTold(effects)
            stage.perform(effects)
            slices.append(stage.ends.count - before)
            guard slices.count <= count else { break }
        }
        return slices
    }

    private static func expectWrittenBeforeTold(_ effects: [BrokerEffect]) {
        var written: Set<String> = []
        for effect in effects {
            switch effect {
            case .append(let changes):
                for case .request(let request) in changes where !request.isOpen { written.insert(request.id) }
            case .publish(let event):
                guard case .permissionResolved(let request, _, _) = event.body else { continue }
                #expect(written.contains(request.id), "told before it is written")
            default: continue
            }
        }
    }

    private static var expected: [Int] { Array(repeating: BrokerState.dueAtOnce, count: 3) + [1] }

    @Test func unclaimedCallsEndInSlices() {
        var stage = Stage.restarted(Self.open(), at: Instant(milliseconds: 1_001_000))
        stage.now = stage.now + 10
        let slices = Self.slices(&stage)
        #expect(slices.filter { $0 > 0 } == Self.expected)
        #expect(stage.ends == Array(repeating: "pass by lost", count: Self.count) && stage.pending.isEmpty)
    }

    /// A call that comes meanwhile does not end the rest of them first, and a relay that comes in time for its slice has
    /// its call still.
    @Test func callsAreTakenBetweenTwoSlices() {
        var stage = Stage.restarted(Self.open(), at: Instant(milliseconds: 1_001_000))
        stage.now = stage.now + 10
        let call = HookCall.local(.bash("touch new", id: "new", session: "s9"), from: HookSource())
        stage.perform(stage.state.catchUp(before: call, at: stage.now))
        #expect(stage.ends.count == BrokerState.dueAtOnce)
        let held = stage.send(.bash("touch new", id: "new", session: "s9"))
        #expect(stage.answers[held] == nil && stage.holds[held] != nil)
        _ = Self.slices(&stage)
        #expect(stage.ends.count == Self.count && stage.pending.count == 1)
    }

    @Test func answersThatNobodyHeardAreLostInSlices() {
        let answered = Self.open { request in
            request.resolution = Resolution(
                decision: .deny, resolver: .local, reason: "denied", at: Timestamp(milliseconds: 1_000_500),
                isConfirmed: false)
        }
        var stage = Stage.restarted(answered, at: Instant(milliseconds: 1_001_000))
        stage.now = stage.now + 10
        #expect(Self.slices(&stage).filter { $0 > 0 } == Self.expected)
        #expect(stage.ends == Array(repeating: "corrected: pass by lost", count: Self.count))
    }

    /// Deadlines that passed while no daemon ran: the start ends some, and no rule allows the others meanwhile.
    @Test func aStartEndsOneSlice() {
        let over = Instant(milliseconds: 1_100_000)
        let rules = (0..<3).map {
            SessionRule(
                id: "rule_\($0)", sessionID: "s\($0)", effect: .allow, pattern: "Bash(touch)", createdAt: over.wall,
                grantedBy: "local", requestID: "r_0")
        }
        let sessions = (0..<3).map { ExternalSession.live("s\($0)") }
        var stage = Stage()
        stage.now = over
        stage.perform(
            stage.state.restore(Remembered(requests: Self.open(), rules: rules, sessions: sessions), at: over))
        #expect(stage.ends.count == BrokerState.dueAtOnce)
        _ = Self.slices(&stage)
        #expect(stage.ends == Array(repeating: "ask by timeout", count: Self.count))
    }
}
