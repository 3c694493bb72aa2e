import Core
import OrderedJSON

/// One order of inputs, drawn from a seed.
struct RandomOrder {
    var stage: Stage
    var random: SplitMix
    var record: Record
    var calls: [AgentCall] = []
    /// The present ids of sessions that were cleared.
    var cleared: [String: String] = [:]

    private static let inputs: [(weight: Int, send: @Sendable (inout RandomOrder) -> Void)] = [
        (18, { $0.announce() }), (8, { $0.announceTwin() }), (12, { $0.openDialog() }),
        (3, { $0.openUnannouncedDialog() }), (3, { $0.openSecondDialog() }),
        (6, { $0.postAgain() }), (5, { $0.postTwisted() }), (4, { $0.hangUp() }), (5, { $0.endTool() }),
        (2, { $0.endTurn() }), (3, { $0.endSession() }), (2, { $0.clear() }), (5, { $0.deliver() }),
        (22, { $0.respond() }),
        (5, { $0.respondWithList() }), (6, { $0.followLink() }), (3, { $0.revokeRule() }), (1, { $0.revokeDevice() }),
        (2, { $0.connectApprovers() }), (4, { $0.pass() }), (2, { $0.setGate() }), (1, { $0.setClock() }),
        (3, { $0.breakDisk() }),
        (3, { $0.killDaemon() }), (15, { $0.stage.settleCommits() }), (4, { $0.stage.settleSlice() }),
    ]

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        var policy = Policy()
        policy.confirm = ConfirmList(["Bash(\(Record.confirmed))"]) ?? ConfirmList()
        policy.gate = random.one(of: [.toolCall, .toolCall, .always, .prompt, .auto])
        policy.onTimeout = random.one(of: Policy.OnTimeout.allCases)
        policy.noApprover = random.one(of: Policy.NoApprover.allCases)
        stage = Stage(policy)
        if seed.isMultiple(of: 2) { stage.state.slice = EvaluationSlice(requests: 1) }
        stage.commitsAtOnce = false
        stage.perform(stage.state.restore(Remembered(), at: stage.now))
        stage.writeAppended()
        record = Record(name: "seed \(seed)")
    }

    mutating func step() {
        record.begin(stage)
        var left = random.int(below: Self.inputs.reduce(0) { $0 + $1.weight })
        for (weight, send) in Self.inputs {
            left -= weight
            guard left < 0 else { continue }
            send(&self)
            break
        }
        check()
    }

    /// The disk works, everything is written, and the sessions end: nothing may be open or unanswered after that.
    mutating func end() {
        record.begin(stage)
        stage.storeWorks = true
        stage.settleCommits()
        check()
        for session in stage.state.sessionViews(at: stage.now).map(\.session.id) {
            record.begin(stage)
            record.rules.endSession(session, stage.send(.turn(.sessionEnd, session: session)), at: record.step)
            stage.settleCommits()
            check()
        }
        record.checkEnd(stage)
    }

    /// What an agent heard decides what it does next.
    private mutating func check() {
        for (waiter, answer) in record.note(stage) {
            guard let call = record.asked[waiter]?.call else { continue }
            calls[call].heard = answer
            if case .allow(_, let update?) = answer { calls[call].input = update.value }
        }
    }
}

/// The clock, the disk, and the next daemon.
extension RandomOrder {
    private mutating func pass() {
        let isDay = random.isOne(in: 20)
        stage.wait(isDay ? 90_000 : Double(random.int(below: 40)))
        guard isDay else { return }
        record.rules.dayPassed()
        for index in calls.indices { calls[index].isOver = true }
    }

    private mutating func setClock() {
        let seconds = Double(random.int(below: 200_000) - 100_000)
        record.setBack += max(0, -seconds)
        stage.setClock(by: seconds)
    }

    private mutating func setGate() {
        stage.setGate(random.one(of: [nil] + Policy.Gate.allCases), session: someSession())
    }

    private mutating func breakDisk() {
        stage.storeWorks = random.isOne(in: 2)
    }

    private mutating func connectApprovers() {
        stage.state.approversChanged(to: random.int(below: 3))
    }

    /// What was told to an agent and not written is forgotten, so those calls are let go.
    private mutating func killDaemon() {
        record.daemonEnded(stage)
        stage.kill()
        stage.writeAppended()
        record.rules.daemonBegan(stage.state.rules(session: nil))
        for index in calls.indices where calls[index].heard != nil {
            calls[index].isOver = calls[index].isOver || !isRemembered(calls[index].number)
        }
    }

    private func isRemembered(_ call: Int) -> Bool {
        record.receipts.contains { waiter, receipt in
            record.asked[waiter]?.call == call && stage.state.request(id: receipt.requestID)?.isOpen == false
        }
    }
}

extension SplitMix {
    mutating func int(below end: Int) -> Int { Int.random(in: 0..<end, using: &self) }
    mutating func isOne(in count: Int) -> Bool { int(below: count) == 0 }
    mutating func one<Value>(of values: [Value]) -> Value { values[int(below: values.count)] }
}
