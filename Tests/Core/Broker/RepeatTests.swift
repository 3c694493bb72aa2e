import Core
import OrderedJSON
import TestSupport
import Testing

/// Retries, restarts and what is lost.
@Suite struct RepeatTests {
    private static let relay = HookSource(relayToken: "abc", bodyDigest: [1])

    @Test func aRetryOfTheSameCallJoinsTheOpenRequest() {
        var stage = Stage()
        let first = stage.send(.bash("touch x"), from: Self.relay)
        let second = stage.send(.bash("touch x"), from: Self.relay)
        #expect(stage.pending.count == 1)
        stage.leave(first)
        #expect(stage.ends.isEmpty, "the last holder counts")
        stage.respond("r_1", .allow)
        #expect(stage.answers[second]?.count == 1)
        let third = stage.send(.bash("touch x"), from: Self.relay)
        #expect(stage.answers[third] == stage.answers[second], "the recorded answer")
    }

    @Test func theSameTokenWithAnotherBodyIsAnotherRequest() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"), from: Self.relay)
        stage.respond("r_1", .allow)
        let forged = stage.send(
            .bash("touch y", id: "t2"), from: HookSource(relayToken: "abc", bodyDigest: [2]))
        #expect(stage.answers[forged] == nil)
        #expect(stage.pending.count == 1)
    }

    @Test func withoutATokenOnlyAnOpenRequestIsJoined() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.send(.bash("touch x"))
        #expect(stage.pending.count == 1)
        stage.respond("r_1", .allow)
        let late = stage.send(.bash("touch x"))
        #expect(stage.answers[late] == nil)
    }

    @Test func aStrangerDoesNotJoin() {
        var stage = Stage()
        stage.send(.bash("touch x"), from: Self.relay)
        stage.send(
            .bash("touch x"), from: HookSource(relayToken: "abc", bodyDigest: [1], isVerified: false))
        #expect(stage.pending.count == 2)
    }

    /// The end is appended and may be written at any time, also before the opening that somebody waits for.
    @Test func whatEndsBeforeItsOpeningIsWrittenIsWrittenOnceMore() {
        var stage = Stage()
        stage.commitsAtOnce = false
        stage.leave(stage.send(.bash("touch x")))
        #expect(stage.ends == ["pass by hook gone"])
        stage.appended = []
        stage.settleCommits()
        let written = stage.appended.compactMap { change -> Resolver? in
            if case .request(let request) = change { request.resolution?.resolver } else { nil }
        }
        #expect(written == [.hookGone])
        #expect(stage.cards == ["r_1/1"], "and shown no second time")
    }

    @Test func aRestartEndsNothing() {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        let open = before.pending
        var after = Stage.restarted(open, at: before.now + 3)
        #expect(after.pending.map(\.id) == ["r_1"] && after.pending.map(\.due) == open.map(\.due))
        let waiter = after.send(.bash("touch x"), from: Self.relay)
        #expect(after.holds[waiter] == open[0].due)
        after.wait(10)
        #expect(after.ends.isEmpty, "its relay came back")
        after.respond("r_1", .allow)
        #expect(after.answers[waiter]?.count == 1)
        #expect(after.events.allSatisfy { $0.sequence >= 500 })
    }

    @Test func aDecisionBeforeTheRestartIsGivenAfterIt() {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        before.commitsAtOnce = false
        before.respond("r_1", .allow)
        let written = before.commits[0].changes.compactMap { change in
            if case .request(let request) = change { request } else { nil }
        }
        var after = Stage.restarted(written, at: before.now + 2)
        let waiter = after.send(.bash("touch x"), from: Self.relay)
        #expect(after.answers[waiter] == [.allow(reason: "allowed by phone", updatedInput: nil)])
        #expect(after.receipts[waiter].map { after.state.delivered($0, true, at: after.now) }?.count == 1)
    }

    @Test func aRequestWhoseRelayDoesNotComeBackIsLost() {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        var after = Stage.restarted(before.pending, at: before.now + 1)
        after.wait(9.9)
        #expect(after.ends.isEmpty)
        after.wait(0.1)
        #expect(after.ends == ["pass by lost"])
    }

    @Test func aDeadlineThatPassedMeanwhileIsATimeout() {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        var after = Stage.restarted(before.pending, at: before.now + 61)
        after.wait(0)
        #expect(after.ends == ["ask by timeout"])
    }

    @Test func whatEndedWhileNobodyLookedSettlesNothing() {
        let now = Instant(milliseconds: 200_000_000)
        let old = SessionRule(
            id: "rule_1", sessionID: "s1", effect: .allow, pattern: "Bash(touch)",
            createdAt: now.wall + -90_000, grantedBy: "local", requestID: "r_0")
        let orphan = SessionRule(
            id: "rule_2", sessionID: "s2", effect: .allow, pattern: "Bash(touch)", createdAt: now.wall + -60,
            grantedBy: "local", requestID: "r_0")
        let gone = ExternalSession(
            id: "s2", cwd: "/p", root: "/p", startedAt: now.wall + -60, claudePID: 99, claudeStartTime: 3)
        var stage = Stage()
        stage.now = now
        stage.perform(stage.state.restore(Remembered(rules: [old, orphan], sessions: [gone]), at: now))
        #expect(stage.state.rules(session: nil).isEmpty)
        for session in ["s1", "s2"] {
            let waiter = stage.send(.bash("touch x", session: session))
            #expect(stage.answers[waiter] == nil)
        }
    }

    /// By this a start knows what people may still answer late.
    @Test func onlyWhatWasAskedHasADeadlineOfItsOwn() {
        var policy = Policy()
        policy.noApprover = .deny
        var stage = Stage(policy)
        stage.send(.bash("touch x"))
        stage.respond("r_1", .allow, .session)
        stage.send(.bash("cp a b"))
        stage.respond(stage.pending[0].id, .deny, .session)
        for number in 0..<64 { stage.send(.bash("mv && ls", id: "t\(number)")) }
        let asked = stage.pending + [stage.state.request(id: "r_1")].compactMap { $0 }
        #expect(asked.count == 65 && asked.allSatisfy { $0.deadline != $0.createdAt })
        stage.appended = []
        stage.send(.bash("mv && ls"))
        stage.send(.bash("touch y"))
        stage.send(.bash("cp b c"))
        stage.send(.tool(.permissionRequest, "Bash", ["command": "cp b c"]))
        stage.state.approversChanged(to: 0)
        stage.send(.bash("mv && ls", session: "s2"))
        let settled = stage.appended.compactMap { if case .request(let request) = $0 { request } else { nil } }
        #expect(Set(settled.compactMap(\.resolution?.decision)) == [.allow, .deny, .pass])
        #expect(settled.count == 5 && settled.allSatisfy { $0.deadline == $0.createdAt })
    }

    @Test func deliveredIsWrittenOnce() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        stage.respond("r_1", .allow)
        guard let receipt = stage.receipts[waiter] else {
            Issue.record("no receipt")
            return
        }
        #expect(stage.state.delivered(receipt, false, at: stage.now).count == 1)
        #expect(stage.state.delivered(receipt, true, at: stage.now).count == 1)
        #expect(stage.state.delivered(receipt, true, at: stage.now).isEmpty)
    }

    @Test func everyToolStartHasOneEnd() {
        var stage = Stage()
        stage.send(.tool(.preToolUse, "Read", ["file_path": "/p/a"], id: "t1"))
        stage.send(.tool(.postToolUse, "Read", ["file_path": "/p/a"], id: "t1"))
        stage.send(.bash("touch x", id: "t2"))
        stage.respond("r_2", .deny)
        stage.respond(stage.pending.first?.id ?? "", .deny)
        stage.send(.tool(.preToolUse, "Read", ["file_path": "/p/b"], id: "t3"))
        stage.send(.turn(.stop))
        stage.send(.turn(.sessionEnd))
        let starts = stage.events.filter { if case .toolStart = $0.body { true } else { false } }
        let ends = stage.events.compactMap { event in
            if case .toolEnd(let run, _, let isError, _) = event.body { "\(run.useID) \(isError)" } else { nil }
        }
        #expect(starts.count == 3)
        #expect(ends == ["t1 false", "t2 true", "t3 true"])
    }

    @Test func aLateReportOfAToolIsNoSecondEnd() {
        var stage = Stage()
        stage.send(.tool(.preToolUse, "Read", ["file_path": "/p/a"], id: "t1"))
        stage.send(.turn(.stop))
        stage.send(.tool(.postToolUse, "Read", ["file_path": "/p/a"], id: "t1"))
        #expect(stage.toolEnds.map(\.useID) == ["t1"])
        stage.send(.tool(.postToolUse, "Read", ["file_path": "/p/b"], id: "before the restart"))
        #expect(stage.toolEnds.count == 2)
    }

    @Test func theHistoryIsShortAndTheEventWhole() {
        var stage = Stage()
        let keys = (0..<2_000).map { ("key \($0)", JSON.string("")) }
        let input: JSON = ["command": .string(String(repeating: "x", count: 5_000)), "more": .object(JSONObject(keys))]
        stage.send(.tool(.preToolUse, "mcp__a__b", input, id: "t1"))
        stage.send(.tool(.postToolUse, "mcp__a__b", input, id: "t1"))
        stage.send(.tool(.preToolUse, "mcp__a__b", input, id: "t2"))
        stage.send(.turn(.stop))
        let whole = input.serialized().utf8.count
        let runs = stage.state.sessionViews(at: stage.now).first?.session.tools
        let kept = runs?.first?.toolInput
        #expect(runs?.first?.inputBytes == whole)
        #expect(kept?["command"]?.stringValue?.count == 1_001 && kept?["more"]?.objectValue?.count ?? 0 < 500)
        #expect(stage.toolEnds.first?.toolInput == input && stage.toolEnds.first?.inputBytes == nil)
        #expect(
            stage.toolEnds.last?.toolInput == kept && stage.toolEnds.last?.inputBytes == whole, "nobody told the end")
    }

    @Test func aRestartKnowsWhenASessionWasLastHeardOfAndWhatItRan() {
        var before = Stage()
        before.send(.tool(.preToolUse, "Read", ["file_path": "/p/a"], id: "t1"))
        before.send(.tool(.postToolUse, "Read", ["file_path": "/p/a"], id: "t1"))
        before.wait(100)
        before.send(.tool(.preToolUse, "Read", ["file_path": "/p/b"], id: "t2"))
        before.appended = []
        before.perform(before.state.rememberSessions())
        let written = before.appended.compactMap { if case .session(let session) = $0 { session } else { nil } }
        #expect(written.map(\.lastActivity) == [before.now.wall])
        before.appended = []
        before.perform(before.state.rememberSessions())
        #expect(before.appended.isEmpty, "only what is new")
        var after = Stage()
        after.now = before.now + 200
        after.perform(after.state.restore(Remembered(sessions: written), at: after.now))
        #expect(after.views == ["s1 tool_running"])
        after.send(.tool(.postToolUse, "Read", ["file_path": "/p/b"], id: "t2"))
        #expect(after.toolEnds.map(\.startedAt) == [before.now.wall])
        #expect(after.state.sessionViews(at: after.now)[0].session.tools.map(\.useID) == ["t1", "t2"])
    }

    @Test(arguments: [(299.0, "s1 active"), (300.0, "s1 stale")])
    func aQuietSessionIsStaleAfterARestartOnceItHasBeenQuietForLong(_ seconds: Double, _ expected: String) {
        var before = Stage()
        before.send(.turn(.sessionStart, prompt: nil))
        before.now = before.now + 1000
        before.send(.turn(.stop))
        before.wait(30)
        let written = before.appended.compactMap { if case .session(let session) = $0 { session } else { nil } }
        var after = Stage()
        after.now = before.now + (seconds - 30)
        after.perform(after.state.restore(Remembered(sessions: [written.last].compactMap { $0 }), at: after.now))
        #expect(after.views == [expected])
    }

    /// After a kill the store may know only when it began.
    @Test func aSessionThatBeganLongAgoIsNotForgottenAtARestart() {
        var stage = Stage()
        let began = stage.now + -100_000
        let session = ExternalSession(id: "s1", cwd: "/p", root: "/p", startedAt: began.wall)
        let rule = SessionRule(
            id: "rule_1", sessionID: "s1", effect: .allow, pattern: "Bash(touch)", createdAt: stage.now.wall,
            grantedBy: "local", requestID: "r_0")
        stage.perform(stage.state.restore(Remembered(rules: [rule], sessions: [session]), at: stage.now))
        #expect(stage.state.rules(session: "s1").count == 1)
        stage.wait(86_400 + 30)
        #expect(stage.state.rules(session: "s1").isEmpty)
    }
}

extension Stage {
    fileprivate var views: [String] {
        state.sessionViews(at: now).map { "\($0.session.id) \($0.state.rawValue)" }
    }

    fileprivate var toolEnds: [ToolRun] {
        events.compactMap { event in
            if case .toolEnd(let run, _, _, _) = event.body { run } else { nil }
        }
    }
}
