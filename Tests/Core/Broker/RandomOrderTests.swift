import Core
import OrderedJSON
import Testing

/// Every input in every order. What must hold is said once, in `Properties`, and checked after each step.
@Suite struct RandomOrderTests {
    @Test(arguments: 0..<200)
    func whateverTheOrder(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        var stage = Stage()
        stage.commitsAtOnce = false
        var properties = Properties()
        for _ in 0..<150 {
            step(&stage, &random, &properties)
            properties.check(stage, "seed \(seed)")
        }
        stage.storeWorks = true
        stage.settleCommits()
        for session in ["s1", "s2"] { stage.send(.turn(.sessionEnd, session: session)) }
        stage.settleCommits()
        properties.check(stage, "seed \(seed)")
        properties.checkEnd(stage, "seed \(seed)")
    }

    private func step(_ stage: inout Stage, _ random: inout SplitMix, _ properties: inout Properties) {
        let session = ["s1", "s2"].randomElement(using: &random)!
        let id = "t\(Int.random(in: 0..<12, using: &random))"
        let line = ["touch x", "touch y", "cp a b", "make && touch x"].randomElement(using: &random)!
        let token = ["k1", "k2", "k3", nil, nil].randomElement(using: &random)!
        let source = HookSource(
            relayToken: token, bodyDigest: [UInt8.random(in: 0..<2, using: &random)],
            isAttended: Bool.random(using: &random), isVerified: Int.random(in: 0..<6, using: &random) > 0)
        switch Int.random(in: 0..<16, using: &random) {
        case 0...3: properties.waiters.append(stage.send(.bash(line, id: id, session: session), from: source))
        case 4, 5:
            let event = HookEvent.tool(.permissionRequest, "Bash", ["command": .string(line)], session: session)
            properties.waiters.append(stage.send(event, from: source))
        case 6...8: respond(&stage, &random)
        case 9:
            if let waiter = properties.waiters.randomElement(using: &random) {
                stage.leave(waiter)
                properties.left.insert(waiter)
            }
        case 10: stage.wait(Double.random(in: 0..<40, using: &random))
        case 11:
            stage.send(.tool(.postToolUse, "Bash", ["command": .string(line)], id: id, session: session), from: source)
        case 12:
            stage.send(
                .turn(
                    [.stop, .userPromptSubmit].randomElement(using: &random)!, session: session,
                    prompt: "p\(Int.random(in: 1..<3, using: &random))"), from: source)
        case 13: stage.state.approversChanged(to: Int.random(in: 0..<2, using: &random))
        case 14: stage.storeWorks = Int.random(in: 0..<4, using: &random) > 0
        default: stage.settleCommits()
        }
    }

    private func respond(_ stage: inout Stage, _ random: inout SplitMix) {
        let caller = [Stage.phone, Stage.tablet, Stage.terminal].randomElement(using: &random)!
        let id = stage.pending.randomElement(using: &random)?.id ?? "r_1"
        let decision = [Decision.allow, .deny, .ask].randomElement(using: &random)!
        stage.respond(id, decision, [.once, .session].randomElement(using: &random)!, by: caller)
    }
}

/// What holds in every state.
private struct Properties {
    var waiters: [Waiter] = []
    /// Nobody waits there any more, so no answer is owed.
    var left: Set<Waiter> = []
    private var seen = 0

    mutating func check(_ stage: Stage, _ name: String) {
        for (waiter, answers) in stage.answers { #expect(answers.count == 1, "\(name): \(waiter) was answered twice") }
        for event in stage.events[seen...] { check(event, stage, name) }
        let sequences = stage.events.map(\.sequence)
        #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 }, "\(name): numbers rise")
        seen = stage.events.count
        let opened = stage.cards.count
        let ended = stage.ends.filter { !$0.hasPrefix("corrected") }.count
        #expect(Set(stage.cards).count == opened, "\(name): a card was opened twice")
        #expect(opened - ended <= stage.state.stats().pending, "\(name): a card is lost")
        #expect(ended <= opened, "\(name): an end without a card")
    }

    /// An allow is a person's word, a rule's, or what the terminal did by itself.
    private func check(_ event: EventRecord, _ stage: Stage, _ name: String) {
        guard case .permissionResolved(_, let resolution, _) = event.body, resolution.decision == .allow else { return }
        switch resolution.resolver {
        case .device, .local, .rule, .terminal: break
        default: Issue.record("\(name): allowed by \(resolution.resolver.spelling)")
        }
    }

    func checkEnd(_ stage: Stage, _ name: String) {
        #expect(stage.pending.isEmpty, "\(name): open after the sessions ended")
        for waiter in waiters where !left.contains(waiter) {
            #expect(stage.answers[waiter]?.count == 1, "\(name): \(waiter) hangs")
        }
        let allowed = stage.answers.filter { if case .allow = $0.value[0] { true } else { false } }
        let granted = stage.ends.contains { $0.hasPrefix("allow by device") || $0.hasPrefix("allow by local") }
        #expect(allowed.isEmpty || granted, "\(name): an allow nobody gave")
    }
}

/// A small generator with a seed, so that a failing order can be played again.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
