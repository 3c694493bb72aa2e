import Core
import Dispatch
import Platform
import Services
import TestSupport

/// A child that writes down what it is told.
final class ScriptedHost: ChildHost, RunningChild {
    private struct State {
        var report: ChildReporter?
        var line: Int64 = 0
        var count = 0
        var isReleased = false
        var failure: ChildFailure?
        var question: ChildEvent?
        var readsNothing = false
        var isSlow = false
        var waiting: [@Sendable () -> Void] = []
        var terminals: Set<Int32> = []
        var signals: [ChildSignal] = []
        var launch: ChildLaunch?
        var recalled = RecalledPrompt.read
        var endsRest: @Sendable () async -> Void = {}
    }

    let written = Events<ChildInput>()
    let process = ProcessIdentity(pid: 77, startTime: 5)
    let projectSettings: ProjectSettings? = .ignored
    private let state = Locked(State())

    var count: Int { state.withLock { $0.count } }
    var isReleased: Bool { state.withLock { $0.isReleased } }
    var failure: ChildFailure? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }
    var readsNothing: Bool {
        get { state.withLock { $0.readsNothing } }
        set { state.withLock { $0.readsNothing = newValue } }
    }
    /// True while what is written waits.
    var isSlow: Bool {
        get { state.withLock { $0.isSlow } }
        set { state.withLock { $0.isSlow = newValue } }
    }
    /// Processes that are not ours.
    var terminals: Set<Int32> {
        get { state.withLock { $0.terminals } }
        set { state.withLock { $0.terminals = newValue } }
    }
    var signals: [ChildSignal] { state.withLock { $0.signals } }
    var launch: ChildLaunch? { state.withLock { $0.launch } }
    /// How far prompts come that are to be written no further.
    var recalled: RecalledPrompt {
        get { state.withLock { $0.recalled } }
        set { state.withLock { $0.recalled = newValue } }
    }
    /// Called when what a child left is to be ended.
    var endsRest: @Sendable () async -> Void {
        get { state.withLock { $0.endsRest } }
        set { state.withLock { $0.endsRest = newValue } }
    }
    /// What is read again.
    var question: ChildEvent? {
        get { state.withLock { $0.question } }
        set { state.withLock { $0.question = newValue } }
    }

    func report(_ event: ChildEvent, _ output: ChildOutput? = nil, line: String = "") async {
        let (report, place) = state.withLock { state in
            defer { state.line += 10 }
            return (state.report, SpoolPlace(offset: state.line, length: 9))
        }
        _ = await report?([.line(event, output, at: place, bytes: Array(line.utf8))])
    }

    func end(_ exit: ChildExit) async { _ = await state.withLock { $0.report }?([.ended(exit)]) }

    func start(_ launch: ChildLaunch, _ report: @escaping ChildReporter) throws(ChildFailure) -> any RunningChild {
        if let failure { throw failure }
        state.withLock { ($0.report, $0.launch) = (report, launch) }
        return self
    }

    func adopt(_ session: RunSession, _ report: @escaping ChildReporter) async -> (any RunningChild)? {
        state.withLock { $0.report = report }
        return self
    }

    func hasWriter(_ conversation: String, but ours: Set<Int32>) -> Bool { false }
    func endRest(of session: String, run: Int) async { await endsRest() }
    func identity(of pid: Int32) -> ProcessIdentity? {
        terminals.contains(pid) ? ProcessIdentity(pid: pid, startTime: 1) : nil
    }
    func check() -> AgentCheck? { nil }
    func clear(session: String) async {}

    func write(_ input: ChildInput, later: @escaping @Sendable () -> Void) -> QueuedInput {
        let waits = state.withLock { state in
            state.count += 1
            if state.isSlow { state.waiting.append(later) }
            return state.isSlow
        }
        written.add(input)
        return readsNothing ? .refused : waits ? .waits : .written
    }

    /// The child reads what waits for it.
    func readAll() {
        let waiting = state.withLock { state in
            defer { (state.isSlow, state.waiting) = (false, []) }
            return state.waiting
        }
        for later in waiting { later() }
    }

    func signal(_ signal: ChildSignal) { state.withLock { $0.signals.append(signal) } }
    func recall(_ prompt: String) -> RecalledPrompt { recalled }
    func question(_ open: OpenChildRequest) async -> ChildRequest? {
        if case .asked(let request)? = question { request } else { nil }
    }
    func release() { state.withLock { $0.isReleased = true } }
}

final class KeptRuns: RunSessionStore {
    private let kept = Locked<[String: RunSession]>([:])

    var rows: [String: RunSession] { kept.withLock { $0 } }

    func keep(_ sessions: [RunSession]) async throws {
        kept.withLock { kept in
            for session in sessions { kept[session.id] = session }
        }
    }
}

struct NoSessionPlaces: SessionPlaces {
    func note(_ call: HookCall) {}
}

final class RunnerExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "runner")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
