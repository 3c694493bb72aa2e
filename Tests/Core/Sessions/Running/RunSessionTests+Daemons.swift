import Core

/// Modes, what somebody else writes to a child, and the next daemon.
extension RunSessionTests.Case {
    private static let acceptEdits: ChildEvent = .mode(.acceptEdits)

    static let modes: [Self] = [
        .ready(
            "a mode that the child did not take is that of the next",
            [.line(acceptEdits), .set(.default), .exit(.signal(9)), .prompt("p")],
            ["write mode default", "sweep", "spawn 2"], .starting),
        .ready(
            "the last one is", [.set(.default), .set(.plan), .exit(.signal(9)), .prompt("p")],
            ["write mode default", "write mode plan", "sweep", "spawn 2 plan"], .starting),
        .ready(
            "also with the next daemon",
            [.line(acceptEdits), .set(.default), .nextDaemon, .exit(.unseen), .prompt("p")],
            ["write mode default", "adopt 1", "sweep", "spawn 2"], .starting),
        .ready(
            "which tells it to the child again", [.line(acceptEdits), .set(.default), .nextDaemon, .adopted],
            ["write mode default", "adopt 1", "write mode default", "write probe"], .idle),
        .ready(
            "a mode that it refuses is not",
            [.set(.plan), .line(.answered(request: "cdev-1-2", failure: "no")), .exit(.code(0)), .prompt("p")],
            ["write mode plan", "sweep", "spawn 2"], .starting),
        .ready(
            "nor one that it leaves again",
            [
                .set(.plan), .line(.answered(request: "cdev-1-2", failure: nil)), .line(acceptEdits), .exit(.code(0)),
                .prompt("p"),
            ],
            ["write mode plan", "sweep", "spawn 2 acceptEdits"], .starting),
    ]

    private static let allow = HookAnswer.allow(reason: "", update: nil)

    private static func shown(_ request: String, _ verdict: ShownAnswer.Verdict) -> ChildEvent {
        .answered(request: request, failure: nil, shown: ShownAnswer(verdict, hasUpdate: verdict == .allow))
    }

    static let intrusions: [Self] = [
        .ready(
            "our own answer, shown back", [.line(.asked("r")), .decide("r", allow), .line(shown("r", .allow))],
            ["ask r", "write allow r"], .idle),
        .ready(
            "an answer that nobody gave", [.line(.asked("r")), .line(shown("r", .allow)), .exit(.signal(9))],
            ["ask r", "signal kill", "withdraw r childEnded", "alarm an answer", "sweep"], .ended),
        .ready(
            "an allow in place of our deny",
            [.line(.asked("r", .callback)), .decide("r", .deny(message: "")), .line(shown("r", .allow))],
            ["ask r", "write deny r", "signal kill", "alarm a request"], .stopping),
        .ready(
            "a deny in place of our allow",
            [.line(.asked("r")), .decide("r", allow), .line(shown("r", .deny))], ["ask r", "write allow r"], .idle),
        .ready(
            "a request that nobody made", [.line(shown("z", .none)), .line(shown("z", .none))],
            ["signal kill", "alarm a request"], .stopping),
        .ready(
            "one with an id like ours", [.line(.answered(request: "cdev-1-9", failure: nil))],
            ["signal kill", "alarm a request"], .stopping),
        .ready(
            "a prompt that nobody sent", [.line(.promptState(id: "x", .queued))], ["signal kill", "alarm a prompt"],
            .stopping),
        .ready(
            "a prompt that is told again",
            [.prompt("p"), .line(.promptState(id: "p", .completed)), .line(.promptState(id: "p", .queued))],
            ["write p", "p completed"], .idle),
        .ready("what the agent prompts itself with", [.line(.promptEcho("x"))], [], .idle),
        .ready(
            "the last daemon's answer, shown to the next",
            [.line(.asked("r")), .nextDaemon, .line(.asked("r")), .line(shown("r", .allow))],
            ["ask r", "adopt 1", "ask r", "withdraw r takenBack"], .idle),
        .ready(
            "what the last daemon asked, until this one is answered",
            [
                .nextDaemon, .adopted, .line(shown("q", .allow)), .line(.answered(request: "cdev-1-7", failure: nil)),
                .line(.answered(request: "cdev-1-1000001", failure: nil)),
                .line(.answered(request: "cdev-1-8", failure: nil)), .line(shown("q", .allow)),
            ],
            ["adopt 1", "write probe", "signal kill", "alarm a request"], .stopping),
    ]

    static let daemons: [Self] = [
        .ready(
            "an answer that was not written is given again",
            [
                .line(.asked("r")), .decideSlowly("r", allow), .decide("r", allow), .nextDaemon, .line(.asked("r")),
                .decide("r", allow),
            ],
            ["ask r", "write allow r", "adopt 1", "ask r", "write allow r"], .idle),
        .ready(
            "a question that is answered is not taken back",
            [.line(.asked("r")), .decideSlowly("r", allow), .line(.withdrawn(request: "r"))],
            ["ask r", "write allow r"], .idle),
        .ready(
            "what was taken back is not given to the child again",
            [
                .line(.state(.idle)), .prompt("p"), .interrupt(cancelsQueued: true), .nextDaemon, .adopted,
                .line(.answered(request: "cdev-1-1000002", failure: nil)),
            ],
            ["write p", "write interrupt all", "adopt 1", "write cancel p", "write probe", "p cancelled"], .idle),
        .ready("a child is adopted", [.line(.turn), .nextDaemon, .adopted], ["adopt 1", "write probe"], .running),
        Self(
            "a start that was not begun",
            [.start, .nextDaemon, .adopted, .line(.answered(request: "cdev-1-1000001", failure: nil))],
            ["spawn 1", "adopt 1", "write probe", "write initialize"], .starting),
        Self(
            "a start that was",
            [.start, .nextDaemon, .adopted, .line(.ready), .line(.answered(request: "cdev-1-1000001", failure: nil))],
            ["spawn 1", "adopt 1", "write probe"], .idle),
        .ready(
            "an end goes on", [.stop, .nextDaemon, .adopted, .wait(5)],
            ["write interrupt all", "write end", "adopt 1", "write interrupt all", "write end", "signal terminate"],
            .stopping),
        .ready(
            "a child that is gone", [.prompt("p"), .nextDaemon, .exit(.unseen)],
            ["write p", "adopt 1", "sweep", "spawn 2"], .starting),
        Self(
            "a prompt that was never sent",
            [
                .start, .prompt("p"), .nextDaemon, .exit(.unseen), .spawned,
                .line(.answered(request: "cdev-2-1", failure: nil)),
            ],
            ["spawn 1", "adopt 1", "sweep", "spawn 2", "write initialize", "write p"], .running),
        .ready(
            "a prompt that the last daemon did not write",
            [
                .line(.state(.idle)), .prompt("p"), .nextDaemon, .adopted,
                .line(.answered(request: "cdev-1-1000001", failure: nil)),
            ],
            ["write p", "adopt 1", "write probe", "write p"], .running),
        .ready(
            "a prompt that it wrote",
            [
                .line(.state(.idle)), .prompt("p"), .nextDaemon, .adopted, .line(.promptState(id: "p", .queued)),
                .line(.answered(request: "cdev-1-1000001", failure: nil)),
            ],
            ["write p", "adopt 1", "write probe"], .running),
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
