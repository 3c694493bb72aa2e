import Core
import OrderedJSON
import Testing

@Suite struct RespondTests {
    @Test func theFirstAnswerWinsAndALateOneHearsWhoDecided() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"))
        stage.respond("r_1", .deny, message: "not now")
        guard case .failure(.decided(let resolution)) = stage.respond("r_1", .allow, .session, by: Stage.tablet) else {
            Issue.record("taken")
            return
        }
        #expect(resolution.resolver == .device(name: "phone"))
        #expect(stage.answers[waiter] == [.deny(message: "not now")])
        #expect(stage.state.rules(session: nil).isEmpty, "a late answer makes no rule")
    }

    @Test func repeatingOnesOwnDecisionIsSuccess() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.respond("r_1", .allow)
        #expect((try? stage.respond("r_1", .allow)?.get())?.decision == .allow)
        #expect(throws: ResponseFailure.self) { try stage.respond("r_1", .allow, by: Stage.tablet)?.get() }
        #expect(throws: ResponseFailure.self) { try stage.respond("r_1", .deny)?.get() }
    }

    /// A device is known by its id: its name may have been another device's before, and may change.
    @Test(arguments: [true, false]) func anotherDeviceWithTheSameNameRepeatsNothing(_ isRestarted: Bool) {
        var stage = Stage()
        let twin = Caller(identity: .device(id: "d9", name: "phone"), rights: .approver)
        let renamed = Caller(identity: .device(id: "d1", name: "old phone"), rights: .approver)
        stage.send(.bash("touch x", id: "t1"))
        stage.respond("r_1", .allow)
        if isRestarted { stage.kill() }
        guard case .failure(.decided(let resolution)) = stage.respond("r_1", .allow, by: twin) else {
            Issue.record("taken")
            return
        }
        #expect(resolution.deviceID == "d1")
        let byCall = PermissionResponse(target: .toolUse(id: "t1"), decision: .allow)
        guard case .failure(.notOpen) = stage.respond([byCall], by: twin)?.first else {
            Issue.record("taken")
            return
        }
        for caller in [Stage.phone, renamed] {
            #expect((try? stage.respond("r_1", .allow, by: caller)?.get())?.decision == .allow)
            #expect((try? stage.respond([byCall], by: caller)?.first?.get())?.requestID == "r_1")
        }
    }

    /// Nobody has to hear that somebody else was first because a command was run twice.
    @Test(arguments: [true, false]) func theUserAtThisMachineIsOneCaller(_ isWritten: Bool) {
        var stage = Stage()
        let next = Caller(identity: .local(pid: 8), rights: .owner)
        stage.send(.bash("touch x"))
        stage.commitsAtOnce = isWritten
        stage.respond("r_1", .allow, by: Stage.terminal)
        stage.respond("r_1", .allow, by: next)
        stage.settleCommits()
        #expect(stage.results.values.flatMap { $0 }.filter { (try? $0.get()) != nil }.count == 2)
    }

    @Test func twoAnswersWhileTheFirstIsBeingWritten() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.commitsAtOnce = false
        stage.respond("r_1", .allow)
        #expect(throws: ResponseFailure.self) { try stage.respond("r_1", .deny, by: Stage.tablet)?.get() }
        #expect(stage.respond("r_1", .allow) == nil, "the same caller waits for the same outcome")
        stage.settleCommits()
        #expect(stage.results.values.flatMap { $0 }.filter { (try? $0.get()) != nil }.count == 2)
    }

    @Test func nothingElseEndsARequestWhileADecisionIsBeingWritten() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"))
        stage.commitsAtOnce = false
        stage.respond("r_1", .deny)
        stage.wait(120)
        stage.send(.turn(.stop))
        #expect(stage.ends.isEmpty)
        stage.settleCommits()
        #expect(stage.answers[waiter] == [.deny(message: "denied by phone")])
        #expect(stage.ends == ["deny by device phone"])
    }

    @Test func anAllowThatCannotBeWrittenIsNotGiven() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"))
        stage.storeWorks = false
        guard case .failure(.unrecorded) = stage.respond("r_1", .allow, .session) else {
            Issue.record("given")
            return
        }
        #expect(stage.answers[waiter] == [.pass])
        #expect(stage.state.rules(session: nil).isEmpty)
        #expect(stage.ends == ["pass by device phone"])
    }

    @Test func aDenyThatCannotBeWrittenIsGivenAndItsRuleHolds() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x", id: "t1"))
        stage.storeWorks = false
        stage.respond("r_1", .deny, .session)
        #expect(stage.answers[waiter] == [.deny(message: "denied by phone")])
        let next = stage.send(.bash("touch y", id: "t2"))
        guard case .deny = stage.answers[next]?.first else {
            Issue.record("not denied")
            return
        }
    }

    @Test func theRuleOfADenyIsWrittenOnceTheDiskWorks() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"))
        stage.storeWorks = false
        guard case .failure(.unrecorded(let why)) = stage.respond("r_1", .deny, .session) else {
            Issue.record("confirmed, though a killed daemon would lose it")
            return
        }
        #expect(why.contains("denied for the session is in force"))
        let meanwhile = stage.send(.bash("touch z", id: "t0"))
        guard case .deny = stage.answers[meanwhile]?.first else {
            Issue.record("not in force")
            return
        }
        stage.storeWorks = true
        stage.writeAppended()
        stage.kill()
        let next = stage.send(.bash("touch y", id: "t2"))
        guard case .deny = stage.answers[next]?.first else {
            Issue.record("forgotten")
            return
        }
    }

    @Test func byToolUseOnlyWhereOneIsOpen() {
        var stage = Stage()
        let response = PermissionResponse(target: .toolUse(id: "t1"), decision: .allow)
        stage.send(.bash("touch x", id: "t1", session: "s1"))
        stage.send(.bash("touch x", id: "t1", session: "s2"))
        #expect(stage.respond([response]) == [.failure(.ambiguousToolUse(id: "t1", count: 2))])
        stage.send(.bash("touch x", id: "t2"))
        let other = PermissionResponse(target: .toolUse(id: "t2"), decision: .allow)
        for _ in ["the first time", "the same word once more"] {
            #expect((try? stage.respond([other])?.first?.get())?.requestID == "r_3")
        }
        #expect(
            stage.respond([PermissionResponse(target: .toolUse(id: "t9"), decision: .allow)])
                == [.failure(.notOpen(toolUse: "t9", nil))])
        guard case .failure(.notOpen("t2", let end?)) = stage.respond([other], by: Stage.tablet)?.first else {
            Issue.record("taken")
            return
        }
        #expect(end.resolver == .device(name: "phone"))
    }

    @Test func aListIsOneCommitAndMeansOnce() {
        var stage = Stage()
        let waiters = (0..<10).map { stage.send(.bash("touch \($0)", id: "t\($0)")) }
        stage.commitsAtOnce = false
        let responses = (1...10).map {
            PermissionResponse(target: .request(id: "r_\($0)"), decision: $0 == 3 ? .deny : .allow)
        }
        stage.respond(responses)
        #expect(stage.commits.count == 1)
        stage.settleCommits()
        #expect(waiters.allSatisfy { stage.answers[$0]?.count == 1 })
        #expect(stage.results.values.first?.count == 10)
        stage.send(.bash("touch a", id: "a"))
        stage.send(.bash("touch b", id: "b"))
        stage.commitsAtOnce = true
        let wide = stage.pending.map {
            PermissionResponse(target: .request(id: $0.id), decision: .allow, scope: .session)
        }
        #expect(stage.respond(wide)?.allSatisfy { (try? $0.get()) == nil } == true)
    }

    @Test func whoMayOnlyLookMayNotDecide() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"))
        let agent = Caller(identity: .local(pid: 4), rights: .agent)
        guard case .failure(.refused) = stage.respond("r_1", .allow, by: agent) else {
            Issue.record("taken")
            return
        }
        #expect(stage.answers[waiter] == nil)
    }

    static let invalid: [(String, String, JSON, PermissionResponse)] = [
        (
            "an input that is no object", "Bash", ["command": "x"],
            .init(target: .request(id: "r_1"), decision: .allow, updatedInput: "y")
        ),
        (
            "an input with a deny", "Bash", ["command": "x"],
            .init(target: .request(id: "r_1"), decision: .deny, updatedInput: [:])
        ),
        (
            "a message with an allow", "Bash", ["command": "x"],
            .init(target: .request(id: "r_1"), decision: .allow, message: "hm")
        ),
        (
            "a message with an ask", "Bash", ["command": "x"],
            .init(target: .request(id: "r_1"), decision: .ask, message: "hm")
        ),
        (
            "a pattern that is not offered", "Bash", ["command": "x"],
            .init(target: .request(id: "r_1"), decision: .allow, scope: .session, patterns: ["Bash(x)", "Bash(y)"])
        ),
        (
            "a pattern that is not offered, once", "Bash", ["command": "x"],
            .init(target: .request(id: "r_1"), decision: .allow, patterns: ["Bash(y)"])
        ),
        (
            "patterns without the session", "Bash", ["command": "x"],
            .init(target: .request(id: "r_1"), decision: .allow, patterns: ["Bash(x)"])
        ),
        (
            "patterns with an ask", "Bash", ["command": "x"],
            .init(target: .request(id: "r_1"), decision: .ask, scope: .session, patterns: ["Bash(x)"])
        ),
        (
            "answers to a command", "Bash", ["command": "x"],
            .init(target: .request(id: "r_1"), decision: .allow, answers: ["a": "b"])
        ),
        (
            "no answers", "AskUserQuestion", ["questions": [["question": "Which?"]]],
            .init(target: .request(id: "r_1"), decision: .allow)
        ),
        (
            "an answer missing", "AskUserQuestion", ["questions": [["question": "Which?"]]],
            .init(target: .request(id: "r_1"), decision: .allow, answers: [:])
        ),
        (
            "an answer to nothing", "AskUserQuestion", ["questions": [["question": "Which?"]]],
            .init(target: .request(id: "r_1"), decision: .allow, answers: ["Which?": "a", "Who?": "b"])
        ),
        (
            "an answer that is no text", "AskUserQuestion", ["questions": [["question": "Which?"]]],
            .init(target: .request(id: "r_1"), decision: .allow, answers: ["Which?": 1])
        ),
    ]

    @Test(arguments: invalid)
    func whatIsRefused(_ name: String, _ tool: String, _ input: JSON, _ response: PermissionResponse) {
        var stage = Stage()
        let waiter = stage.send(.tool(.permissionRequest, tool, input))
        guard case .failure(.invalid) = stage.respond([response])?.first else {
            Issue.record("\(name)")
            return
        }
        #expect(stage.answers[waiter] == nil)
        #expect(stage.pending.count == 1)
    }

    @Test func answersGoIntoTheWholeInput() {
        var stage = Stage()
        let input: JSON = ["questions": [["question": "Which?"]]]
        stage.send(.tool(.preToolUse, "AskUserQuestion", input))
        let waiter = stage.send(.tool(.permissionRequest, "AskUserQuestion", input))
        stage.respond(stage.pending[0].id, .allow, answers: ["Which?": "Blue"])
        let updated: JSON = ["questions": [["question": "Which?"]], "answers": ["Which?": "Blue"]]
        #expect(
            stage.answers[waiter] == [.allow(reason: "allowed by phone", updatedInput: updated)])
    }

    @Test func aPlanIsApprovedWithAnEmptyInput() {
        var stage = Stage()
        let waiter = stage.send(.tool(.permissionRequest, "ExitPlanMode", [:], mode: .plan))
        stage.respond(stage.pending[0].id, .allow)
        #expect(stage.answers[waiter] == [.allow(reason: "allowed by phone", updatedInput: [:])])
    }

    @Test func anAskToAnUnattendedSessionIsNoOpinion() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"), from: HookSource(isAttended: false))
        #expect((try? stage.respond("r_1", .ask)?.get())?.decision == .pass)
        #expect(stage.answers[waiter] == [.pass])
        #expect((try? stage.respond("r_1", .ask)?.get())?.decision == .pass, "a repeat of one's own word")
    }

    @Test func aRuleThatIsWrittenWhileItsSessionEndsIsNone() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.commitsAtOnce = false
        stage.respond("r_1", .allow, .session)
        stage.send(.turn(.sessionEnd))
        stage.settleCommits()
        #expect(stage.state.rules(session: nil).isEmpty)
        #expect(stage.appended.contains(.deleteRule(id: "rule_2")))
        #expect((try? stage.results.values.first?.first?.get())?.rules == [])
    }
}
