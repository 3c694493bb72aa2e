import Core
import OrderedJSON
import Testing

/// Answers to calls whose relay may be gone: sent, and taken back where nobody came for them.
struct UnheardTests {
    private static let relay = HookSource(relayToken: "abc", bodyDigest: [1])

    /// A card that was open when the daemon was killed, and whose relay has not come back yet.
    private func restarted() -> Stage {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        return after(before, before.pending)
    }

    private func after(_ before: Stage, _ requests: [PermissionRequest]) -> Stage {
        var stage = Stage()
        stage.now = before.now
        stage.perform(stage.state.restore(Remembered(requests: requests, nextSequence: 500), at: stage.now))
        return stage
    }

    private func isSent(_ result: Result<PermissionReceipt, ResponseFailure>?) throws -> Bool {
        try #require(result).get().isSent
    }

    @Test(arguments: [Decision.allow, .deny, .ask])
    func anAnswerNobodyComesForIsTakenBack(_ decision: Decision) throws {
        var stage = restarted()
        stage.wait(3)
        #expect(try isSent(stage.respond("r_1", decision)))
        #expect(stage.ends == ["\(decision.rawValue) by device phone"])
        stage.wait(6.9)
        #expect(stage.ends.count == 1)
        stage.wait(0.1)
        #expect(stage.ends == ["\(decision.rawValue) by device phone", "corrected: pass by lost"])
        let late = stage.send(.bash("touch x"), from: Self.relay)
        let heard = try #require(stage.answers[late])
        if decision == .deny {
            #expect(heard == [.deny(message: "denied by phone")], "a deny is heard however late")
            #expect(stage.ends.last == "corrected: deny by lost")
        } else {
            #expect(heard == [.pass], "what everybody was told is what a late relay hears")
        }
        guard case .failure(.decided(let end))? = stage.respond("r_1", decision) else {
            Issue.record("confirmed once more")
            return
        }
        #expect(end.resolver == .lost)
        stage.wait(60)
        #expect(stage.ends.count == (decision == .deny ? 3 : 2))
    }

    /// The relay was stopped for longer than its daemon waits, and the next daemon was killed as well.
    @Test func aLostDenyIsHeardAfterTheNextRestart() {
        var stage = Stage()
        stage.send(.bash("touch x"), from: Self.relay)
        stage.kill()
        stage.respond("r_1", .deny)
        stage.wait(10)
        #expect(stage.ends == ["deny by device phone", "corrected: pass by lost"])
        stage.writeAppended()
        stage.kill()
        let late = stage.send(.bash("touch x"), from: Self.relay)
        #expect(stage.answers[late] == [.deny(message: "denied by phone")])
    }

    @Test func anAnswerTheRelayComesForStands() throws {
        var stage = restarted()
        #expect(try isSent(stage.respond("r_1", .allow)))
        stage.wait(9)
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        #expect(stage.answers[waiter] == [.allow(reason: "allowed by phone", updatedInput: nil)])
        stage.wait(5)
        #expect(stage.ends.count == 1, "it is on its way")
        let receipt = try #require(stage.receipts[waiter])
        stage.perform(stage.state.delivered(receipt, true, at: stage.now))
        stage.wait(60)
        #expect(stage.ends == ["allow by device phone"])
        #expect(try !isSent(stage.respond("r_1", .allow)), "the relay has it")
    }

    @Test func aRelayThatIsBackHearsAtOnce() throws {
        var stage = restarted()
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        #expect(try !isSent(stage.respond("r_1", .allow)))
        #expect(stage.answers[waiter]?.count == 1)
        stage.wait(60)
        #expect(stage.ends == ["allow by device phone"])
    }

    /// Killed in the moment in which the answer was written, or could not be given.
    @Test(arguments: [true, false]) func aRelayThatLeftMeanwhileHearsNothing(_ leavesEarly: Bool) throws {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        stage.commitsAtOnce = false
        stage.respond("r_1", .allow)
        if leavesEarly { stage.leave(waiter) }
        stage.settleCommits()
        if !leavesEarly {
            let receipt = try #require(stage.receipts[waiter])
            stage.perform(stage.state.delivered(receipt, false, at: stage.now))
        }
        #expect(try isSent(stage.respond("r_1", .allow)))
        stage.wait(10)
        #expect(stage.ends == ["allow by device phone", "corrected: pass by lost"])
    }

    /// The second restart still knows that nobody has heard it.
    @Test(arguments: [true, false]) func aRestartForgetsNoAnswerNobodyHeard(_ isWritten: Bool) throws {
        var first = restarted()
        first.commitsAtOnce = isWritten
        first.respond("r_1", .allow)
        let changes = first.commits.flatMap(\.changes) + first.appended
        let written = changes.compactMap { if case .request(let request) = $0 { request } else { nil } }
        var stage = after(
            first, isWritten ? [try #require(first.state.request(id: "r_1"))] : [try #require(written.last)])
        stage.wait(10)
        #expect(stage.ends == ["corrected: pass by lost"])
    }

    /// Claude asked by itself, and its tool ran: that is what happened, whoever heard what.
    @Test(arguments: [(Decision.allow, 0), (.deny, 1)])
    func aToolThatRanSaysHowItEnded(_ decision: Decision, _ corrections: Int) {
        var stage = restarted()
        stage.respond("r_1", decision)
        stage.send(.tool(.postToolUse))
        stage.wait(60)
        #expect(stage.ends.dropFirst() == (corrections == 0 ? [] : ["corrected: allow by terminal"]))
    }

    /// An allow that was taken back answers no dialog of the same call.
    @Test func anAllowThatWasTakenBackAllowsNothing() {
        var stage = restarted()
        stage.respond("r_1", .allow)
        stage.wait(10)
        let dialog = stage.send(.tool(.permissionRequest))
        #expect(stage.answers[dialog] == nil)
        #expect(stage.pending.count == 1)
    }
}
