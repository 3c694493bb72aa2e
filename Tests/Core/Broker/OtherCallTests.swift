import Agents
import Core
import OrderedJSON
import TestSupport
import Testing

/// What a person or a rule said of one call is never taken for another: not where the two share an id, nor where a
/// session, a card or a rule has come back meanwhile.
@Suite struct OtherCallTests {
    /// A process inside an agent can announce a call twice under one id, each time with another input.
    @Test(arguments: [true, false])
    func anAllowStaysWithTheInputThatWasShown(isShownFirst: Bool) {
        var stage = Stage()
        stage.send(.tool(.preToolUse, "Bash", ["command": "touch x"], id: "t1"))
        if isShownFirst { stage.respond("r_1", .allow) }
        // Passed without a card.
        let other: JSON = ["command": "touch other"]
        stage.send(.tool(.preToolUse, "Bash", other, id: "t1", mode: .bypassPermissions))
        if !isShownFirst { stage.respond("r_1", .allow) }
        let prompt = stage.send(.tool(.permissionRequest, "Bash", other))
        #expect(stage.answers[prompt] == nil, "nobody was asked about this one")
    }

    @Test func aRepeatedHookAllowsNothingElse() {
        var stage = Stage()
        let relay = HookSource(relayToken: "0123456789abcdef", bodyDigest: [1])
        let shown = AgentEvent.tool(.preToolUse, "Bash", ["command": "touch x"], id: "t1")
        stage.send(shown, from: relay)
        stage.respond("r_1", .allow)
        let other: JSON = ["command": "touch other"]
        stage.send(.tool(.preToolUse, "Bash", other, id: "t1", mode: .bypassPermissions))
        stage.send(shown, from: relay)
        let prompt = stage.send(.tool(.permissionRequest, "Bash", other))
        #expect(stage.answers[prompt] == nil)
    }

    /// Some models number their calls anew in each session, turn and agent. The answer may be meant for the first.
    @Test(arguments: [
        AgentEvent.tool(.preToolUse, id: "call_0", session: "s2"),
        .tool(.preToolUse, id: "call_0", prompt: "p2"),
        .tool(.preToolUse, id: "call_0", agent: "a1"),
    ])
    func anAnswerByAnAgentsIDIsForNoOtherCall(_ later: AgentEvent) {
        var stage = Stage()
        stage.leave(stage.send(.tool(.preToolUse, id: "call_0")))
        let waiter = stage.send(later)
        let answer = PermissionResponse(target: .toolUse(id: "call_0"), decision: .allow, scope: .session)
        #expect(throws: ResponseFailure.self) { try stage.respond([answer])?.first?.get() }
        #expect(stage.answers[waiter] == nil && stage.state.rules(session: nil).isEmpty)
    }

    /// The call of another agent of the session, or of another tool, has the same id.
    @Test(
        arguments: [
            AgentEvent.tool(.postToolUse, "Bash", id: "call_0", agent: "a1"), .tool(.postToolUse, "Read", id: "call_0"),
        ], [true, false])
    func theEndOfAnotherCallEndsNone(_ other: AgentEvent, isAnswered: Bool) {
        var stage = Stage()
        let waiter = stage.send(.tool(.preToolUse, id: "call_0"))
        if isAnswered { stage.respond("r_1", .deny) }
        stage.send(other)
        #expect(stage.answers[waiter] == (isAnswered ? [.deny(message: "denied by phone")] : nil))
        #expect(stage.ends == (isAnswered ? ["deny by device phone"] : []))
    }

    @Test func aDirectoryIsComparedByteForByte() {
        var stage = Stage()
        func event(_ name: HookEventName, _ cwd: String) -> AgentEvent {
            let tool = ToolCall(
                name: "Bash", input: ["command": "touch x"], useID: name == .preToolUse ? "t1" : nil)
            return AgentEvent(name: name, sessionID: "s1", cwd: cwd, promptID: "p1", agentID: nil, tool: tool, raw: [:])
        }
        stage.send(event(.preToolUse, "/p/caf\u{E9}"))
        stage.respond("r_1", .allow)
        let prompt = stage.send(event(.permissionRequest, "/p/cafe\u{301}"))
        #expect(stage.answers[prompt] == nil)
    }

    /// Granted in the session that has ended, written when it is there again.
    @Test func aRuleDoesNotOutliveItsSessionWhereThatComesBack() {
        var stage = Stage()
        stage.commitsAtOnce = false
        stage.send(.bash("touch x", id: "t1"))
        stage.settleCommits()
        stage.respond("r_1", .allow, .session)
        stage.send(.turn(.sessionEnd, prompt: nil))
        stage.send(.turn(.sessionStart, prompt: nil))
        stage.settleCommits()
        #expect(stage.state.rules(session: nil).isEmpty)
        #expect(stage.disk.rules.isEmpty)
        stage.commitsAtOnce = true
        let waiter = stage.send(.bash("touch y", id: "t2"))
        #expect(stage.answers[waiter] == nil)
    }

    @Test func anIDOfClaudesThatWasAnotherCallsAnswersNothing() {
        var stage = Stage()
        stage.send(.tool(.preToolUse, "Bash", ["command": "touch x"], id: "t1"))
        stage.send(.tool(.postToolUse, "Bash", ["command": "touch x"], id: "t1"))
        stage.send(.tool(.preToolUse, "Bash", ["command": "touch other"], id: "t1"))
        let response = PermissionResponse(target: .toolUse(id: "t1"), decision: .allow)
        guard case .failure(.invalid)? = stage.respond([response])?.first else {
            Issue.record("taken")
            return
        }
        #expect(stage.pending.count == 1)
    }

    /// The next daemon knows what people were shown before, in whatever order it reads that.
    @Test(arguments: ["open", "ended", "new"])
    func anIDOfAnotherCallAnswersNothingAfterARestart(_ state: String) {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"), from: HookSource(relayToken: "k1", bodyDigest: [1]))
        if state != "open" { stage.leave(Waiter(number: stage.lastNumber)) }
        stage.send(.bash("touch other", id: "t1", session: "s2"))
        stage.leave(Waiter(number: stage.lastNumber))
        stage.writeAppended()
        stage.kill()
        if state == "new" { stage.send(.bash("touch other", id: "t1", session: "s2")) }
        let response = PermissionResponse(target: .toolUse(id: "t1"), decision: .allow)
        let result = stage.respond([response])?.first
        switch (state, result) {
        case ("ended", .failure(.notOpen)?), ("open", .failure(.invalid)?), ("new", .failure(.invalid)?): break
        default: Issue.record("\(String(describing: result))")
        }
    }

    static let places: [(cwd: String, prompt: String, agent: String?, isSame: Bool)] = [
        ("/p", "p1", nil, true), ("/p/q", "p1", nil, false), ("/p", "p2", nil, false), ("/p", "p1", "a1", false),
    ]

    /// A client that sends no relay's token asks twice.
    @Test(arguments: places)
    func onlyTheSameCallJoinsAnOpenCard(cwd: String, prompt: String, agent: String?, isSame: Bool) {
        var stage = Stage()
        stage.send(.bash("touch x"))
        let again = AgentEvent(
            name: .preToolUse, sessionID: "s1", cwd: cwd, promptID: prompt, permissionMode: .default, agentID: agent,
            tool: ToolCall(name: "Bash", input: ["command": "touch x"], useID: "toolu_1"), raw: [:])
        let waiter = stage.send(again)
        stage.respond("r_1", .allow)
        #expect((stage.answers[waiter] != nil) == isSame)
    }

    /// No timer was called: the machine slept, or the next look at all rules is due in half a minute.
    @Test(arguments: [(86_399.0, true), (86_400, false), (86_429, false)])
    func aRuleSettlesNothingOnceItHasRunOut(seconds: Double, isSettled: Bool) {
        for slept in [seconds, 0] {
            var stage = Stage()
            stage.send(.bash("touch x", id: "t1"))
            stage.respond("r_1", .allow, .session)
            if slept == 0 {
                stage.wait(86_390)
                stage.now = stage.now + (seconds - 86_390)
            } else {
                stage.now = stage.now + slept
            }
            let waiter = stage.send(.bash("touch y", id: "t2"))
            #expect((stage.answers[waiter] != nil) == isSettled)
            #expect(stage.disk.rules.isEmpty != isSettled)
        }
    }

    /// Killed, and resumed before anybody looked whether it still lives.
    @Test(arguments: [(HookSource(claudePID: 13), false), (HookSource(claudePID: 13, isVerified: false), true)])
    func aRuleDoesNotOutliveItsProcess(source: HookSource, isLeft: Bool) {
        let processes = Processes()
        var stage = Stage(startTime: { processes.ended.contains($0) ? nil : 5 })
        stage.send(.bash("touch x", id: "t1"), from: HookSource(claudePID: 12))
        stage.respond("r_1", .allow, .session)
        stage.send(.bash("touch y", id: "t2"), from: HookSource(claudePID: 14))
        #expect(!stage.state.rules(session: "s1").isEmpty, "that one lives")
        stage.send(.bash("touch y", id: "t3"), from: HookSource(claudePID: 12))
        processes.ended = [12]
        let waiter = stage.send(.bash("touch y", id: "t4"), from: source)
        #expect(stage.answers[waiter] == nil)
        #expect(!stage.state.rules(session: "s1").isEmpty == isLeft)
        #expect(stage.disk.rules.isEmpty != isLeft)
    }

    @Test func aDenyIsNotReplacedByOneThatOnlyLooksTheSame() {
        var book = RuleBook()
        let texts = ["caf\u{E9}", "cafe\u{301}"]
        for (number, text) in texts.enumerated() {
            let rule = SessionRule(
                id: "rule_\(number)", sessionID: "s", effect: .deny, pattern: "Edit(/p/\(text)/**)",
                createdAt: Timestamp(milliseconds: 0), grantedBy: "local", requestID: "r")
            _ = book.add(rule, at: Instant(milliseconds: 0))
        }
        #expect(book.list(session: "s").count == 2)
    }
}

private final class Processes: Sendable {
    nonisolated(unsafe) var ended: Set<Int32> = []  // One test drives one stage on one thread.
}
