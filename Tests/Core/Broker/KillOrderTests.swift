import Core
import OrderedJSON
import Testing

/// `kill -9` between any two steps, in every order: nothing that was confirmed is undone by the next start.
@Suite struct KillOrderTests {
    @Test(arguments: 0..<200)
    func whateverIsKilledWhen(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        var stage = Stage()
        stage.commitsAtOnce = false
        if seed.isMultiple(of: 2) { stage.state.slice = EvaluationSlice(requests: 1) }
        var told = Told()
        for _ in 0..<150 {
            step(&stage, &random, &told)
            told.note(stage)
            told.check(stage, "seed \(seed)")
        }
    }

    private func step(_ stage: inout Stage, _ random: inout SplitMix, _ told: inout Told) {
        let session = ["s1", "s2"].randomElement(using: &random)!
        switch Int.random(in: 0..<22, using: &random) {
        case 20, 21: stage.wait(0.2)
        case 0...5:
            let line = ["touch x", "touch y", "cp a b"].randomElement(using: &random)!
            let number = Int.random(in: 0..<40, using: &random)
            let source = HookSource(relayToken: "k\(number)", bodyDigest: [UInt8(line.utf8.last ?? 0)])
            stage.send(.bash(line, id: "t\(number)", session: session), from: source)
        case 6...9:
            guard let card = stage.pending.randomElement(using: &random) else { return }
            let caller = [Stage.phone, Stage.tablet].randomElement(using: &random)!
            let isDenied = stage.state.rules(session: card.sessionID).contains {
                $0.effect == .deny && [$0.pattern] == card.patterns
            }
            let result = stage.respond(
                card.id, [.allow, .deny].randomElement(using: &random)!,
                [.once, .session, .session].randomElement(using: &random)!, by: caller)
            if isDenied, case .failure(.decided)? = result { return }
            #expect(!isDenied, "\(card.id) was answered against a rule that came first")
        case 10, 11:
            guard let rule = stage.state.rules(session: nil).randomElement(using: &random) else { return }
            told.revokes.insert(rule.id)
            told.denies = told.denies.filter {
                $0.value.sessionID != rule.sessionID || $0.value.pattern != rule.pattern
            }
            stage.revoke(rule: rule.id)
        case 12:
            told.denies = told.denies.filter { $0.value.sessionID != session }
            told.ends[stage.send(.turn(.sessionEnd, session: session))] = stage.rules(of: session)
        case 13, 14: stage.storeWorks = Int.random(in: 0..<4, using: &random) > 0
        case 15:
            stage.kill()
            told.forgetAttempts()
        default: stage.settleCommits()
        }
    }
}

/// What somebody was told, and so must stay.
private struct Told {
    /// Rules that somebody tried to take back while this daemon runs.
    var revokes: Set<String> = []
    /// Rules that each hook which reported a session's end had it end.
    var ends: [Waiter: Set<String>] = [:]
    /// Denies for the session that were confirmed to whoever gave them, by the rule's id.
    var denies: [String: SessionRule] = [:]
    private var results: Set<CallID> = []
    private var gone: Set<String> = []
    /// Openings whose hook was told to go on, or not to, by what was written.
    private var settled: Set<DeliveryReceipt> = []

    mutating func note(_ stage: Stage) {
        for case .success(let rule) in stage.revocations.values { gone.insert(rule.id) }
        for (waiter, rules) in ends where stage.answers[waiter] != nil {
            // An end that cannot be written holds while this daemon runs.
            if stage.storeWorks { gone.formUnion(rules) } else { revokes.formUnion(rules) }
            ends[waiter] = nil
        }
        for (call, answers) in stage.results where results.insert(call).inserted {
            for case .success(let receipt) in answers where receipt.decision == .deny {
                for rule in receipt.rules { denies[rule.id] = rule }
            }
        }
        guard stage.storeWorks else { return }
        for (waiter, receipt) in stage.receipts {
            switch stage.answers[waiter]?.first {
            case .allow: settled.insert(receipt)
            default: break
            }
        }
    }

    /// The next daemon knows only what is written.
    mutating func forgetAttempts() {
        revokes = []
        ends = [:]
    }

    func check(_ stage: Stage, _ name: String) {
        let rules = Set(stage.state.rules(session: nil).map(\.id))
        #expect(rules.isDisjoint(with: gone), "\(name): a rule is back that was confirmed to be gone")
        #expect(rules.isDisjoint(with: revokes), "\(name): a rule is in force that was taken back")
        for deny in denies.values {
            let isInForce = stage.state.rules(session: deny.sessionID).contains {
                $0.effect == .deny && $0.pattern == deny.pattern
            }
            #expect(isInForce, "\(name): \(deny.id) was confirmed, and is not in force")
        }
        for card in stage.pending {
            let receipt = DeliveryReceipt(requestID: card.id, opening: card.opening)
            #expect(!settled.contains(receipt), "\(name): \(card.id) is asked though its hook was told to go on")
        }
        let cards = stage.pending.filter { $0.event == .preToolUse }
        for rule in stage.state.rules(session: nil) where stage.commits.isEmpty && !stage.isEvaluating {
            let covered = cards.contains { $0.sessionID == rule.sessionID && $0.patterns == [rule.pattern] }
            #expect(!covered, "\(name): a person is asked what \(rule.pattern) answers")
        }
    }
}

extension Stage {
    /// True while requests wait to be evaluated by the rules.
    fileprivate var isEvaluating: Bool {
        var copy = state
        return copy.nextWake().map { $0 <= now.uptime + 1 } ?? false
    }

    fileprivate func rules(of session: String) -> Set<String> {
        Set(state.rules(session: session).map(\.id))
    }
}
