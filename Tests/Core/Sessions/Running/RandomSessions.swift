import Core
import TestSupport
import Testing

/// One order of inputs, drawn from a seed: of people, of children, of the clock and of the next daemon.
struct RandomSessions {
    var random: SplitMix
    var state: SessionState
    var now = Instant(milliseconds: 1_000_000)
    var children: [String: FakeChild] = [:]
    /// The prompts that ran in each conversation.
    var transcripts: [String: Set<String>] = [:]
    var rows: [String: RunSession] = [:]
    /// Starts that the system has not carried out.
    var launches: [ChildLaunch] = []
    var record: SessionRecord
    /// True for orders in which the daemon may be killed between two effects.
    private var isCutShort: Bool
    private var lastPrompt = 0
    /// One that is killed while it finds its children does nothing more.
    private var daemons = 0

    private static let inputs: [(weight: Int, send: @Sendable (inout RandomSessions) -> Void)] = [
        (4, { $0.start() }), (14, { $0.prompt() }), (5, { $0.promptAgain() }), (5, { $0.interrupt() }),
        (5, { $0.cancel() }), (1, { $0.drop() }),
        (2, { $0.set() }),
        (2, { $0.stop() }), (60, { $0.act() }), (60, { $0.read() }), (15, { $0.decide() }), (12, { $0.spawn() }),
        (2, { $0.die() }), (8, { $0.reap() }), (8, { $0.pass() }), (2, { $0.nextDaemon() }),
        (3, { $0.tellOfAnEarlierChild() }),
    ]

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        var limits = SessionLimits()
        limits.children = 3
        limits.prompts = 6
        limits.known = 5
        state = SessionState(limits: limits)
        record = SessionRecord(name: "seed \(seed)")
        isCutShort = seed.isMultiple(of: 2)
    }

    mutating func step() {
        var left = random.int(below: Self.inputs.reduce(0) { $0 + $1.weight })
        for (weight, send) in Self.inputs {
            left -= weight
            guard left < 0 else { continue }
            send(&self)
            break
        }
        record.check(state, children)
    }

    /// Everybody stops, and all children do what they are told: nothing may be left open after that.
    mutating func end() {
        isCutShort = false
        for _ in 0..<20 {
            for id in state.all.map(\.id) { perform((try? state.stop(session: id, at: now)) ?? []) }
            while !launches.isEmpty { spawn() }
            for _ in 0..<200 { act() }
            for _ in 0..<600 { read() }
            reapAll()
            pass(seconds: 70)
        }
        record.check(state, children)
        record.checkEnd(state, children)
    }

    /// False if the daemon was killed meanwhile.
    @discardableResult
    mutating func perform(_ effects: [SessionEffect]) -> Bool {
        let isKilled = isCutShort && effects.count > 1 && random.isOne(in: 40)
        for effect in isKilled ? effects.prefix(random.int(below: effects.count)) : effects[...] { perform(effect) }
        if isKilled { nextDaemon() } else { settle(effects) }
        return !isKilled
    }

    /// Most answers are with the child at once.
    private mutating func settle(_ effects: [SessionEffect]) {
        for case .write(let session, .answer(let request, _, _)) in effects where !random.isOne(in: 4) {
            guard let run = state[session]?.run else { continue }
            for effect in state.written(answerTo: request, session: session, run: run, at: now) { perform(effect) }
        }
    }

    private mutating func perform(_ effect: SessionEffect) {
        record.note(effect, children)
        switch effect {
        case .save(let row): rows[row.id] = row
        case .signal(let session, let signal): children[session]?.signal(signal)
        case .spawn(let launch): launches.append(launch)
        case .write(let session, let input): children[session]?.take(input)
        case .alarm: record.expect(false, "nobody else writes to a child")
        case .adopt, .ask, .changed, .promptEnded, .recall, .sweep, .withdraw: break
        }
    }
}

extension RandomSessions {
    private mutating func start() {
        let id = "s\(random.int(below: 7))"
        let isResumed = random.isOne(in: 2)
        let start = RunStage.start(
            id: isResumed ? id + "r" : id, agent: "a" + id, isResumed: isResumed, hasOtherWriter: random.isOne(in: 8))
        if let (_, effects) = try? state.start(start, at: now) { perform(effects) }
    }

    private mutating func prompt() {
        lastPrompt += 1
        send(prompt: "p\(lastPrompt)")
    }

    private mutating func promptAgain() {
        if lastPrompt > 0 { send(prompt: "p\(random.int(below: lastPrompt) + 1)") }
    }

    private mutating func send(prompt: String) {
        guard let id = someSession() else { return }
        let prompt = SessionPrompt(
            id: prompt, blocks: [.text("x")], sender: random.isOne(in: 3) ? "phone" : nil)
        let isKnown = state.has(prompt: prompt.id, session: id)
        guard let (receipt, effects) = try? state.prompt(prompt, session: id, at: now) else { return }
        if !isKnown { record.noteSender(of: prompt, session: id) }
        // A sender whose daemon was killed heard nothing.
        if perform(effects) { record.note(prompt.id, receipt, session: id) }
    }

    private mutating func set() {
        guard let id = someSession() else { return }
        let settings = RunSettings(mode: .plan, model: "m", effort: "low", title: "t")
        perform((try? state.set(settings, session: id, at: now)) ?? [])
    }

    private mutating func cancel() {
        guard let id = someSession(), lastPrompt > 0 else { return }
        let prompt = "p\(random.int(below: lastPrompt) + 1)"
        if let (_, effects) = try? state.cancel(prompt: prompt, session: id, at: now) { perform(effects) }
    }

    private mutating func drop() {
        let effects = state.drop(promptsOf: "phone", at: now)
        guard perform(effects) else { return }
        record.noteRevocation()
        for case .recall(let session, let prompt, let request) in effects { recall(prompt, request, of: session) }
    }

    private mutating func recall(_ prompt: String, _ request: String, of session: String) {
        switch children[session]?.recall(prompt, &random) {
        case .read: children[session]?.take(.cancelPrompt(request: request, prompt: prompt))
        case .unread: children[session]?.signal(.kill)
        case .unwritten: perform(state.recalled(prompt: prompt, session: session, at: now))
        case nil: break
        }
    }

    private mutating func interrupt() {
        guard let id = someSession() else { return }
        perform((try? state.interrupt(session: id, cancelsQueued: random.isOne(in: 2), at: now)) ?? [])
    }

    private mutating func stop() {
        guard let id = someSession() else { return }
        perform((try? state.stop(session: id, at: now)) ?? [])
    }

    private mutating func act() {
        guard let id = someChild() else { return }
        children[id]!.act(&transcripts[id, default: []], &random)
    }

    private mutating func read() {
        guard let id = someChild(), let child = children[id], child.read < child.output.count else { return }
        children[id]!.read += 1
        perform(
            state.line(
                child.output[child.read], session: id, run: child.run, at: FakeChild.place(child.read), now: now))
    }

    /// Most answers are to open questions, the others are late or wrong.
    private mutating func decide() {
        let questions = record.asked.keys.sorted()
        guard let id = someSession(), let session = state[id] else { return }
        let open = session.requests.map(\.id)
        guard let request = (open.isEmpty || random.isOne(in: 4) ? questions : open).randomElement(using: &random)
        else { return }
        let answer: HookAnswer = random.one(of: [.allow(reason: "", update: nil), .deny(message: "no"), .pass])
        let (isDelivered, effects) = state.decide(answer, request: request, session: id, run: session.run, at: now)
        record.decide(request, answer, isDelivered: isDelivered)
        perform(effects)
    }

    private mutating func spawn() {
        guard !launches.isEmpty else { return }
        let launch = launches.removeFirst()
        guard !random.isOne(in: 12) else {
            perform(state.spawnFailed(session: launch.session, run: launch.run, "no", at: now))
            return
        }
        expect(children[launch.session]?.isAlive != true, "\(launch.session) has two processes")
        children[launch.session] = FakeChild(
            session: launch.session, run: launch.run, isModern: !random.isOne(in: 3), isStubborn: random.isOne(in: 6))
        perform(state.spawned(RunStage.process, session: launch.session, run: launch.run, at: now))
    }

    private mutating func die() {
        if let id = someChild() { children[id]!.end(random.one(of: [.code(0), .code(1), .signal(9)])) }
    }

    private mutating func reap() {
        if let id = someChild() { reap(id) }
    }

    private mutating func reapAll() {
        for id in children.keys.sorted() { reap(id) }
    }

    /// The end of a child is told behind all that it wrote.
    private mutating func reap(_ id: String) {
        guard let child = children[id], !child.isAlive, child.read == child.output.count else { return }
        let isTold = perform(state.exited(session: id, run: child.run, child.exit, at: now))
        if isTold, children[id]?.run == child.run, children[id]?.isAlive == false { children[id] = nil }
    }

    /// What is told late, of a child that is no longer the session's.
    private mutating func tellOfAnEarlierChild() {
        guard let id = someSession(), let run = state[id].map({ $0.run - 1 }) else { return }
        let place = FakeChild.place(1000)
        let events: [ChildEvent] = [
            .state(.idle), .asked("late"), .result, .answered(request: "cdev-1-1", failure: nil),
        ]
        let effects =
            state.line(random.one(of: events), session: id, run: run, at: place, now: now)
            + state.exited(session: id, run: run, .code(0), at: now)
            + state.spawned(RunStage.process, session: id, run: run, at: now)
            + state.spawnFailed(session: id, run: run, "no", at: now)
        expect(effects.isEmpty, "an earlier child of \(id) changed something")
    }

    private mutating func pass() {
        pass(seconds: random.isOne(in: 10) ? 1800 : Double(random.int(below: 20)))
    }

    private mutating func pass(seconds: Double) {
        now = now + seconds
        perform(state.timePassed(at: now))
    }

    /// Kills the daemon; the next one knows the rows, and finds children by what they read from.
    private mutating func nextDaemon() {
        record.daemonEnded()
        daemons += 1
        let mine = daemons
        // The numbers of its requests begin behind those of the last one.
        now = now + 1
        launches = []
        state = SessionState(limits: state.limits)
        let effects = state.restore(rows.values.sorted { $0.id < $1.id })
        for id in children.keys.sorted() where state[id]?.hasChild != true { children[id] = nil }
        for effect in effects { perform(effect) }
        for case .adopt(let session) in effects where daemons == mine { adopt(session) }
    }

    private mutating func adopt(_ session: RunSession) {
        let mine = daemons
        guard var child = children[session.id], child.run == session.run else {
            perform(state.exited(session: session.id, run: session.run, .unseen, at: now))
            return
        }
        child.read = Int(session.clocks.readTo / 10)
        child.losePrompts(&random)
        children[session.id] = child
        for request in session.requests where daemons == mine {
            let line = Int(request.place.offset / 10)
            perform(
                random.isOne(in: 20)
                    ? state.lost(request.id, session: session.id, run: session.run, at: now)
                    : state.line(
                        child.output[line], session: session.id, run: session.run, at: request.place, now: now))
        }
        if child.isAlive, daemons == mine {
            perform(state.adopted(RunStage.process, session: session.id, run: session.run, at: now))
        }
    }

    private mutating func someSession() -> String? { state.all.map(\.id).randomElement(using: &random) }
    private mutating func someChild() -> String? { children.keys.sorted().randomElement(using: &random) }

    private func expect(_ isTrue: Bool, _ message: String) { record.expect(isTrue, message) }
}
