import Core
import OrderedJSON
import TestSupport

/// Run sessions on a stage: one session `s`, whose inputs are values.
struct RunStage {
    enum Input: Sendable {
        case cancel(String)
        case decide(String, HookAnswer)
        /// The answer waits to be written.
        case decideSlowly(String, HookAnswer)
        /// The device of `promptOfDevice` may do nothing any more.
        case dropDevice
        case exit(ChildExit)
        case interrupt(cancelsQueued: Bool)
        case keepsMuch
        case line(ChildEvent)
        /// The next daemon starts with what was written last; its children are not found yet.
        case nextDaemon
        case adopted
        case park
        case prompt(String)
        case promptOfDevice(String)
        /// Nothing of the prompt was written.
        case recalled(String)
        case set(PermissionMode)
        case spawned
        case spawnFailed
        case start
        case startOf(agent: String, hasOtherWriter: Bool)
        case stop
        case wait(Double)
    }

    var state: SessionState
    var now = Instant(milliseconds: 1_000_000)
    private(set) var effects: [SessionEffect] = []
    private(set) var refusals: [SessionRefusal] = []
    private(set) var row: RunSession?
    private var offset: Int64 = 0

    static let process = ProcessIdentity(pid: 7, startTime: 5)

    init(limits: SessionLimits = SessionLimits()) {
        state = SessionState(limits: limits)
    }

    private var run: Int { state["s"]?.run ?? 0 }

    mutating func send(_ input: Input) {
        do {
            let found = try take(input)
            for case .save(let row) in found { self.row = row }
            effects += found
        } catch let refusal as SessionRefusal {
            refusals.append(refusal)
        } catch {}
    }

    private mutating func take(_ input: Input) throws -> [SessionEffect] {
        switch input {
        case .adopted: return state.adopted(Self.process, session: "s", run: run, at: now)
        case .cancel(let prompt): return try state.cancel(prompt: prompt, session: "s", at: now).1
        case .dropDevice: return state.drop(promptsOf: "phone", at: now)
        case .decide(let request, let answer):
            let decided = state.decide(answer, request: request, session: "s", run: run, at: now).1
            return decided + state.written(answerTo: request, session: "s", run: run, at: now)
        case .decideSlowly(let request, let answer):
            return state.decide(answer, request: request, session: "s", run: run, at: now).1
        case .exit(let exit):
            offset = 0
            return state.exited(session: "s", run: run, exit, at: now)
        case .interrupt(let cancels): return try state.interrupt(session: "s", cancelsQueued: cancels, at: now)
        case .keepsMuch: return state.keepsMuch(session: "s", run: run, at: now)
        case .line(let event):
            defer { offset += 10 }
            return state.line(
                event, session: "s", run: run, at: SpoolPlace(offset: offset, length: 9), now: now)
        case .nextDaemon:
            state = SessionState(limits: state.limits)
            return state.restore(row.map { [$0] } ?? [])
        case .park: return try state.park(session: "s", at: now)
        case .prompt(let id):
            let prompt = SessionPrompt(id: id, blocks: [.text(id)])
            return try state.prompt(prompt, session: "s", at: now).1
        case .promptOfDevice(let id):
            let prompt = SessionPrompt(id: id, blocks: [.text(id)], sender: "phone")
            return try state.prompt(prompt, session: "s", at: now).1
        case .recalled(let id): return state.recalled(prompt: id, session: "s", at: now)
        case .set(let mode): return try state.set(RunSettings(mode: mode), session: "s", at: now)
        case .spawned: return state.spawned(Self.process, session: "s", run: run, at: now)
        case .spawnFailed: return state.spawnFailed(session: "s", run: run, "no such file", at: now)
        case .start: return try state.start(Self.start(), at: now).1
        case .startOf(let agent, let hasOtherWriter):
            return try state.start(
                Self.start(id: "t", agent: agent, isResumed: true, hasOtherWriter: hasOtherWriter), at: now
            ).1
        case .stop: return try state.stop(session: "s", at: now)
        case .wait(let seconds):
            now = now + seconds
            return state.timePassed(at: now)
        }
    }

    static func start(
        id: String = "s", agent: String = "a1", isResumed: Bool = false, hasOtherWriter: Bool = false
    ) -> SessionStart {
        SessionStart(
            id: id, workspaceID: "w", directory: "/p", agentID: agent, isResumed: isResumed,
            hasOtherWriter: hasOtherWriter)
    }
}

extension ChildEvent {
    static let turn = ChildEvent.turn(TurnFacts(agentID: "a1", mode: .default, model: "m"))
    static func asked(_ id: String, _ kind: ChildRequest.Kind = .permission) -> ChildEvent {
        .asked(ChildRequest(id: id, kind: kind, event: .tool(.permissionRequest, session: "a1")))
    }
    /// The first answer of the first child.
    static let ready = ChildEvent.answered(request: "cdev-1-1", failure: nil)
}

extension SessionEffect {
    /// The effect in a few words; `nil` for what is written and told of any change.
    var brief: String? {
        switch self {
        case .alarm(_, let what): "alarm \(what)"
        case .adopt(let session): "adopt \(session.run)"
        case .ask(_, let request): "ask \(request.id)"
        case .changed, .save: nil
        case .promptEnded(_, let prompt, let end): "\(prompt) \(end.brief)"
        case .recall(_, let prompt, _): "recall \(prompt)"
        case .signal(_, let signal): "signal \(signal)"
        case .spawn(let launch):
            "spawn \(launch.run)\(launch.isResumed ? " resumed" : "")"
                + (launch.mode == .default ? "" : " \(launch.mode.spelling)")
        case .sweep: "sweep"
        case .withdraw(_, let request, let why): "withdraw \(request) \(why)"
        case .write(_, let input): "write \(input.brief)"
        }
    }
}

extension PromptEnd {
    var brief: String {
        switch self {
        case .cancelled: "cancelled"
        case .completed: "completed"
        case .failed: "failed"
        }
    }
}

extension ChildInput {
    var brief: String {
        switch self {
        case .answer(let request, _, .allow): "allow \(request)"
        case .answer(let request, _, .deny): "deny \(request)"
        case .answer(let request, _, _): "pass \(request)"
        case .cancelPrompt(_, let prompt): "cancel \(prompt)"
        case .endSession: "end"
        case .initialize: "initialize"
        case .interrupt(_, let cancels): "interrupt\(cancels ? " all" : "")"
        case .listServers: "servers"
        case .probe: "probe"
        case .prompt(let id, _): id
        case .refusal(let request): "refuse \(request)"
        case .rename(_, let title): "rename \(title)"
        case .setEffort(_, let effort): "effort \(effort ?? "default")"
        case .setMode(_, let mode): "mode \(mode.spelling)"
        case .setModel(_, let model): "model \(model ?? "default")"
        }
    }
}
