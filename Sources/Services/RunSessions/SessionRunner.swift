package import Core
import Platform

/// Gives `SessionState` its inputs and performs its effects. The actor runs on the loop's thread, as the broker does.
package actor SessionRunner {
    /// What a runner needs.
    package struct Parts: Sendable {
        let broker: Broker
        let children: any ChildHost
        let clock: any TimeSource
        let log: any Log
        let places: any SessionPlaces
        let store: any RunSessionStore
        let workspaces: any WorkspaceFinder
        let makeID: @Sendable (String) -> String
        let executor: any SerialExecutor

        package init(
            broker: Broker, children: any ChildHost, clock: any TimeSource, log: any Log, places: any SessionPlaces,
            store: any RunSessionStore, workspaces: any WorkspaceFinder,
            makeID: @escaping @Sendable (String) -> String, executor: any SerialExecutor
        ) {
            self.broker = broker
            self.children = children
            self.clock = clock
            self.log = log
            self.places = places
            self.store = store
            self.workspaces = workspaces
            self.makeID = makeID
            self.executor = executor
        }
    }

    let parts: Parts
    package nonisolated let processes = RunProcesses()
    var state: SessionState
    var children: [String: any RunningChild] = [:]
    /// The questions that the broker has, by the session and the child's id of the question.
    var questions: [String: [String: Task<Void, Never>]] = [:]
    private var unsaved: [String: RunSession] = [:]
    private var saving: Task<Void, Never>?
    /// Up to where the output of each child was read, as its row has it.
    private var written: [String: Int64] = [:]
    private var wake: (at: Uptime, timer: any Cancellable)?
    private(set) var isClosing = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { parts.executor.asUnownedSerialExecutor() }

    package init(_ parts: Parts, limits: SessionLimits = SessionLimits()) {
        self.parts = parts
        state = SessionState(limits: limits)
    }

    /// Takes in what the last daemon wrote, and finds its children again. Call once, before any client or hook can
    /// connect; returns once each child is found or was reported to have ended.
    package func restore(_ sessions: [RunSession]) async {
        let effects = state.restore(sessions, at: parts.clock.now())
        perform(effects.filter { if case .adopt = $0 { false } else { true } })
        for case .adopt(let session) in effects { await adopt(session) }
    }

    /// Leaves all children to the next daemon. Nothing is written to them after this.
    package func close() async {
        isClosing = true
        wake?.timer.cancel()
        for child in children.values { child.release() }
        for session in state.all { unsaved[session.id] = session }
        save()
        await saving?.value
    }

    func perform(_ effects: [SessionEffect]) {
        guard !isClosing else { return }
        for effect in effects { perform(effect) }
        processes.note(state.all)
        save()
        setTimer()
    }

    private func perform(_ effect: SessionEffect) {
        switch effect {
        case .adopt: break
        case .ask(let session, let request): ask(request, of: session)
        case .changed(let session): parts.log.debug("run session", ["id": session.id, "is": session.phase.rawValue])
        case .promptEnded(let session, let prompt, _):
            parts.log.debug("prompt ended", ["session": session, "prompt": prompt])
        case .save(let session): unsaved[session.id] = session
        case .signal(let session, let signal): children[session]?.signal(signal)
        case .spawn(let launch):
            written[launch.session] = 0
            spawn(launch)
        case .sweep(let session): sweep(session)
        case .withdraw(let session, let request, _): questions[session]?.removeValue(forKey: request)?.cancel()
        case .write(let session, let input): write(input, to: session)
        }
    }

    /// A child that reads nothing, until more waits than is kept, is ended: a prompt or an answer would be lost, and its
    /// sender would wait for ever.
    private func write(_ input: ChildInput, to session: String) {
        guard let child = children[session], !child.write(input) else { return }
        parts.log.warning("an agent reads nothing, so it is ended", ["session": session])
        child.signal(.terminate)
    }

    private func spawn(_ launch: ChildLaunch) {
        Task {
            do throws(ChildFailure) {
                let child = try await parts.children.start(launch, reporter(launch.session, launch.run))
                began(child, launch)
            } catch {
                parts.log.warning("an agent could not be started", ["session": launch.session, "why": error.reason])
                perform(
                    state.spawnFailed(
                        session: launch.session, run: launch.run, error.reason, at: parts.clock.now()))
            }
        }
    }

    private func began(_ child: any RunningChild, _ launch: ChildLaunch) {
        guard !isClosing else { return child.release() }
        children[launch.session] = child
        perform(
            state.spawned(child.process, session: launch.session, run: launch.run, at: parts.clock.now()))
    }

    private func adopt(_ session: RunSession) async {
        let child = await parts.children.adopt(session, reporter(session.id, session.run))
        guard let child else { return }
        children[session.id] = child
        await askAgain(session, child)
        perform(state.adopted(child.process, session: session.id, run: session.run, at: parts.clock.now()))
    }

    private func reporter(_ session: String, _ run: Int) -> ChildReporter {
        { [weak self] reports in await self?.take(reports, of: session, run) ?? 0 }
    }

    private func take(_ reports: [ChildReport], of session: String, _ run: Int) -> Int64 {
        for report in reports where !isClosing {
            let now = parts.clock.now()
            switch report {
            case .ended(let exit):
                children[session] = nil
                perform(state.exited(session: session, run: run, exit, at: now))
            case .line(let event, _, let place):
                perform(state.line(event, session: session, run: run, at: place, now: now))
            case .tooMuch:
                perform((try? state.stop(session: session, because: .outputTooLong, at: now)) ?? [])
            }
        }
        return readAgain(session, run)
    }

    /// The first byte of the child's output that the next daemon would read.
    private func readAgain(_ session: String, _ run: Int) -> Int64 {
        guard let known = state[session], known.run == run else { return 0 }
        let written = written[session] ?? 0
        if known.clocks.readTo - written > Self.readAgainAtMost {
            unsaved[session] = known
            save()
        }
        return known.requests.map(\.place.offset).reduce(written, min)
    }

    /// Bytes: lines that change nothing are not worth a row each.
    private static let readAgainAtMost: Int64 = 1 << 20

    /// The files of a child are replaced by those of the next; only behind the last one nobody comes.
    private func sweep(_ session: String) {
        guard state[session]?.phase == .ended else { return }
        Task { await parts.children.clear(session: session) }
    }

    // MARK: Rows and time

    /// Writes the last state of each session that changed; what changes meanwhile is written next.
    private func save() {
        guard saving == nil, !unsaved.isEmpty else { return }
        saving = Task {
            while !unsaved.isEmpty {
                let rows = unsaved.values.sorted { $0.id < $1.id }
                unsaved = [:]
                do {
                    try await parts.store.keep(rows)
                    for row in rows { written[row.id] = row.phase == .ended ? nil : row.clocks.readTo }
                } catch {
                    parts.log.error("run sessions could not be written down", ["why": "\(error)"])
                }
            }
            saving = nil
        }
    }

    private func setTimer() {
        guard let next = state.nextWake(), wake.map({ next < $0.at }) ?? true else { return }
        wake?.timer.cancel()
        wake = (next, parts.clock.call(at: next) { [weak self] in Task { await self?.timePassed() } })
    }

    private func timePassed() {
        wake = nil
        perform(state.timePassed(at: parts.clock.now()))
    }
}
