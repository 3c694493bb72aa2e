import Core
import OrderedJSON
import TestSupport
import Testing

@Suite struct PreToolUseTests {
    @Test func aHeldCallIsRecordedBeforeItIsShown() {
        var stage = Stage()
        stage.commitsAtOnce = false
        let waiter = stage.send(.bash("touch x"))
        #expect(stage.holds[waiter] == stage.now.uptime + 60)
        #expect(stage.cards.isEmpty)
        #expect(stage.commits.first?.durability == .normal)
        stage.settleCommits()
        #expect(stage.cards == ["r_1/1"])
        #expect(stage.answers[waiter] == nil)
    }

    @Test func aPersonsAllowIsWrittenBeforeTheHookHearsIt() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"))
        stage.commitsAtOnce = false
        #expect(stage.respond("r_1", .allow) == nil)
        #expect(stage.commits.first?.durability == .full)
        #expect(stage.answers[waiter] == nil)
        stage.settleCommits()
        #expect(stage.answers[waiter] == [.allow(reason: "allowed by phone", updatedInput: nil)])
        #expect(stage.ends == ["allow by device phone"])
    }

    static let verdicts: [(String, AgentEvent, Policy.Gate, Bool)] = [
        ("a question to the user", .tool(.preToolUse, "AskUserQuestion", ["questions": []]), .always, false),
        ("a plan", .tool(.preToolUse, "ExitPlanMode", [:]), .always, false),
        ("bypass mode", .tool(.preToolUse, mode: .bypassPermissions), .always, false),
        ("plan mode", .tool(.preToolUse, mode: .plan), .toolCall, false),
        ("plan mode, gate always", .tool(.preToolUse, mode: .plan), .always, true),
        ("auto mode", .tool(.preToolUse, mode: .auto), .toolCall, false),
        ("dontAsk mode", .tool(.preToolUse, mode: .dontAsk), .toolCall, false),
        ("a passthrough tool", .tool(.preToolUse, "Read", ["file_path": "/p/a"]), .toolCall, false),
        ("a passthrough family", .tool(.preToolUse, "TaskCreate", [:]), .toolCall, false),
        (
            "an edit in acceptEdits", .tool(.preToolUse, "Edit", ["file_path": "/p/a"], mode: .acceptEdits), .toolCall,
            false
        ),
        (
            "an edit outside in acceptEdits", .tool(.preToolUse, "Edit", ["file_path": "/q/a"], mode: .acceptEdits),
            .toolCall, true
        ),
        ("an edit in default mode", .tool(.preToolUse, "Edit", ["file_path": "/p/a"]), .toolCall, true),
        ("allowed by Claude's settings", .bash("make"), .toolCall, false),
        ("gate prompt", .bash("touch x"), .prompt, false),
        ("a line that only reads", .bash("ls"), .toolCall, false),
        ("a line that only reads, gate always", .bash("ls"), .always, true),
        ("a line that writes", .bash("touch x"), .toolCall, true),
    ]

    @Test(arguments: verdicts)
    func whatIsHeld(_ name: String, _ event: AgentEvent, _ gate: Policy.Gate, _ isHeld: Bool) {
        var policy = Policy()
        policy.gate = gate
        var stage = Stage(policy)
        let waiter = stage.send(event)
        #expect(stage.pending.isEmpty != isHeld, "\(name)")
        #expect(stage.answers[waiter] == (isHeld ? nil : [.pass]), "\(name)")
    }

    @Test(arguments: [(Policy.NoApprover.pass, HookAnswer?.some(.pass)), (.hold, nil)])
    func withoutAnApprover(_ rule: Policy.NoApprover, _ expected: HookAnswer?) {
        var policy = Policy()
        policy.noApprover = rule
        var stage = Stage(policy, approvers: 0)
        let waiter = stage.send(.bash("touch x"))
        #expect(stage.answers[waiter]?.first == expected)
    }

    @Test func withoutAnApproverDenied() {
        var policy = Policy()
        policy.noApprover = .deny
        var stage = Stage(policy, approvers: 0)
        let waiter = stage.send(.bash("touch x"))
        guard case .deny(let message) = stage.answers[waiter]?.first else {
            Issue.record("not denied")
            return
        }
        #expect(message.contains("no_approver"))
    }

    @Test func losingTheApproverChangesNothingForWhatIsHeld() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"))
        stage.state.approversChanged(to: 0)
        stage.wait(59)
        #expect(stage.answers[waiter] == nil)
    }

    @Test(arguments: [
        (Policy.OnTimeout.ask, true, HookAnswer.ask(reason: "nobody answered within 60 s"), "ask by timeout"),
        (.ask, false, .pass, "pass by timeout"),
        (.pass, true, .pass, "pass by timeout"),
        (.deny, true, .deny(message: "nobody answered within 60 s, and on_timeout is deny"), "deny by timeout"),
    ])
    func afterTheDeadline(_ rule: Policy.OnTimeout, _ isAttended: Bool, _ expected: HookAnswer, _ end: String) {
        var policy = Policy()
        policy.onTimeout = rule
        var stage = Stage(policy)
        let waiter = stage.send(.bash("touch x"), from: HookSource(isAttended: isAttended))
        stage.wait(59.9)
        #expect(stage.answers[waiter] == nil)
        stage.wait(0.1)
        #expect(stage.answers[waiter] == [expected])
        #expect(stage.ends == [end])
    }

    @Test func aSessionRuleSettlesTheNextCallAndWhatWaits() {
        var stage = Stage()
        let first = stage.send(.bash("touch x", id: "t1"))
        let second = stage.send(.bash("touch y", id: "t2"))
        let other = stage.send(.bash("touch z", id: "t3", session: "s2"))
        let receipt = try? stage.respond("r_1", .allow, .session)?.get()
        #expect(receipt?.scope == .session)
        #expect(receipt?.rules.map(\.pattern) == ["Bash(touch)"])
        #expect(stage.answers[first]?.count == 1)
        #expect(stage.ends == ["allow by device phone", "allow by rule \(receipt?.rules[0].id ?? "")"])
        #expect(stage.answers[second]?.count == 1)
        #expect(stage.answers[other] == nil, "a rule belongs to one session")
        let third = stage.send(.bash("touch q", id: "t4"))
        guard case .allow(let reason, nil) = stage.answers[third]?.first else {
            Issue.record("not allowed")
            return
        }
        #expect(reason.contains("Bash(touch)"))
    }

    @Test func aDenyRuleBeatsEveryMode() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"))
        stage.respond("r_1", .deny, .session)
        let waiter = stage.send(.tool(.preToolUse, id: "t2", mode: .bypassPermissions))
        guard case .deny = stage.answers[waiter]?.first else {
            Issue.record("not denied")
            return
        }
    }

    @Test func withoutASafePatternASessionAnswerMeansOnce() {
        var stage = Stage()
        stage.send(.bash("npm test && touch x", id: "t1"))
        let receipt = try? stage.respond("r_1", .allow, .session)?.get()
        #expect(receipt?.scope == .once)
        let again = stage.send(.bash("npm test && touch x", id: "t2"))
        #expect(stage.answers[again] == nil)
    }

    @Test func nothingUnverifiedMakesOrMeetsAnAllowRule() {
        var stage = Stage()
        let stranger = HookSource(isVerified: false)
        stage.send(.bash("touch x", id: "t1"), from: stranger)
        #expect(stage.pending.first?.isUnverified == true)
        #expect((try? stage.respond("r_1", .allow, .session)?.get())?.scope == .once)
        stage.send(.bash("touch x", id: "t2"))
        stage.respond(stage.pending[0].id, .allow, .session)
        let waiter = stage.send(.bash("touch x", id: "t3"), from: stranger)
        #expect(stage.answers[waiter] == nil)
    }

    /// A sender that anybody can be must not take the room of a session.
    @Test func unverifiedRequestsTakeNoRoomOfVerifiedOnes() {
        var stage = Stage()
        for index in 0..<64 {
            stage.send(.bash("touch x", id: "t\(index)"), from: HookSource(isVerified: false))
        }
        #expect(stage.answers[stage.send(.bash("touch x", id: "own"))] == nil)
        #expect(stage.answers[stage.send(.bash("touch x", id: "u"), from: HookSource(isVerified: false))] == [.pass])
    }

    @Test func theSixtyFifthIsDeniedWhereWhatNobodyDecidesIs() {
        var policy = Policy()
        policy.onTimeout = .deny
        var stage = Stage(policy)
        for index in 0..<64 { stage.send(.bash("touch x", id: "t\(index)")) }
        guard case .deny? = stage.answers[stage.send(.bash("touch x", id: "last"))]?.first else {
            Issue.record("passed")
            return
        }
    }

    @Test func theSixtyFifthOpenRequestIsPassed() {
        var stage = Stage()
        for index in 0..<64 { stage.send(.bash("touch x", id: "t\(index)")) }
        let waiter = stage.send(.bash("touch x", id: "last"))
        #expect(stage.answers[waiter] == [.pass])
        #expect(stage.pending.count == 64)
        #expect(
            stage.appended.contains { change in
                if case .request(let request) = change { request.resolution?.resolver == .sessionLimit } else { false }
            })
    }
}
