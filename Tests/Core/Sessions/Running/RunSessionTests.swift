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

    @Test(
        arguments: Case.starts + Case.prompts + Case.requests + Case.ends + Case.modes + Case.intrusions + Case.daemons)
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

    /// Each change is told with the whole list.
    @Test func thousandsOfTasksAreNotKept() {
        var stage = RunStage()
        for input in [RunStage.Input.start, .spawned, .line(.ready)] { stage.send(input) }
        for number in 1...1000 { stage.send(.line(.taskStarted("t\(number)"))) }
        #expect(stage.state["s"]?.tasks.count == RunSession.mostTasks)
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

    /// A person may trust the directory, or take that back, between two processes.
    @Test func eachProcessTellsAnewWhetherTheProjectsSettingsCount() throws {
        var stage = RunStage()
        let process = ProcessIdentity(pid: 7, startTime: 1)
        stage.send(.start)
        #expect(stage.state["s"]?.projectSettings == nil)
        let effects = stage.state.spawned(process, .ignored, session: "s", run: 1, at: stage.now)
        #expect(effects.contains { if case .save(let row) = $0 { row.projectSettings == .ignored } else { false } })
        for input in [RunStage.Input.line(.ready), .line(.turn), .exit(.code(0))] { stage.send(input) }
        #expect(stage.state["s"]?.phase == .parked && stage.state["s"]?.projectSettings == .ignored)
        stage.send(.prompt("p"))
        #expect(stage.state["s"]?.phase == .starting && stage.state["s"]?.projectSettings == nil)
        _ = stage.state.spawned(process, .used, session: "s", run: 2, at: stage.now)
        #expect(stage.state["s"]?.projectSettings == .used)
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
        Self(
            "a prompt that waits is taken back", [.start, .prompt("p"), .prompt("q"), .cancel("p")],
            ["spawn 1", "p cancelled"], .starting),
        .ready(
            "the child is asked for one that it has",
            [
                .prompt("p"), .line(.promptState(id: "p", .queued)), .cancel("p"),
                .line(.promptState(id: "p", .cancelled)),
            ],
            ["write p", "write cancel p", "p cancelled"], .idle),
        .ready(
            "one that has ended stays so", [.prompt("p"), .line(done), .cancel("p")], ["write p", "p completed"], .idle),
        Self("none of nothing", [.cancel("p")], [], nil, refusals: [.unknownSession]),
        Self(
            "what a device sent goes with it",
            [.start, .prompt("p"), .promptOfDevice("q"), .dropDevice, .spawned, .line(.ready)],
            ["spawn 1", "q cancelled", "write initialize", "write p"], .running),
        .ready(
            "but not what the child has",
            [.promptOfDevice("q"), .line(.promptState(id: "q", .queued)), .dropDevice, .exit(.code(1))],
            ["write q", "sweep", "q failed"], .parked),
        .ready(
            "what no child confirmed is given to no other",
            [.prompt("p"), .promptOfDevice("q"), .dropDevice, .exit(.signal(9))],
            ["write p", "write q", "recall q", "sweep", "q cancelled", "spawn 2"], .starting),
        .ready(
            "of which nothing was written has ended", [.promptOfDevice("q"), .dropDevice, .recalled("q")],
            ["write q", "recall q", "q cancelled"], .idle),
        .ready(
            "a child that took it up runs it",
            [.promptOfDevice("q"), .dropDevice, .line(.promptEcho("q")), .recalled("q")],
            ["write q", "recall q"], .running),
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
        .ready(
            "what is interrupted is given to no other child",
            [.prompt("p"), .prompt("q"), .interrupt(cancelsQueued: true), .exit(.signal(9))],
            ["write p", "write q", "write interrupt all", "sweep", "p cancelled", "q cancelled"], .parked),
        .ready(
            "what waits behind it is",
            [.prompt("p"), .prompt("q"), .interrupt(cancelsQueued: false), .exit(.signal(9))],
            ["write p", "write q", "write interrupt", "sweep", "p cancelled", "spawn 2"], .starting),
        .ready(
            "nor is what was taken back", [.prompt("p"), .cancel("p"), .exit(.signal(9))],
            ["write p", "write cancel p", "sweep", "p cancelled"], .parked),
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
            "a child ends by itself", [.prompt("p"), .line(.turn), .line(.promptEcho("p")), .exit(.code(1))],
            ["write p", "sweep", "p failed"], .parked),
        .ready(
            "a prompt that the child did not take is written to the next, once",
            [
                .prompt("p"), .exit(.code(1)), .spawned, .line(.answered(request: "cdev-2-1", failure: nil)),
                .exit(.code(1)),
            ],
            ["write p", "sweep", "spawn 2", "write initialize", "write p", "sweep", "p failed"], .parked),
        .ready("idle for long", [.wait(0), .wait(1800), .exit(.code(0))], ["write end", "sweep"], .parked),
        .ready("idle with an output that only its end shortens", [.keepsMuch, .wait(0)], ["write end"], .stopping),
        .ready(
            "such an output in a turn",
            [
                .prompt("p"), .line(.state(.running)), .keepsMuch, .wait(60), .line(done), .line(.state(.idle)),
                .wait(0),
            ],
            ["write p", "p completed", "write end"], .stopping),
        .ready(
            "the next child's is short",
            [
                .keepsMuch, .wait(0), .exit(.code(0)), .prompt("p"), .spawned,
                .line(.answered(request: "cdev-2-1", failure: nil)), .line(done), .wait(60),
            ],
            ["write end", "sweep", "spawn 2", "write initialize", "write p", "p completed"], .idle),
        .ready("a person takes over", [.park, .exit(.code(0)), .park], ["write end", "sweep"], .parked),
        .ready("not in the middle of a turn", [.line(.state(.running)), .park], [], .running, refusals: [.busy]),
        .ready("nor before a prompt", [.prompt("p"), .park], ["write p"], .running, refusals: [.busy]),
        .ready("nor from a task", [.line(.taskStarted("t")), .park], [], .idle, refusals: [.busy]),
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
}
