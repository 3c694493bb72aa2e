package import Core
import Platform

/// Gives `SessionState` its inputs and performs its effects. The actor runs on the loop's thread, as the broker does.
package actor SessionRunner {
    /// The parts that a runner needs.
    package struct Parts: Sendable {
        let broker: Broker
        let children: any ChildHost
        let clock: any TimeSource
        let log: any Log
        let places: any SessionPlaces
        let processes: RunProcesses
        let store: any RunSessionStore
        let workspaces: any WorkspaceFinder
        let makeID: @Sendable (String) -> String
        let publish: @Sendable (LiveEvent) -> Void
        let executor: any SerialExecutor
        /// What an agent offered before this daemon started.
        let offer: AgentOffer
        let keepOffer: @Sendable (AgentOffer) -> Void

        /// - Parameters:
        ///   - publish: Passes an event to its subscribers, in the order of the calls.
        ///   - keepOffer: Keeps what an agent offers for the next daemon; never waits.
        package init(
            broker: Broker, children: any ChildHost, clock: any TimeSource, log: any Log, places: any SessionPlaces,
            processes: RunProcesses, store: any RunSessionStore, workspaces: any WorkspaceFinder,
            makeID: @escaping @Sendable (String) -> String, publish: @escaping @Sendable (LiveEvent) -> Void,
            executor: any SerialExecutor, offer: AgentOffer = AgentOffer(),
            keepOffer: @escaping @Sendable (AgentOffer) -> Void = { _ in }
        ) {
            self.broker = broker
            self.children = children
            self.clock = clock
            self.log = log
            self.places = places
            self.processes = processes
            self.store = store
            self.workspaces = workspaces
            self.makeID = makeID
            self.publish = publish
            self.executor = executor
            self.offer = offer
            self.keepOffer = keepOffer
        }
    }

    let parts: Parts
    var state: SessionState
    var children: [String: any RunningChild] = [:]
    /// The questions that the broker has, by the session and the child's id of the question.
    var questions: [String: [String: Task<Void, Never>]] = [:]
    /// The sessions as clients were told of them.
    var told: [String: RunSession] = [:]
    var watches = RunWatches()
    /// What the agents offer, and how the last turn of each session ended.
    var figures: RunFigures
    /// Requests of ours that somebody waits for.
    var answers = AwaitedAnswers()
    /// When a question of each session last ended.
    var questionEnds: [String: Uptime] = [:]
    /// Answers whose bytes the children have, and those of which the broker is to hear that.
    var writtenAnswers: [AnswerKey] = []
    var receipts: [AnswerKey: DeliveryReceipt] = [:]
    /// Numbers of processes that the daemon ran and that have ended.
    var formerProcesses: Set<Int32> = []
    /// Who works in the conversations of sessions that were lent.
    var lent: [String: ProcessIdentity] = [:]
    var partings: [String: [CheckedContinuation<Void, Never>]] = [:]
    /// For children that are being found again, whose lines may be taken in before.
    var unwritten: [String: [ChildInput]] = [:]
    private var unsaved: [String: RunSession] = [:]
    private var saving: Task<Void, Never>?
    /// The last attempt to write failed.
    private var cannotWrite = false
    /// Up to where the output of each child was read, as its row has it.
    private var written: [String: Int64] = [:]
    private var wake: (at: Uptime, timer: any Cancellable)?
    private(set) var isClosing = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { parts.executor.asUnownedSerialExecutor() }

    package init(_ parts: Parts, limits: SessionLimits = SessionLimits()) {
        self.parts = parts
        state = SessionState(limits: limits)
        figures = RunFigures(newest: parts.offer)
    }

    /// Takes in what the last daemon wrote, and finds its children again. Call once, before any client or hook can
    /// connect; returns once each child is found or was reported to have ended.
    package func restore(_ sessions: [RunSession]) async {
        noteEarlierQuestions(of: sessions)
        let effects = state.restore(sessions)
        perform(effects.filter { if case .adopt = $0 { false } else { true } })
        for case .adopt(let session) in effects { await adopt(session) }
    }

    /// Leaves all children to the next daemon. Nothing is written to them after this.
    package func close() async {
        isClosing = true
        stopWaiting()
        for session in partings.keys { part(session) }
        wake?.timer.cancel()
        for child in children.values { child.release() }
        for session in state.all { unsaved[session.id] = session }
        save()
        await saving?.value
    }

    func perform(_ effects: [SessionEffect]) {
        guard !isClosing else { return }
        for effect in effects { perform(effect) }
        settleAnswers()
        parts.processes.note(state.all)
        save()
        setTimer()
    }

    func perform(_ effect: SessionEffect) {
        switch effect {
        case .adopt, .recall: break
        case .alarm(let session, let what): alarm(session, what)
        case .ask(let session, let request): ask(request, of: session)
        case .changed(let session): tell(session)
        case .promptEnded(let session, let prompt, let end): tellEnd(of: prompt, end, in: session)
        case .save(let session): unsaved[session.id] = session
        case .signal(let session, let signal): children[session]?.signal(signal)
        case .spawn(let launch):
            written[launch.session] = 0
            spawn(launch)
        case .sweep(let session): sweep(session)
        case .withdraw(let session, let request, _):
            noteQuestionEnd(of: session)
            questions[session]?.removeValue(forKey: request)?.cancel()
        case .write(let session, let input): write(input, to: session)
        }
    }

    /// A child that reads nothing, until more waits than is kept, is ended: a prompt or an answer would be lost, and its
    /// sender would wait for ever.
    func write(_ input: ChildInput, to session: String) {
        guard let child = children[session] else { return unwritten[session, default: []].append(input) }
        switch child.write(input, later: whenWritten(input, to: session)) {
        case .refused:
            parts.log.warning("an agent reads nothing, so it is ended", ["session": session])
            child.signal(.terminate)
        case .waits: break
        case .written: noteWritten(input, to: session)
        }
    }

    private func adopt(_ session: RunSession) async {
        let child = await parts.children.adopt(session, reporter(session.id, session.run))
        guard let child else { return }
        children[session.id] = child
        for input in unwritten.removeValue(forKey: session.id) ?? [] { write(input, to: session.id) }
        await askAgain(session, child)
        perform(state.adopted(child.process, session: session.id, run: session.run, at: parts.clock.now()))
    }

    func take(_ reports: [ChildReport], of session: String, _ run: Int) async -> Int64 {
        showLines(reports, of: session, run)
        for report in reports where !isClosing {
            let now = parts.clock.now()
            switch report {
            case .ended(let exit, let said): await ended(session, run, exit, said: said)
            case .line(let event, let output, let place, _):
                show(output, at: place, of: session, run)
                let other = await namesAnother(event, session)
                let effects = state.line(event, session: session, run: run, at: place, now: now, namesAnother: other)
                // Most lines change nothing, and there may be thousands in a second.
                if !effects.isEmpty { perform(effects) }
                if case .answered(let request, _, _) = event { answered(request, of: session, output) }
            case .muchKept: perform(state.keepsMuch(session: session, run: run, at: now))
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

    // MARK: Rows and time

    /// Writes the last state of each session that changed; what changes meanwhile is written next. What cannot be written
    /// now is tried again with the next change, and after a while.
    private func save() {
        guard saving == nil, !unsaved.isEmpty else { return }
        saving = Task {
            repeat {} while await saveAll()
            saving = nil
        }
    }

    /// Returns false if there is nothing left to write, or it cannot be written now.
    private func saveAll() async -> Bool {
        let rows = unsaved.values.sorted { $0.id < $1.id }
        guard !rows.isEmpty else { return false }
        unsaved = [:]
        do {
            try await parts.store.keep(rows)
            for row in rows { written[row.id] = row.phase == .ended ? nil : row.clocks.readTo }
            cannotWrite = false
            return true
        } catch {
            parts.log.error("run sessions could not be written down", ["why": "\(error)"])
            cannotWrite = true
            for row in rows where unsaved[row.id] == nil { unsaved[row.id] = row }
            if !isClosing { saveLater() }
            return false
        }
    }

    private func saveLater() {
        let later = parts.clock.now().uptime + Self.secondsBetweenTries
        _ = parts.clock.call(at: later) { [weak self] in Task { await self?.save() } }
    }

    private static let secondsBetweenTries: Double = 2

    /// Returns once what was done with a session is written down. False if it cannot be at this moment.
    func isWritten(_ session: String) async -> Bool {
        await saving?.value
        // A row that changed since is not meant.
        return !cannotWrite || unsaved[session] == nil
    }

    /// Likewise, of all sessions.
    func isAllWritten() async -> Bool {
        await saving?.value
        return !cannotWrite || unsaved.isEmpty
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
