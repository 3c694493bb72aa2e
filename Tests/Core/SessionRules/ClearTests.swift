import Core
import OrderedJSON
import TestSupport
import Testing

/// `/clear` ends the session, and the same process goes on with its rules. A false allow is the worst, so each doubt
/// ends them.
@Suite struct ClearTests {
    private static func process(_ pid: Int32? = 7, below: Bool = true, verified: Bool = true) -> HookSource {
        var source = HookSource(claudePID: pid, isVerified: verified)
        source.isBelowAgent = below
        return source
    }

    private func hook(
        _ name: HookEventName, _ session: String, _ word: String, cwd: String = "/p", agent: String? = nil
    ) -> AgentEvent {
        AgentEvent(
            name: name, sessionID: session, cwd: cwd, agentID: agent,
            raw: name == .sessionEnd ? ["reason": .string(word)] : ["source": .string(word)])
    }

    /// A session with an allow rule for `touch` and a deny rule for `rm`.
    private func stage(ids: Starts = Starts()) -> Stage {
        var stage = Stage(startTime: { ids[$0] })
        stage.send(hook(.sessionStart, "s1", "startup"), from: Self.process())
        for (line, decision) in [("touch x", Decision.allow), ("rm x", .deny)] {
            stage.send(.bash(line, id: line), from: Self.process())
            stage.respond(stage.pending[0].id, decision, .session)
        }
        return stage
    }

    private func clear(
        _ stage: inout Stage, end: AgentEvent? = nil, by ending: HookSource = Self.process(), after seconds: Double = 0,
        start: AgentEvent? = nil, by starting: HookSource = Self.process()
    ) {
        stage.send(end ?? hook(.sessionEnd, "s1", "clear"), from: ending)
        stage.now = stage.now + seconds
        stage.send(start ?? hook(.sessionStart, "s2", "clear"), from: starting)
    }

    private func rules(_ stage: Stage) -> [String] {
        stage.state.rules(session: nil).map { "\($0.sessionID) \($0.effect.rawValue) \($0.pattern)" }
    }

    private static let kept = ["s2 allow Bash(touch)", "s2 deny Bash(rm)"]

    @Test func theRulesGoOnInTheSameProcess() {
        var stage = stage()
        let before = stage.state.rules(session: nil)
        clear(&stage)
        #expect(rules(stage) == Self.kept)
        let after = stage.state.rules(session: "s2")
        #expect(after.map(\.id) == before.map(\.id) && after.map(\.lastMatch) == before.map(\.lastMatch))
        let waiter = stage.send(.bash("touch y", id: "t9", session: "s2"), from: Self.process())
        guard case .allow? = stage.answers[waiter]?.first else {
            Issue.record("asked again")
            return
        }
    }

    /// What the session before left is deleted by then, so a kill would end a deny that was confirmed.
    @Test func theyAreWrittenBeforeTheHookIsAnswered() {
        var stage = stage()
        stage.commitsAtOnce = false
        let (ending, starting) = (Waiter(number: stage.lastNumber + 1), Waiter(number: stage.lastNumber + 2))
        clear(&stage)
        #expect(stage.answers[ending] == nil && stage.answers[starting] == nil)
        stage.settleCommits()
        #expect(stage.answers[ending] == [.pass] && stage.answers[starting] == [.pass])
        #expect(stage.state.sessionViews(at: stage.now).map(\.session.isHeir) == [true])
        #expect(stage.disk.remembered.rules.map(\.sessionID) == ["s2", "s2"])
    }

    @Test func whatCouldNotBeWrittenIsQueued() {
        var stage = stage()
        stage.storeWorks = false
        clear(&stage)
        #expect(rules(stage) == Self.kept && stage.answers[Waiter(number: stage.lastNumber)] == [.pass])
        stage.storeWorks = true
        stage.writeAppended()
        #expect(stage.disk.remembered.rules.map(\.sessionID) == ["s2", "s2"])
    }

    /// The disk is full while the rules are written, and free when one of them is revoked or the session has ended.
    @Test(arguments: [true, false]) func whatEndsMeanwhileIsNotQueued(_ isRevoked: Bool) throws {
        var stage = stage()
        let allow = try #require(stage.state.rules(session: nil).first).id
        stage.send(hook(.sessionEnd, "s1", "clear"), from: Self.process())
        stage.commitsAtOnce = false
        stage.send(hook(.sessionStart, "s2", "clear"), from: Self.process())
        if isRevoked {
            stage.revoke(rule: allow)
        } else {
            stage.send(hook(.sessionEnd, "s2", "other"), from: Self.process())
        }
        // The store has done both before the broker hears of the first.
        let (inherit, ending) = (stage.commits.removeFirst(), stage.commits.removeFirst())
        stage.disk.commit(ending.changes, ending.durability, works: true)
        stage.perform(stage.state.committed(inherit.id, false, at: stage.now))
        stage.perform(stage.state.committed(ending.id, true, at: stage.now))
        stage.writeAppended()
        #expect(stage.disk.remembered.rules.map(\.effect) == (isRevoked ? [.deny] : []))
        stage.kill()
        #expect(stage.state.rules(session: nil).count == (isRevoked ? 1 : 0))
    }

    /// Another process uses the id while the rules are being written. The deletion of the allow rules is appended, and may
    /// be written before the rules.
    @Test(arguments: [true, false]) func whatAnotherProcessEndsMeanwhileIsNotBackAfterAKill(_ works: Bool) {
        var stage = stage()
        stage.send(hook(.sessionEnd, "s1", "clear"), from: Self.process())
        stage.commitsAtOnce = false
        stage.send(hook(.sessionStart, "s2", "clear"), from: Self.process())
        stage.send(.bash("ls", id: "t9", session: "s2"), from: Self.process(8))
        #expect(rules(stage) == ["s2 deny Bash(rm)"])
        stage.storeWorks = works
        stage.settleCommits()
        stage.storeWorks = true
        stage.writeAppended()
        stage.kill()
        #expect(rules(stage) == ["s2 deny Bash(rm)"])
    }

    @Test func theGateGoesOn() {
        var stage = stage()
        stage.setGate(.always)
        clear(&stage)
        #expect(stage.state.sessionViews(at: stage.now).map(\.session.gate) == [.always])
    }

    struct Doubt: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var end: AgentEvent?
        var ending = ClearTests.process()
        var seconds: Double = 0
        var start: AgentEvent?
        var starting = ClearTests.process()
    }

    static let doubts: [Doubt] = {
        let test = ClearTests()
        return [
            Doubt(testDescription: "ended otherwise", end: test.hook(.sessionEnd, "s1", "logout")),
            Doubt(testDescription: "started otherwise", start: test.hook(.sessionStart, "s2", "startup")),
            Doubt(testDescription: "resumed", start: test.hook(.sessionStart, "s2", "resume")),
            Doubt(testDescription: "another process", starting: process(8)),
            Doubt(testDescription: "ended by another process", ending: process(8), starting: process(8)),
            Doubt(testDescription: "ended by another, started by its own", ending: process(8)),
            Doubt(testDescription: "no process", ending: process(nil), starting: process(nil)),
            Doubt(testDescription: "no process at the start", starting: process(nil)),
            Doubt(testDescription: "the end comes from elsewhere", ending: process(below: false)),
            Doubt(testDescription: "the start comes from elsewhere", starting: process(below: false)),
            Doubt(testDescription: "an unverified start", starting: process(verified: false)),
            Doubt(testDescription: "too late", seconds: 10),
            Doubt(testDescription: "another directory", start: test.hook(.sessionStart, "s2", "clear", cwd: "/q")),
            Doubt(testDescription: "a subagent's end", end: test.hook(.sessionEnd, "s1", "clear", agent: "a1")),
            Doubt(testDescription: "the same id", start: test.hook(.sessionStart, "s1", "clear")),
            Doubt(testDescription: "a session that is open", start: test.hook(.sessionStart, "open", "clear")),
            Doubt(testDescription: "a session that was", start: test.hook(.sessionStart, "former", "clear")),
        ]
    }()

    @Test(arguments: doubts) func anyDoubtEndsThem(_ doubt: Doubt) {
        var stage = stage()
        stage.send(hook(.sessionStart, "open", "startup"), from: Self.process(9))
        stage.send(hook(.sessionStart, "former", "startup"), from: Self.process(9))
        stage.send(hook(.sessionEnd, "former", "other"), from: Self.process(9))
        clear(
            &stage, end: doubt.end, by: doubt.ending, after: doubt.seconds, start: doubt.start, by: doubt.starting)
        #expect(rules(stage).isEmpty)
    }

    /// The pid is another process's by now.
    @Test func aProcessThatIsAnotherOneInheritsNothing() {
        let ids = Starts()
        var stage = stage(ids: ids)
        stage.send(hook(.sessionEnd, "s1", "clear"), from: Self.process())
        ids.restart(7)
        stage.send(hook(.sessionStart, "s2", "clear"), from: Self.process())
        #expect(rules(stage).isEmpty)
    }

    @Test func theyGoOnOnce() {
        var stage = stage()
        clear(&stage)
        stage.send(hook(.sessionStart, "s3", "clear"), from: Self.process())
        #expect(rules(stage) == Self.kept)
    }

    @Test func whatIsTakenBackMeanwhileStaysSo() {
        var stage = stage()
        let rules = stage.state.rules(session: nil)
        stage.send(hook(.sessionEnd, "s1", "clear"), from: Self.process())
        #expect(stage.revoke(rule: rules[0].id) != nil)
        stage.send(hook(.sessionStart, "s2", "clear"), from: Self.process())
        #expect(self.rules(stage) == ["s2 deny Bash(rm)"])
    }

    @Test func theRulesOfARevokedDeviceStayGone() {
        var stage = stage()
        stage.send(hook(.sessionEnd, "s1", "clear"), from: Self.process())
        #expect(stage.state.dropDevice("d1").count == 2)
        stage.send(hook(.sessionStart, "s2", "clear"), from: Self.process())
        #expect(rules(stage).isEmpty)
    }

    /// The process that left them may have chosen the id of a session that another one is to start.
    @Test(arguments: [8, nil] as [Int32?]) func noOtherProcessUsesThem(_ pid: Int32?) {
        var stage = stage()
        clear(&stage)
        let waiter = stage.send(.bash("touch y", id: "t9", session: "s2"), from: Self.process(pid))
        #expect(stage.answers[waiter] == nil && stage.pending.count == 1)
        #expect(rules(stage) == ["s2 deny Bash(rm)"])
    }

    @Test func noOtherProcessUsesThemAfterARestart() {
        var stage = stage()
        clear(&stage)
        let sessions = stage.state.sessionViews(at: stage.now).map(\.session)
        let kept = Remembered(rules: stage.state.rules(session: nil), sessions: sessions)
        for (pid, count) in [(7, 0), (8, 1)] as [(Int32, Int)] {
            var next = Stage()
            next.perform(next.state.restore(kept, at: stage.now))
            next.send(.bash("touch y", id: "t9", session: "s2"), from: Self.process(pid))
            #expect(next.pending.count == count)
        }
    }

    @Test func theClockSetBackMakesNoRuleYounger() {
        var stage = stage()
        stage.now = stage.now + 86_000
        stage.send(hook(.sessionEnd, "s1", "clear"), from: Self.process())
        stage.setClock(by: -86_000)
        stage.send(hook(.sessionStart, "s2", "clear"), from: Self.process())
        #expect(rules(stage) == Self.kept)
        stage.wait(500)
        #expect(rules(stage).isEmpty)
    }
}

/// Start times of processes, which a test changes. One test drives one stage on one thread.
final class Starts: Sendable {
    private nonisolated(unsafe) var times: [Int32: UInt64] = [:]

    subscript(pid: Int32) -> UInt64? { times[pid] ?? 5 }

    func restart(_ pid: Int32) { times[pid] = 6 }
}
