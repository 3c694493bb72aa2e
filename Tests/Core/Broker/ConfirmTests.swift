import Agents
import Core
import OrderedJSON
import Rules
import TestSupport
import Testing

/// Calls whose allow needs a word: no rule, no list and no bare tap allows them.
@Suite struct ConfirmTests {
    private static func stage(_ list: [String] = ["Bash(touch)"]) -> Stage {
        var policy = Policy()
        policy.confirm = ConfirmList(list) ?? ConfirmList()
        return Stage(policy)
    }

    @Test func anAllowCarriesTheWord() {
        var stage = Self.stage()
        let waiter = stage.send(.bash("touch x"))
        #expect(stage.pending.map(\.confirm) == ["touch"])
        #expect(stage.pending.map(\.patterns) == [[]], "no session rule is offered")
        for wrong in [nil, "", "Touch", "touch ", "touch x"] {
            guard case .failure(.unconfirmed(let why, let word)) = stage.respond("r_1", .allow, confirm: wrong) else {
                Issue.record("taken with \(wrong ?? "nothing")")
                return
            }
            #expect(why.contains("\"touch\"") && word == "touch")
        }
        #expect(stage.answers[waiter] == nil && stage.pending.count == 1)
        #expect((try? stage.respond("r_1", .allow, .session, confirm: "touch")?.get())?.scope == .once)
        #expect(stage.answers[waiter] == [.allow(reason: "allowed by phone", updatedInput: nil)])
        #expect(stage.state.rules(session: nil).isEmpty)
    }

    /// A large change is not looked through where others wait: any listed word may be in it.
    @Test(arguments: [10, 40_000]) func aLargeChangeIsConfirmedUnread(_ length: Int) {
        var stage = Self.stage()
        let waiter = stage.send(.bash("cp a b"))
        let changed: JSON = ["command": .string("echo " + String(repeating: "x", count: length))]
        if length > 32 << 10 {
            guard case .failure(.unconfirmed(_, "Bash")) = stage.respond("r_1", .allow, updatedInput: changed) else {
                Issue.record("taken unconfirmed")
                return
            }
            #expect(stage.answers[waiter] == nil)
            stage.respond("r_1", .allow, confirm: "Bash", updatedInput: changed)
        } else {
            stage.respond("r_1", .allow, updatedInput: changed)
        }
        #expect(stage.answers[waiter] == [.allow(reason: "allowed by phone", updatedInput: changed)])
    }

    @Test(arguments: [Decision.deny, .ask])
    func onlyAnAllowNeedsIt(_ decision: Decision) {
        var stage = Self.stage()
        stage.send(.bash("touch x"))
        #expect((try? stage.respond("r_1", decision)?.get())?.decision == decision)
    }

    @Test func aListConfirmsNothing() {
        var stage = Self.stage()
        stage.send(.bash("touch a", id: "t1"))
        stage.send(.bash("cp a b", id: "t2"))
        let ids = stage.pending.map(\.id)
        #expect(ids.count == 2)
        let responses = ids.map { PermissionResponse(target: .request(id: $0), decision: .allow, confirm: "touch") }
        #expect(stage.respond(responses)?.allSatisfy { (try? $0.get()) == nil } == true)
        let plain = ids.map { PermissionResponse(target: .request(id: $0), decision: .allow) }
        #expect(stage.respond(plain)?.map { (try? $0.get()) != nil } == [false, true])
    }

    @Test func noAllowRuleSettlesItAndADenyDoes() {
        var stage = Self.stage(["Bash(cp)"])
        let now = stage.now
        let rules = [("rule_a", SessionRule.Effect.allow, "Bash(cp)"), ("rule_b", .deny, "Bash(mv)")].map {
            SessionRule(
                id: $0.0, sessionID: "s1", effect: $0.1, pattern: $0.2, createdAt: now.wall, grantedBy: "local",
                requestID: "r_0")
        }
        stage.perform(stage.state.restore(Remembered(rules: rules, sessions: [.live("s1")]), at: now))
        let held = stage.send(.bash("cp a b", id: "t1"))
        #expect(stage.answers[held] == nil, "a rule granted before the list was written")
        stage.respond(stage.pending[0].id, .deny, .session)
        let denied = stage.send(.bash("cp c d", id: "t2"))
        guard case .deny? = stage.answers[denied]?.first else {
            Issue.record("not denied")
            return
        }
    }

    @Test func aNewRuleSettlesNothingThatWaitsForAWord() {
        var stage = Self.stage(["Bash(cp)"])
        stage.perform(stage.state.restore(Remembered(), at: stage.now))
        let held = stage.send(.bash("cp a b", id: "t1"))
        stage.send(.bash("touch x", id: "t2"))
        let other = stage.pending.first { $0.confirm == nil }
        stage.respond(other?.id ?? "", .allow, .session)
        #expect(stage.answers[held] == nil && stage.state.rules(session: nil).map(\.pattern) == ["Bash(touch)"])
    }

    @Test func whatAPersonChangesItIntoIsConfirmed() {
        var stage = Self.stage()
        stage.send(.bash("cp a b"))
        let changed: JSON = ["command": "touch y"]
        #expect(throws: ResponseFailure.self) { try stage.respond("r_1", .allow, updatedInput: changed)?.get() }
        #expect((try? stage.respond("r_1", .allow, confirm: "touch", updatedInput: changed)?.get()) != nil)
        stage.send(.bash("touch x", id: "t2"))
        let id = stage.pending[0].id
        let harmless: JSON = ["command": "cp a b"]
        #expect(throws: ResponseFailure.self) { try stage.respond(id, .allow, updatedInput: harmless)?.get() }
        #expect((try? stage.respond(id, .allow, confirm: "touch", updatedInput: harmless)?.get()) != nil)
    }

    @Test func itStandsAfterARestart() {
        var before = Stage()
        before.send(.bash("touch x"), from: HookSource(relayToken: "abc", bodyDigest: [1]))
        #expect(before.pending.map(\.patterns) == [["Bash(touch)"]])
        var after = Self.stage()
        after.perform(after.state.restore(Remembered(requests: before.pending), at: before.now + 1))
        #expect(after.pending.map(\.confirm) == ["touch"] && after.pending.map(\.patterns) == [[]])
        #expect(throws: ResponseFailure.self) { try after.respond("r_1", .allow)?.get() }
    }

    /// An input that a start left where it was is not looked through once its relay is back with it.
    @Test func itStandsWhereAStartDidNotReadTheLine() throws {
        let source = HookSource(relayToken: "abc", bodyDigest: [1])
        var before = Stage()
        before.send(.bash("touch x"), from: source)
        var unread = try #require(before.pending.first)
        unread.input = KeptJSON(elsewhere: 20_000)
        var after = Self.stage()
        after.perform(after.state.restore(Remembered(requests: [unread]), at: before.now + 1))
        #expect(after.pending.isEmpty)
        #expect(throws: ResponseFailure.self) { try after.respond("r_1", .allow, confirm: "Bash")?.get() }
        after.send(.bash("touch x"), from: source)
        #expect(after.pending.map(\.confirm) == ["Bash"] && after.pending.map(\.patterns) == [[]])
        #expect(throws: ResponseFailure.self) { try after.respond("r_1", .allow)?.get() }
        #expect((try? after.respond("r_1", .allow, confirm: "Bash")?.get()) != nil)
    }

    @Test func aCardThatOpensAgainAsksForWhatItShowsNow() throws {
        var before = Self.stage()
        before.send(.bash("cp a b"))
        #expect(before.pending.map(\.patterns) == [["Bash(cp)"]])
        before.respond("r_1", .allow, confirm: "touch", updatedInput: ["command": "touch y"])
        let ended = try #require(before.state.request(id: "r_1"))
        var after = Self.stage()
        after.perform(after.state.restore(Remembered(requests: [ended]), at: before.now + 1))
        after.send(.tool(.permissionRequest, "Bash", ["command": "touch y"]))
        #expect(after.cards == ["r_1/2"])
        #expect(after.pending.map(\.confirm) == ["touch"] && after.pending.map(\.patterns) == [[]])
    }

    @Test func itIsAskedBesideTheDialogToo() {
        var stage = Self.stage()
        stage.send(.bash("touch x"))
        stage.wait(60)
        let waiter = stage.send(.tool(.permissionRequest))
        #expect(stage.pending.map(\.confirm) == ["touch"])
        stage.respond(stage.pending[0].id, .allow)
        #expect(stage.answers[waiter] == nil)
        stage.respond(stage.pending[0].id, .allow, confirm: "touch")
        #expect(stage.answers[waiter]?.count == 1)
    }
}

/// A person takes a part of what the card offers.
@Suite struct PatternChoiceTests {
    /// Offers a pattern for each word of the line.
    private struct WordEvaluator: RuleEvaluator {
        func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers {
            let words = (call.input["command"]?.stringValue ?? "").split(separator: " ").map { "mcp__a__\($0)" }
            return RuleOffers(allow: words, deny: words.reversed())
        }

        func allowing(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> [SessionRule] { [] }
        func denying(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? { nil }
        func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool { false }
        func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool { false }
    }

    static let choices: [(Decision, [String]?, [String])] = [
        (.allow, nil, ["a", "b", "c"]), (.allow, ["c", "a"], ["a", "c"]), (.allow, ["b", "b"], ["b"]), (.allow, [], []),
        (.deny, nil, ["c", "b", "a"]), (.deny, ["b"], ["b"]), (.deny, [], []),
    ]

    @Test(arguments: choices)
    func onlyWhatWasChosen(_ decision: Decision, _ chosen: [String]?, _ expected: [String]) throws {
        var stage = Stage(evaluator: WordEvaluator())
        stage.send(.bash("a b c"))
        let patterns = chosen.map { $0.map { "mcp__a__\($0)" } }
        let receipt = try #require(try stage.respond("r_1", decision, .session, patterns: patterns)?.get())
        #expect(receipt.rules.map(\.pattern) == expected.map { "mcp__a__\($0)" })
        #expect(receipt.scope == (expected.isEmpty ? .once : .session))
        #expect(receipt.rules.allSatisfy { $0.effect.rawValue == decision.rawValue })
    }

    @Test func aChangedInputIsOnce() throws {
        var stage = Stage(evaluator: WordEvaluator())
        stage.send(.bash("a b"))
        let receipt = try #require(
            try stage.respond("r_1", .allow, .session, patterns: ["mcp__a__a"], updatedInput: ["command": "x"])?.get())
        #expect(receipt.scope == .once && receipt.rules.isEmpty)
    }

    @Test func whereDenyRulesFillTheSessionAnAllowIsOnce() throws {
        var stage = Stage(evaluator: WordEvaluator())
        let now = stage.now
        let denies = (0..<199).map {
            SessionRule(
                id: "rule_d\($0)", sessionID: "s1", effect: .deny, pattern: "mcp__d__\($0)", createdAt: now.wall,
                grantedBy: "local", requestID: "r_0")
        }
        stage.perform(stage.state.restore(Remembered(rules: denies, sessions: [.live("s1")]), at: now))
        stage.send(.bash("a b"))
        let id = stage.pending[0].id
        let receipt = try #require(try stage.respond(id, .allow, .session)?.get())
        #expect(receipt.scope == .once && stage.state.rules(session: "s1").count == 199)
        stage.send(.bash("c", id: "t2"))
        #expect(try stage.respond(stage.pending[0].id, .deny, .session)?.get().scope == .session)
        #expect(stage.state.rules(session: "s1").count == RuleBook.limit)
    }
}
