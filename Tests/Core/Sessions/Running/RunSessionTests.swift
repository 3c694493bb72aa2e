import Core
import OrderedJSON
import TestSupport
import Testing

/// What follows from each input of a session that the daemon runs.
@Suite struct RunSessionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let inputs: [RunStage.Input]
        let effects: [String]
        let phase: RunPhase?
        var refusals: [SessionRefusal] = []

        var testDescription: String { name }

        init(
            _ name: String, _ inputs: [RunStage.Input], _ effects: [String], _ phase: RunPhase?,
            refusals: [SessionRefusal] = []
        ) {
            (self.name, self.inputs, self.effects, self.phase) = (name, inputs, effects, phase)
            self.refusals = refusals
        }

        /// The same with a child that is ready before the inputs.
        static func ready(
            _ name: String, _ inputs: [RunStage.Input], _ effects: [String], _ phase: RunPhase?,
            refusals: [SessionRefusal] = []
        ) -> Case {
            Case(
                name, [.start, .spawned, .line(.ready)] + inputs, ["spawn 1", "write initialize"] + effects, phase,
                refusals: refusals)
        }
    }

    @Test(arguments: Case.starts + Case.prompts + Case.requests + Case.ends + Case.daemons)
    func followsTheTable(_ wanted: Case) {
        var stage = RunStage()
        for input in wanted.inputs { stage.send(input) }
        #expect(stage.effects.compactMap(\.brief) == wanted.effects)
        #expect(stage.state["s"]?.phase == wanted.phase)
        #expect(stage.refusals == wanted.refusals)
    }

    @Test func aNinthChildIsRefusedWithTheListOfTheOthers() throws {
        var stage = RunStage()
        for number in 1...8 {
            _ = try stage.state.start(RunStage.start(id: "s\(number)", agent: "a\(number)"), at: stage.now)
        }
        let all = (1...8).map { "s\($0)" }
        #expect(throws: SessionRefusal.tooManySessions(all)) {
            try stage.state.start(RunStage.start(id: "s9", agent: "a9"), at: stage.now)
        }
    }

    @Test func aPromptTooManyIsRefused() {
        var stage = RunStage()
        stage.send(.start)
        for number in 0...64 { stage.send(.prompt("p\(number)")) }
        #expect(stage.refusals == [.tooManyPrompts])
        #expect(stage.state["s"]?.prompts.count == 64)
    }

    @Test func theRowIsWrittenBeforeAChildIsStarted() {
        var stage = RunStage()
        stage.send(.start)
        guard case .save(let row) = stage.effects.first else {
            Issue.record("nothing was written first")
            return
        }
        #expect(row.run == 1 && row.phase == .starting)
    }
}

extension RunSessionTests.Case {
    private static let done: ChildEvent = .promptState(id: "p", .completed)

    static let starts: [Self] = [
        Self("a start", [.start], ["spawn 1"], .starting),
        Self("a start that succeeds", [.start, .spawned, .line(.ready)], ["spawn 1", "write initialize"], .idle),
        Self(
            "a prompt waits for the start", [.start, .prompt("p"), .spawned, .line(.ready)],
            ["spawn 1", "write initialize", "write p"], .running),
        Self(
            "our answer to the child, shown back",
            [.start, .spawned, .line(.answered(request: "x", failure: nil))], ["spawn 1", "write initialize"],
            .starting),
        Self(
            "no program", [.start, .prompt("p"), .spawnFailed], ["spawn 1", "sweep", "p failed"], .ended),
        Self(
            "a child that refuses", [.start, .spawned, .line(.answered(request: "cdev-1-1", failure: "no")), .wait(0)],
            ["spawn 1", "write initialize", "signal terminate"], .stopping),
        Self(
            "a child that says nothing", [.start, .spawned, .prompt("p"), .wait(60), .wait(5), .exit(.signal(9))],
            ["spawn 1", "write initialize", "p failed", "signal terminate", "signal kill", "sweep"], .ended),
        .ready(
            "the same conversation twice", [.startOf(agent: "a1", hasOtherWriter: false)], [], .idle,
            refusals: [.alreadyRuns(session: "s")]),
        Self(
            "another process works in the conversation", [.startOf(agent: "a9", hasOtherWriter: true)], [], nil,
            refusals: [.otherWriter]),
        .ready(
            "a parked conversation comes back under its id",
            [.line(.turn), .line(.result), .exit(.code(0)), .startOf(agent: "a1", hasOtherWriter: false)],
            ["sweep", "spawn 2 resumed"], .starting),
    ]

    static let prompts: [Self] = [
        .ready(
            "the life cycle ends a prompt",
            [.prompt("p"), .line(.promptState(id: "p", .started)), .line(.result), .line(done)],
            ["write p", "p completed"], .idle),
        .ready(
            "an older child's result ends a prompt",
            [.prompt("p"), .line(.turn), .line(.promptEcho("p")), .line(.result)], ["write p", "p completed"], .idle),
        .ready(
            "a result is not the end of a prompt that was not taken up", [.prompt("p"), .line(.result)], ["write p"],
            .running),
        .ready(
            "three prompts in one turn",
            [
                .prompt("p"), .prompt("q"), .line(.turn), .line(.promptEcho("p")), .line(.promptEcho("q")),
                .line(.result),
            ],
            ["write p", "write q", "p completed", "q completed"], .idle),
        .ready(
            "an idle child runs nothing",
            [.prompt("p"), .line(.promptState(id: "p", .started)), .line(.state(.running)), .line(.state(.idle))],
            ["write p", "p completed"], .idle),
        .ready(
            "idle comes before a prompt that is on its way",
            [.line(.state(.running)), .prompt("p"), .line(.state(.idle))], ["write p"], .running),
        .ready("the same id is not run again", [.prompt("p"), .prompt("p")], ["write p"], .running),
        .ready(
            "nor after its end", [.prompt("p"), .line(done), .prompt("p")], ["write p", "p completed"], .idle),
        .ready(
            "an older child's turn goes on while a task runs",
            [.prompt("p"), .line(.turn), .line(.taskStarted("t")), .line(.promptEcho("p")), .line(.result)],
            ["write p", "p completed"], .running),
        Self("nowhere", [.prompt("p")], [], nil, refusals: [.unknownSession]),
    ]

    static let requests: [Self] = [
        .ready("a question", [.line(.asked("r"))], ["ask r"], .asking),
        .ready(
            "a question and its answer", [.line(.asked("r")), .decide("r", .allow(reason: "", update: nil))],
            ["ask r", "write allow r"], .idle),
        .ready(
            "one answer for each question",
            [.line(.asked("r")), .decide("r", .deny(message: "")), .decide("r", .allow(reason: "", update: nil))],
            ["ask r", "write deny r"], .idle),
        .ready("an answer to nothing", [.decide("r", .allow(reason: "", update: nil))], [], .idle),
        .ready(
            "a question is taken back",
            [.line(.asked("r")), .line(.withdrawn(request: "r")), .decide("r", .allow(reason: "", update: nil))],
            ["ask r", "withdraw r takenBack"], .idle),
        .ready(
            "two at a time", [.line(.asked("r")), .line(.asked("q")), .decide("q", .deny(message: ""))],
            ["ask r", "ask q", "write deny q"], .asking),
        .ready("a callback is no question to people", [.line(.asked("r", .callback))], ["ask r"], .idle),
        .ready(
            "the child ends", [.line(.asked("r")), .exit(.signal(9)), .decide("r", .allow(reason: "", update: nil))],
            ["ask r", "withdraw r childEnded", "sweep"], .parked),
        .ready(
            "nobody is asked while the session ends", [.stop, .line(.asked("r"))],
            ["write interrupt all", "write end", "write deny r"], .stopping),
        .ready("what we do not offer", [.line(.unsupported(request: "x"))], ["write refuse x"], .idle),
    ]

    static let ends: [Self] = [
        .ready(
            "an interrupt",
            [.interrupt(cancelsQueued: true), .line(.answered(request: "cdev-1-2", failure: nil)), .wait(5)],
            ["write interrupt all"], .idle),
        .ready(
            "an interrupt that is not answered", [.interrupt(cancelsQueued: false), .wait(5)],
            ["write interrupt", "signal interrupt"], .idle),
        Self("nothing to interrupt", [.interrupt(cancelsQueued: true)], [], nil, refusals: [.unknownSession]),
        .ready("a stop", [.stop, .exit(.code(0))], ["write interrupt all", "write end", "sweep"], .ended),
        .ready(
            "a prompt fails once", [.prompt("p"), .stop, .exit(.code(1)), .exit(.code(1))],
            ["write p", "write interrupt all", "write end", "sweep", "p failed"], .ended),
        .ready(
            "a stop that does not help", [.stop, .wait(4.9), .wait(0.1), .wait(5), .wait(60)],
            ["write interrupt all", "write end", "signal terminate", "signal kill"], .stopping),
        .ready(
            "no prompt while it ends", [.stop, .prompt("p")], ["write interrupt all", "write end"], .stopping,
            refusals: [.stopping]),
        Self(
            "a stop before the process is known", [.start, .prompt("p"), .stop, .spawned],
            ["spawn 1", "p cancelled", "write interrupt all", "write end"], .stopping),
        .ready(
            "a child ends by itself", [.prompt("p"), .line(.turn), .exit(.code(1))], ["write p", "sweep", "p failed"],
            .parked),
        .ready("idle for long", [.wait(0), .wait(1800), .exit(.code(0))], ["write end", "sweep"], .parked),
        .ready("background work keeps a child", [.line(.taskStarted("t")), .wait(1800), .wait(1800)], [], .idle),
        .ready(
            "a prompt for a parked session", [.line(.turn), .line(.result), .exit(.code(0)), .prompt("p")],
            ["sweep", "spawn 2 resumed"], .starting),
        .ready(
            "a prompt while the child is being parked",
            [.line(.turn), .line(.result), .wait(1800), .prompt("p"), .exit(.code(0))],
            ["write end", "sweep", "spawn 2 resumed"], .starting),
        .ready("no turn to go on in", [.exit(.code(0)), .prompt("p")], ["sweep", "spawn 2"], .starting),
        .ready(
            "a parked session is stopped", [.exit(.code(0)), .stop, .prompt("p")], ["sweep"], .ended,
            refusals: [.ended]),
    ]

    static let daemons: [Self] = [
        .ready("a child is adopted", [.line(.turn), .nextDaemon, .adopted], ["adopt 1"], .running),
        Self(
            "a start is repeated", [.start, .nextDaemon, .adopted], ["spawn 1", "adopt 1", "write initialize"],
            .starting),
        .ready(
            "an end goes on", [.stop, .nextDaemon, .adopted, .wait(5)],
            ["write interrupt all", "write end", "adopt 1", "write interrupt all", "write end", "signal terminate"],
            .stopping),
        .ready(
            "a child that is gone", [.prompt("p"), .nextDaemon, .exit(.unseen)],
            ["write p", "adopt 1", "sweep", "p failed"], .parked),
        Self(
            "a prompt that was never sent", [.start, .prompt("p"), .nextDaemon], ["spawn 1", "p failed", "adopt 1"],
            .starting),
        .ready(
            "a question waits for the next daemon",
            [.line(.asked("r")), .nextDaemon, .decide("r", .allow(reason: "", update: nil))], ["ask r", "adopt 1"],
            .asking),
        .ready(
            "and is asked again",
            [.line(.asked("r")), .nextDaemon, .line(.asked("r")), .decide("r", .deny(message: ""))],
            ["ask r", "adopt 1", "ask r", "write deny r"], .idle),
        .ready("a parked session stays parked", [.exit(.code(0)), .nextDaemon], ["sweep"], .parked),
    ]
}
