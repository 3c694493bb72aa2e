import Core
import OrderedJSON
import Testing

/// Open requests that a new rule settles: their ends are written before their hooks hear them.
@Suite struct RuledEndTests {
    /// Three cards that one answer settles: the one it is for, and two that its rule covers.
    private func three(_ decision: Decision) -> (stage: Stage, waiters: [Waiter]) {
        var stage = Stage()
        let waiters = ["t1", "t2", "t3"].map { id in
            stage.send(
                .bash("touch \(id)", id: id), from: HookSource(relayToken: id, bodyDigest: [1], claudePID: nil))
        }
        stage.commitsAtOnce = false
        stage.respond("r_1", decision, .session)
        return (stage, waiters)
    }

    private func settleOne(_ stage: inout Stage) {
        guard let commit = stage.commits.first else {
            Issue.record("nothing is being written")
            return
        }
        stage.commits.removeFirst()
        stage.disk.commit(commit.changes, commit.durability, works: stage.storeWorks)
        stage.perform(stage.state.committed(commit.id, stage.storeWorks, at: stage.now))
    }

    @Test(arguments: [Decision.allow, .deny]) func oneCommitForAllThatARuleSettles(_ decision: Decision) {
        var (stage, waiters) = three(decision)
        settleOne(&stage)
        #expect(stage.answers[waiters[0]]?.count == 1, "the answer itself does not wait for the others")
        #expect(stage.answers[waiters[1]] == nil && stage.answers[waiters[2]] == nil)
        #expect(stage.commits.map(\.durability) == [.full])
        #expect(stage.commits.first?.changes.count == 2)
        settleOne(&stage)
        for waiter in waiters.dropFirst() { #expect(stage.answers[waiter]?.count == 1) }
        #expect(Set(stage.ends.dropFirst()) == ["\(decision.rawValue) by rule rule_4"])
        stage.kill()
        #expect(stage.pending.isEmpty)
    }

    /// Between the two commits: the rule is on the disk, and no hook of the others has heard anything.
    @Test(arguments: [Decision.allow, .deny]) func afterAKillTheRuleSettlesThemBeforeTheyAreShown(_ decision: Decision)
    {
        var (stage, waiters) = three(decision)
        settleOne(&stage)
        #expect(stage.answers[waiters[1]] == nil)
        stage.kill()
        #expect(stage.pending.isEmpty, "a person is not asked what a rule answers")
        let again = stage.send(.bash("touch t2", id: "t2"), from: HookSource(relayToken: "t2", bodyDigest: [1]))
        #expect(stage.answers[again] == nil, "its end is not written yet")
        stage.settleCommits()
        let answer = stage.answers[again]?.first
        switch decision {
        case .allow: if case .allow? = answer {} else { Issue.record("\(String(describing: answer))") }
        default: if case .deny? = answer {} else { Issue.record("\(String(describing: answer))") }
        }
    }

    @Test func anAllowThatCannotBeWrittenIsNotGivenAndADenyIs() {
        for (decision, isDenied) in [(Decision.allow, false), (.deny, true)] {
            var (stage, waiters) = three(decision)
            settleOne(&stage)
            stage.storeWorks = false
            settleOne(&stage)
            for waiter in waiters.dropFirst() {
                if case .deny? = stage.answers[waiter]?.first {
                    #expect(isDenied)
                } else {
                    #expect(!isDenied && stage.answers[waiter] == [.pass])
                }
            }
        }
    }

    /// Its relay is gone for good: everybody was told of an end that no hook has heard.
    @Test(arguments: [Decision.allow, .deny]) func anEndNobodyComesForIsTakenBack(_ decision: Decision) throws {
        var (stage, _) = three(decision)
        settleOne(&stage)
        stage.kill()
        stage.settleCommits()
        let told = "\(decision.rawValue) by rule rule_4"
        #expect(stage.ends == [told, told])
        let back = stage.send(.bash("touch t2", id: "t2"), from: HookSource(relayToken: "t2", bodyDigest: [1]))
        stage.perform(stage.state.delivered(try #require(stage.receipts[back]), true, at: stage.now))
        stage.wait(10)
        #expect(stage.ends == [told, told, "corrected: pass by lost"], "only of the one whose relay never came")
        stage.settleCommits()
        stage.kill()
        stage.settleCommits()
        stage.wait(20)
        #expect(stage.ends.isEmpty, "the next daemon says nothing else")
    }

    @Test func aPersonsAnswerMeanwhileComesTooLate() {
        var (stage, _) = three(.allow)
        settleOne(&stage)
        guard case .failure(.decided(let resolution))? = stage.respond("r_2", .deny, by: Stage.tablet) else {
            Issue.record("a deny of what a rule allows was taken")
            return
        }
        #expect(resolution.resolver == .rule(id: "rule_4"))
    }

    @Test func aCardWhoseTimeIsOverIsNotShownAgain() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.now = stage.now + 120
        stage.kill()
        #expect(stage.pending.isEmpty && stage.ends == ["ask by timeout"])
    }
}
