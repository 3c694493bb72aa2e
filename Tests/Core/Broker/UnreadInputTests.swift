import Core
import OrderedJSON
import TestSupport
import Testing

/// Calls whose inputs a start left in the store: nothing is allowed before the relay has brought the input back, and
/// then the call is what it was.
@Suite struct UnreadInputTests {
    private static let relay = HookSource(relayToken: "abc", bodyDigest: [1])

    /// A daemon that has read everything of the call but its input.
    private static func restarted(
        _ line: String, confirm: [String] = [], rules: [(SessionRule.Effect, String)] = []
    ) throws -> Stage {
        var before = Stage()
        before.send(.bash(line), from: relay)
        var unread = try #require(before.pending.first)
        unread.input = KeptJSON(elsewhere: unread.input.text.utf8.count)
        var policy = Policy()
        policy.onTimeout = .pass
        policy.confirm = try #require(ConfirmList(confirm))
        var stage = Stage(policy)
        stage.now = before.now + 1
        let granted = rules.enumerated().map { number, rule in
            SessionRule(
                id: "rule_\(number)", sessionID: "s1", effect: rule.0, pattern: rule.1, createdAt: before.now.wall,
                grantedBy: "local", requestID: "r_0")
        }
        let remembered = Remembered(requests: [unread], rules: granted, sessions: [.live("s1")], nextSequence: 500)
        stage.perform(stage.state.restore(remembered, at: stage.now))
        return stage
    }

    @Test(arguments: [nil, "touch", "Bash"])
    func nothingIsAllowedBeforeItIsBack(_ word: String?) throws {
        for list in [[], ["Bash(touch)"]] {
            var stage = try Self.restarted("touch x", confirm: list)
            #expect(throws: ResponseFailure.self) { try stage.respond("r_1", .allow, confirm: word)?.get() }
            #expect(stage.pending.isEmpty && stage.ends.isEmpty)
        }
    }

    @Test func itsWordIsThatOfItsLine() throws {
        var stage = try Self.restarted("touch x", confirm: ["Bash(touch)"], rules: [(.allow, "Bash(touch)")])
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        #expect(stage.cards == ["r_1/1"] && stage.answers[waiter] == nil)
        #expect(stage.pending.map(\.confirm) == ["touch"] && stage.pending.map(\.patterns) == [[]])
        for wrong in [nil, "Bash"] {
            #expect(throws: ResponseFailure.self) { try stage.respond("r_1", .allow, confirm: wrong)?.get() }
        }
        #expect((try? stage.respond("r_1", .allow, confirm: "touch")?.get()) != nil)
        #expect(stage.answers[waiter]?.count == 1)
    }

    @Test func aLineWithoutAListedWordNeedsNone() throws {
        var stage = try Self.restarted("cp a b", confirm: ["Bash(touch)"])
        stage.send(.bash("cp a b"), from: Self.relay)
        #expect(stage.pending.map(\.confirm) == [nil] && stage.pending.map(\.patterns) == [["Bash(cp)"]])
        #expect((try? stage.respond("r_1", .allow)?.get()) != nil)
    }

    /// The daemon was killed after the rule was written and before the calls that it covers were ended.
    @Test(arguments: [SessionRule.Effect.allow, .deny])
    func aRuleSettlesItOnceItIsBack(_ effect: SessionRule.Effect) throws {
        var stage = try Self.restarted("touch x", rules: [(effect, "Bash(touch)")])
        #expect(stage.ends.isEmpty)
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        #expect(stage.ends == ["\(effect.rawValue) by rule rule_0"])
        #expect(stage.answers[waiter]?.count == 1)
    }

    /// While the input was unread a deny rule might have covered it.
    @Test func aDenyRuleThatDoesNotCoverItDecidesNothing() throws {
        var stage = try Self.restarted("touch x", rules: [(.deny, "Bash(rm)")])
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        stage.wait(60)
        #expect(stage.ends == ["pass by timeout"] && stage.answers[waiter] == [.pass])
        var unclaimed = try Self.restarted("touch x", rules: [(.deny, "Bash(rm)")])
        unclaimed.wait(10)
        #expect(unclaimed.ends == ["pass by lost"], "nobody denied it")
        let late = unclaimed.send(.bash("touch x"), from: Self.relay)
        guard case .deny? = unclaimed.answers[late]?.first else {
            Issue.record("its relay came late, and the rule was not asked")
            return
        }
    }

    @Test func itsDialogIsTiedToIt() throws {
        var stage = try Self.restarted("touch x")
        stage.send(.bash("touch x"), from: Self.relay)
        stage.wait(60)
        stage.send(.tool(.permissionRequest))
        #expect(stage.cards == ["r_1/1", "r_1/2"])
    }
}

/// Answers with a changed input that a start left in the store.
@Suite struct UnreadAnswerTests {
    private static let relay = HookSource(relayToken: "abc", bodyDigest: [1])
    private static let changed = KeptJSON(["command": "touch y"])

    /// A daemon that has read everything of the answer but the changed input.
    private static func restarted() throws -> Stage {
        var before = Stage()
        let waiter = before.send(.bash("touch x"), from: relay)
        before.respond("r_1", .allow, updatedInput: changed.value)
        let receipt = try #require(before.receipts[waiter])
        before.perform(before.state.delivered(receipt, false, at: before.now))
        var unread = try #require(before.state.request(id: "r_1"))
        unread.resolution?.update = KeptJSON(elsewhere: 0)
        return .restarted([unread], at: before.now + 1)
    }

    @Test func theHookHearsItOnceItIsRead() throws {
        var stage = try Self.restarted()
        let call = HookCall.local(.bash("touch x"), from: Self.relay)
        let id = try #require(stage.state.unreadAnswer(for: call))
        #expect(id == "r_1")
        stage.state.readAnswer(id, Self.changed)
        #expect(stage.state.unreadAnswer(for: call) == nil)
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        #expect(stage.answers[waiter] == [.allow(reason: "allowed by phone", updatedInput: Self.changed.value)])
        stage.wait(10)
        #expect(stage.ends.isEmpty, "it is on its way")
    }

    @Test func onlyTheHookOfTheCallAsksForIt() throws {
        let stage = try Self.restarted()
        #expect(stage.state.unreadAnswer(for: HookCall.local(.bash("touch x"), from: HookSource())) == nil)
        let other = HookSource(relayToken: "abc", bodyDigest: [2])
        #expect(stage.state.unreadAnswer(for: HookCall.local(.bash("touch x"), from: other)) == nil)
    }

    /// Otherwise the agent would run the input that nobody allowed.
    @Test func whatCannotBeReadIsNoAllow() throws {
        var stage = try Self.restarted()
        stage.state.readAnswer("r_1", nil)
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        #expect(stage.answers[waiter] == [.pass] && stage.receipts[waiter] == nil)
        stage.wait(10)
        #expect(stage.ends == ["corrected: pass by lost"])
    }

    /// An agent that cannot ask would run the call. Its answer names the program that says so. Grok takes no changed
    /// input from a device, so that the answer is changed in the record.
    @Test func whatCannotBeReadIsADenyWhereTheAgentCannotAsk() throws {
        let call = AgentEvent.tool(
            .preToolUse, "Bash", ["command": "touch x"], session: "grok:s1", prompt: nil, mode: .bypassPermissions)
        var before = Stage()
        let waiter = before.send(call, from: Self.relay)
        before.respond("r_1", .allow)
        let receipt = try #require(before.receipts[waiter])
        before.perform(before.state.delivered(receipt, false, at: before.now))
        var unread = try #require(before.state.request(id: "r_1"))
        unread.resolution?.update = KeptJSON(elsewhere: 0)
        var stage = Stage.restarted([unread], at: before.now + 1)
        stage.state.readAnswer("r_1", nil)
        let again = stage.send(call, from: Self.relay)
        #expect(stage.answers[again] == [.deny(message: "the input that was allowed could not be read")])
    }

    @Test func anAnswerIsReadOnce() throws {
        var stage = try Self.restarted()
        stage.state.readAnswer("r_1", Self.changed)
        stage.state.readAnswer("r_1", KeptJSON(["command": "rm -r /"]))
        #expect(stage.state.request(id: "r_1")?.resolution?.update == Self.changed)
    }
}
