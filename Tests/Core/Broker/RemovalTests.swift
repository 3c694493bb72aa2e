import Core
import OrderedJSON
import Testing

/// What takes something away: it is out of force at once, and confirmed once no start can bring it back.
@Suite struct RemovalTests {
    /// A rule for `touch` in s1, granted by the phone; its id.
    private func ruled(_ stage: inout Stage) throws -> String {
        stage.send(.bash("touch x"))
        let id = try #require(stage.pending.first?.id)
        return try #require(try stage.respond(id, .allow, .session)?.get().rules.first?.id)
    }

    @Test func aRevocationIsConfirmedOnceItIsWritten() throws {
        var stage = Stage()
        let rule = try ruled(&stage)
        stage.commitsAtOnce = false
        #expect(stage.revoke(rule: rule) == nil, "nothing is confirmed yet")
        #expect(stage.state.rules(session: nil).isEmpty, "out of force at once")
        #expect(stage.commits.map(\.durability) == [.removal])
        #expect(stage.commits.map(\.changes) == [[.deleteRule(id: rule)]])
        stage.settleCommits()
        #expect(try stage.revocations.values.first?.get().id == rule)
        #expect(stage.disk.rules.isEmpty)
        stage.kill()
        #expect(stage.state.rules(session: nil).isEmpty)
    }

    @Test func whereItCannotBeWrittenItIsOutOfForceAndNotConfirmed() throws {
        var stage = Stage()
        let rule = try ruled(&stage)
        stage.storeWorks = false
        guard case .failure(.unwritten(let held))? = stage.revoke(rule: rule) else {
            Issue.record("confirmed")
            return
        }
        #expect(held.id == rule && stage.state.rules(session: nil).isEmpty)
        let waiter = stage.send(.bash("touch y", id: "t2"))
        #expect(stage.answers[waiter] == nil, "it allows nothing any more")
        guard case .failure(.unwritten)? = stage.revoke(rule: rule) else {
            Issue.record("still not written")
            return
        }
        stage.storeWorks = true
        #expect(try stage.revoke(rule: rule)?.get().id == rule, "asked again, it is confirmed")
        #expect(stage.revoke(rule: rule) == .failure(.unknown(id: rule)))
    }

    /// Nobody has to ask again: the deletion stays queued.
    @Test func itIsWrittenWithWhatComesNext() throws {
        var stage = Stage()
        let rule = try ruled(&stage)
        stage.storeWorks = false
        stage.revoke(rule: rule)
        #expect(stage.disk.rules[rule] != nil)
        stage.storeWorks = true
        stage.send(.bash("mkdir y", id: "t2"))
        #expect(stage.disk.rules.isEmpty)
    }

    @Test func twoWhoRevokeTheSameRuleAreBothTold() throws {
        var stage = Stage()
        let rule = try ruled(&stage)
        stage.commitsAtOnce = false
        stage.revoke(rule: rule)
        stage.revoke(rule: rule)
        stage.settleCommits()
        #expect(stage.revocations.count == 2 && stage.revocations.values.allSatisfy { (try? $0.get())?.id == rule })
        #expect(stage.revoke(rule: "rule_none") == .failure(.unknown(id: "rule_none")))
    }

    @Test func aSessionsEndIsToldOnceItIsWritten() throws {
        var stage = Stage()
        _ = try ruled(&stage)
        stage.commitsAtOnce = false
        let waiter = stage.send(.turn(.sessionEnd))
        #expect(stage.answers[waiter] == nil && stage.sessionEnds == 0)
        #expect(stage.state.rules(session: nil).isEmpty && stage.state.sessionViews(at: stage.now).isEmpty)
        #expect(stage.commits.map(\.durability) == [.removal])
        stage.settleCommits()
        #expect(stage.answers[waiter] == [.pass] && stage.sessionEnds == 1)
        stage.kill()
        #expect(stage.state.rules(session: nil).isEmpty && stage.state.sessionViews(at: stage.now).isEmpty)
    }

    @Test func aSessionThatCannotBeWrittenOffHasEndedAllTheSame() throws {
        var stage = Stage()
        _ = try ruled(&stage)
        stage.storeWorks = false
        let waiter = stage.send(.turn(.sessionEnd))
        #expect(stage.failures[waiter]?.contains("could not be written down") == true && stage.sessionEnds == 0)
        let again = stage.send(.bash("touch y", id: "t2"))
        #expect(stage.answers[again] == nil, "its rules are gone though it comes back")
        stage.storeWorks = true
        stage.send(.bash("mkdir y", id: "t3"))
        #expect(stage.disk.rules.isEmpty)
        stage.kill()
        #expect(stage.state.sessionViews(at: stage.now).map(\.session.id) == ["s1"], "the one that came back lives")
    }

    /// A start would bring the session and its rules back until then.
    @Test func anEndThatCouldNotBeWrittenIsToldOnceItIs() throws {
        var stage = Stage()
        _ = try ruled(&stage)
        stage.storeWorks = false
        let waiter = stage.send(.turn(.sessionEnd))
        stage.wait(31)
        #expect(stage.failures[waiter] != nil && stage.sessionEnds == 0)
        stage.storeWorks = true
        stage.wait(31)
        #expect(stage.sessionEnds == 1 && stage.disk.rules.isEmpty)
        stage.wait(31)
        #expect(stage.sessionEnds == 1, "and told once")
    }

    @Test func aSessionThatComesBackBeginsAfterItsEnd() throws {
        var stage = Stage()
        _ = try ruled(&stage)
        stage.commitsAtOnce = false
        stage.send(.turn(.sessionEnd))
        stage.send(.turn(.sessionStart))
        stage.settleCommits()
        let told = stage.events.compactMap { event -> String? in
            switch event.body {
            case .sessionStart: "start"
            case .sessionEnd: "end"
            default: nil
            }
        }
        #expect(told == ["end", "start"])
    }

    /// Whoever denied something for the session must not be told that it holds in the one that comes back.
    @Test func anAnswerWhoseRulesEndWithTheSessionIsForOneCall() throws {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.commitsAtOnce = false
        stage.respond("r_1", .deny, .session)
        stage.send(.turn(.sessionEnd))
        stage.send(.turn(.sessionStart))
        stage.settleCommits()
        let receipt = try #require(try stage.results.values.first?.first?.get())
        #expect(receipt.scope == .once && receipt.rules.isEmpty)
        stage.writeAppended()
        #expect(stage.disk.request(id: "r_1")?.resolution?.scope == .once, "the log says so too")
    }

    /// Granted while the session ended: the rule is on the disk, and no session owns it.
    @Test func aRuleWithoutItsSessionIsNotRestored() throws {
        var stage = Stage()
        let rule = SessionRule(
            id: "rule_9", sessionID: "s9", effect: .allow, pattern: "Bash(touch)", createdAt: stage.now.wall,
            grantedBy: "local", requestID: "r_0")
        stage.perform(stage.state.restore(Remembered(rules: [rule], sessions: [.live("s1")]), at: stage.now))
        #expect(stage.state.rules(session: nil).isEmpty)
        #expect(stage.appended.contains(.deleteRule(id: "rule_9")))
        let waiter = stage.send(.bash("touch x", session: "s9"))
        #expect(stage.answers[waiter] == nil)
    }
}

extension Stage {
    fileprivate var sessionEnds: Int {
        events.count { if case .sessionEnd = $0.body { true } else { false } }
    }
}
