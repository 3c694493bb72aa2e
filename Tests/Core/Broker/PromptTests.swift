import Agents
import Core
import OrderedJSON
import Testing

/// PermissionRequest: tied to its call, asked beside the dialog, answered in the terminal or from afar.
@Suite struct PromptTests {
    @Test func afterATimeoutTheSameCardStandsBesideTheDialog() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.wait(60)
        guard case .failure(.decided(let late)) = stage.respond("r_1", .allow) else {
            Issue.record("taken")
            return
        }
        #expect(late.resolver == .timeout)
        let prompt = stage.send(.tool(.permissionRequest))
        #expect(stage.cards == ["r_1/1", "r_1/2"])
        let card = stage.pending[0]
        #expect(card.isTerminalPrompt && card.toolUseID == "toolu_1" && card.deadline == stage.now.wall + 3600)
        let receipt = try? stage.respond("r_1", .allow)?.get()
        #expect(receipt?.isSent == true)
        #expect(stage.answers[prompt] == [.allow(reason: "allowed by phone", updatedInput: nil)])
        #expect(stage.ends == ["ask by timeout", "allow by device phone"])
    }

    @Test func aPersonsAllowAnswersTheDialogOfTheSameCall() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.respond("r_1", .allow)
        let prompt = stage.send(.tool(.permissionRequest))
        guard case .allow = stage.answers[prompt]?.first else {
            Issue.record("asked again")
            return
        }
        let second = stage.send(.tool(.permissionRequest))
        #expect(stage.answers[second] == nil, "one call answers one dialog")
    }

    @Test func aChangedInputIsTiedToItsCall() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.respond("r_1", .allow, updatedInput: ["command": "touch y"])
        let prompt = stage.send(.tool(.permissionRequest, "Bash", ["command": "touch y"]))
        guard case .allow = stage.answers[prompt]?.first else {
            Issue.record("asked again")
            return
        }
    }

    @Test func aRulesAllowDoesNotAnswerADialogTheUsersSettingsInsistOn() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"))
        stage.respond("r_1", .allow, .session)
        stage.send(.bash("touch y", id: "t2"))
        let prompt = stage.send(.tool(.permissionRequest, "Bash", ["command": "touch y"]))
        #expect(stage.answers[prompt] == nil)
        #expect(stage.pending.map(\.toolUseID) == ["t2"])
    }

    /// A session keeps its last 256 calls, of which an eighth may go at a time.
    @Test(arguments: [(299, true), (76, true), (43, false), (1, false)])
    func theOldestOfManyCallsAreForgotten(number: Int, isTied: Bool) {
        var stage = Stage()
        stage.send(.bash("touch 0", id: "t0"))
        stage.respond("r_1", .allow, .session)
        for number in 1..<300 { stage.send(.bash("touch \(number)", id: "t\(number)")) }
        stage.send(.tool(.permissionRequest, "Bash", ["command": .string("touch \(number)")]))
        #expect(stage.pending.map { $0.toolUseID == "t\(number)" } == [isTied])
    }

    @Test func theSameCallAnnouncedTwiceAnswersOneDialog() {
        var stage = Stage()
        stage.send(.bash("touch 0", id: "t0"))
        stage.respond("r_1", .allow, .session)
        for _ in 0..<2 { stage.send(.bash("touch 1", id: "t1")) }
        for _ in 0..<2 { stage.send(.tool(.permissionRequest, "Bash", ["command": "touch 1"])) }
        #expect(stage.pending.count { $0.toolUseID == "t1" } == 1)
    }

    @Test func withoutAnAnnouncedCallTheCardCarriesItsOwnID() {
        var stage = Stage()
        stage.send(.tool(.permissionRequest))
        #expect(stage.pending.first.map { $0.toolUseID == $0.id } == true)
        stage.send(.tool(.postToolUse, id: "toolu_7"))
        #expect(stage.ends == ["allow by terminal"], "found by what it asks")
    }

    @Test func identicalCallsStayApart() {
        var stage = Stage()
        for id in ["t1", "t2"] {
            stage.send(.bash("touch x", id: id))
        }
        stage.wait(60)
        stage.send(.tool(.permissionRequest))
        stage.send(.tool(.permissionRequest))
        #expect(Set(stage.pending.map(\.toolUseID)) == ["t1", "t2"])
        stage.send(.tool(.postToolUse, id: "t2"))
        #expect(stage.pending.map(\.toolUseID) == ["t1"])
    }

    @Test func theAllowOfOneCallIsNotTakenForAnother() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"))
        stage.send(.bash("touch x", id: "t2"))
        stage.respond("r_1", .allow)
        stage.respond("r_2", .ask)
        let prompt = stage.send(.tool(.permissionRequest))
        #expect(stage.answers[prompt] == nil, "the dialog is that of the call nobody allowed")
        #expect(stage.pending.map(\.toolUseID) == ["t2"])
        let other = stage.send(.tool(.permissionRequest))
        #expect(stage.answers[other]?.isEmpty == false, "where settings insist, the allowed call has one too")
    }

    @Test func anAllowCountsForADialogOnlyWhereItWasGiven() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.respond("r_1", .allow)
        let event = AgentEvent.tool(.permissionRequest)
        let elsewhere = AgentEvent(
            name: event.name, sessionID: event.sessionID, cwd: "/elsewhere", promptID: event.promptID, agentID: nil,
            tool: event.tool, raw: event.everything)
        let prompt = stage.send(elsewhere)
        #expect(stage.answers[prompt] == nil)
        #expect(stage.pending.map(\.cwd) == ["/elsewhere"])
    }

    @Test func anUnverifiedCallOfTheSameIDSettlesNothingElse() {
        let anybody = HookSource(isVerified: false)
        for decision in [Decision.allow, .deny] {
            var stage = Stage()
            stage.send(.bash("true"), from: anybody)
            stage.send(.bash("touch x"))
            stage.respond("r_2", .ask)
            stage.respond("r_1", decision)
            let prompt = stage.send(.tool(.permissionRequest))
            #expect(stage.answers[prompt] == nil, "\(decision)")
            #expect(stage.pending.map(\.toolUseID) == ["toolu_1"], "\(decision)")
        }
    }

    @Test func unattendedDialogsFollowTheShortDeadlineAndNoApprover() {
        var stage = Stage()
        let headless = HookSource(isAttended: false)
        stage.send(.tool(.permissionRequest), from: headless)
        #expect(stage.pending[0].deadline == stage.now.wall + 60)
        stage.wait(60)
        #expect(stage.ends == ["pass by timeout"])
        stage.state.approversChanged(to: 0)
        let waiter = stage.send(.tool(.permissionRequest, "Write", ["file_path": "/p/a"]), from: headless)
        #expect(stage.answers[waiter] == [.pass])
        let attended = stage.send(.tool(.permissionRequest, "Write", ["file_path": "/p/b"]))
        #expect(stage.answers[attended] == nil, "somebody may connect while the dialog stands")
    }

    @Test func anUnattendedCallThatTimedOutIsNotAskedTwice() {
        var stage = Stage()
        let headless = HookSource(isAttended: false)
        stage.send(.bash("touch x"), from: headless)
        stage.wait(60)
        let prompt = stage.send(.tool(.permissionRequest), from: headless)
        #expect(stage.answers[prompt] == [.pass])
    }

    static let terminalEnds: [(String, AgentEvent, String)] = [
        ("PostToolUse", .tool(.postToolUse), "allow by terminal"),
        ("PostToolUseFailure", .tool(.postToolUseFailure), "allow by terminal"),
        (
            "PostToolBatch",
            .turn(.postToolBatch, raw: ["tool_calls": [["tool_use_id": "toolu_1", "tool_name": "Bash"]]]),
            "pass by terminal"
        ),
        ("Stop", .turn(.stop), "pass by terminal"),
        ("the next prompt", .turn(.userPromptSubmit, prompt: "p2", raw: ["prompt": "and now"]), "pass by terminal"),
        ("SessionEnd", .turn(.sessionEnd, prompt: nil), "pass by terminal"),
    ]

    @Test(arguments: terminalEnds)
    func answeredInTheTerminal(_ name: String, _ event: AgentEvent, _ end: String) {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.wait(60)
        let prompt = stage.send(.tool(.permissionRequest))
        stage.send(event)
        #expect(stage.ends.last == end, "\(name)")
        #expect(stage.answers[prompt] == [.pass], "\(name): the relay is released")
    }

    static let otherEvents: [(String, AgentEvent)] = [
        ("Stop of another turn", .turn(.stop, prompt: "p0")),
        (
            "a finished background agent",
            .turn(.userPromptSubmit, prompt: "p2", raw: ["prompt": "<task-notification> done"])
        ),
        ("the same prompt", .turn(.userPromptSubmit, prompt: "p1")),
        ("another call", .tool(.postToolUse, id: "toolu_2")),
        ("another session", .turn(.sessionEnd, session: "s2")),
        ("another agent", .turn(.subagentStop, agent: "a1")),
    ]

    @Test(arguments: otherEvents)
    func whatEndsNothing(_ name: String, _ event: AgentEvent) {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.send(event)
        #expect(stage.ends.isEmpty, "\(name)")
    }

    @Test func aSubagentsRequestsEndWithItNotWithTheTurn() {
        var stage = Stage()
        stage.send(.tool(.preToolUse, agent: "a1"))
        stage.send(.turn(.stop))
        #expect(stage.ends.isEmpty)
        stage.send(.turn(.subagentStop, agent: "a1"))
        #expect(stage.ends == ["pass by terminal"])
    }

    @Test func aStrangersEventEndsOnlyStrangersRequests() {
        var stage = Stage()
        let stranger = HookSource(isVerified: false)
        stage.send(.bash("touch x", id: "t1"))
        stage.send(.bash("touch y", id: "t2"), from: stranger)
        stage.send(.turn(.sessionEnd), from: stranger)
        #expect(stage.pending.map(\.toolUseID) == ["t1"])
        stage.respond("r_1", .allow, .session)
        stage.send(.turn(.sessionEnd), from: stranger)
        #expect(!stage.state.rules(session: "s1").isEmpty)
    }

    @Test func aDenyOvertakenByTheTerminalIsCorrected() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.wait(60)
        stage.send(.tool(.permissionRequest))
        stage.respond("r_1", .deny)
        stage.send(.tool(.postToolUse))
        #expect(stage.ends == ["ask by timeout", "deny by device phone", "corrected: allow by terminal"])
        stage.send(.tool(.postToolUse))
        #expect(stage.ends.count == 3)
    }

    /// Some models number their calls anew with each answer, so sessions share ids.
    @Test func aDenyIsCorrectedAlthoughAnotherSessionHasTheSameID() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "call_1"))
        stage.wait(60)
        stage.send(.tool(.permissionRequest))
        stage.respond("r_1", .deny)
        stage.send(.bash("touch y", id: "call_1", session: "s2"))
        stage.respond(stage.pending[0].id, .allow)
        stage.send(.tool(.postToolUse, id: "call_1"))
        #expect(stage.ends.last == "corrected: allow by terminal")
    }

    @Test func aDenyWithoutAnAnnouncedCallIsCorrectedToo() {
        var stage = Stage()
        stage.send(.tool(.permissionRequest))
        stage.respond(stage.pending[0].id, .deny)
        stage.send(.tool(.postToolUse, "Bash", ["command": "touch other"], id: "toolu_8"))
        #expect(stage.ends == ["deny by device phone"])
        stage.send(.tool(.postToolUse, id: "toolu_7"))
        #expect(stage.ends == ["deny by device phone", "corrected: allow by terminal"])
    }

    @Test func escapeWhileHeldWithdrawsTheCard() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"))
        stage.leave(waiter)
        #expect(stage.ends == ["pass by hook gone"])
        #expect(stage.answers[waiter] == nil, "nobody is left to hear it")
    }

    @Test func theSessionsEndDropsItsRules() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"))
        stage.respond("r_1", .allow, .session)
        stage.send(.turn(.sessionEnd, raw: ["reason": "other"]))
        #expect(stage.state.rules(session: nil).isEmpty)
        #expect(stage.disk.rules.isEmpty)
        let waiter = stage.send(.bash("touch y", id: "t2"))
        #expect(stage.answers[waiter] == nil)
    }

    @Test func aSessionWhoseProcessIsGoneEnds() {
        var stage = Stage()
        stage.send(.bash("touch x"), from: HookSource(claudePID: 12))
        stage.send(.bash("touch x", session: "s2"), from: HookSource(claudePID: 99))
        stage.wait(30)
        #expect(stage.ends.isEmpty, "a process that was never seen is not gone")
        #expect(stage.state.sessionViews(at: stage.now).map(\.session.id) == ["s1", "s2"])
    }
}
