import Core
import TestSupport

/// A child as it behaves: it answers, runs one prompt after another, asks, and ends when it likes.
struct FakeChild {
    let session: String
    let run: Int
    /// It tells its state and the life cycle of prompts.
    let isModern: Bool
    /// It takes no request to end, and no signal but the last.
    let isStubborn: Bool
    private(set) var isAlive = true
    private(set) var exit = ChildExit.code(0)
    /// What it wrote, and how much of it the daemon read.
    private(set) var output: [ChildEvent] = []
    var read = 0
    private var inbox: [ChildInput] = []
    private var queue: [String] = []
    private var turn: String?
    private(set) var open: Set<String> = []
    /// Prompts that ran a second time.
    private(set) var ranTwice: [String] = []
    private var asked = 0

    init(session: String, run: Int, isModern: Bool, isStubborn: Bool) {
        self.session = session
        (self.run, self.isModern, self.isStubborn) = (run, isModern, isStubborn)
    }

    /// That of a session and of the one that goes on with it (`s3`, `s3r`).
    private var conversation: String { "a" + session.prefix(2) }

    static func place(_ line: Int) -> SpoolPlace { SpoolPlace(offset: Int64(line) * 10, length: 9) }

    mutating func take(_ input: ChildInput) { if isAlive { inbox.append(input) } }

    mutating func signal(_ signal: ChildSignal) {
        guard signal == .kill || !isStubborn else { return }
        end(signal == .interrupt ? .code(0) : .signal(signal == .kill ? 9 : 15))
    }

    /// The daemon was killed before it wrote the last prompts. Of one it may have written half: the child ends at it.
    mutating func losePrompts(_ random: inout SplitMix) {
        var lost = 0
        while lost < 3, case .prompt? = inbox.last, random.isOne(in: 2) {
            inbox.removeLast()
            lost += 1
        }
        if lost > 0, random.isOne(in: 2) { end(.code(1)) }
    }

    enum Recall {
        case read, unread, unwritten
    }

    /// Sometimes nothing of the last message was written.
    mutating func recall(_ prompt: String, _ random: inout SplitMix) -> Recall {
        guard !inbox.isEmpty else { return .read }
        guard case .prompt(prompt, _)? = inbox.last, random.isOne(in: 2) else { return .unread }
        inbox.removeLast()
        return .unwritten
    }

    mutating func end(_ how: ChildExit) {
        guard isAlive else { return }
        (isAlive, exit) = (false, how)
    }

    /// Does something. `transcript`: the prompts that ran in the conversation.
    mutating func act(_ transcript: inout Set<String>, _ random: inout SplitMix) {
        guard isAlive else { return }
        if !inbox.isEmpty { return handle(inbox.removeFirst(), transcript, &random) }
        guard let turn else { return beginTurn(&transcript) }
        switch random.int(below: 6) {
        case 0: ask(turn, random.one(of: [.permission, .permission, .callback]))
        case 1: if let request = open.min() { withdraw(request) }
        case 2: output.append(.other)
        case 3:
            output.append(
                random.one(of: [.taskStarted("t"), .taskEnded("t"), .title("x"), .unsupported(request: "u")]))
        default: if open.isEmpty { endTurn() }
        }
    }

    private mutating func handle(_ input: ChildInput, _ transcript: Set<String>, _ random: inout SplitMix) {
        switch input {
        case .answer(let request, _, _): open.remove(request)
        case .cancelPrompt(let request, let prompt):
            if let index = queue.firstIndex(of: prompt), isModern {
                queue.remove(at: index)
                output.append(.promptState(id: prompt, .cancelled))
            }
            output.append(.answered(request: request, failure: nil))
        case .endSession: if !isStubborn { end(.code(random.one(of: [0, 1]))) }
        case .initialize(let request):
            output.append(.answered(request: request, failure: random.isOne(in: 30) ? "no" : nil))
        case .interrupt(let request, let cancels): interrupt(request, cancels)
        case .listServers(let request), .probe(let request): output.append(.answered(request: request, failure: nil))
        case .prompt(let id, _) where transcript.contains(id):
            output += isModern ? [.promptState(id: id, .completed)] : [.promptEcho(id), .result]
        // Measured with 2.1.330: one that waits or runs is not taken twice either.
        case .prompt(let id, _) where queue.contains(id): break
        case .prompt(let id, _) where turn == id: output.append(.promptEcho(id))
        case .prompt(let id, _):
            queue.append(id)
            if isModern { output.append(.promptState(id: id, .queued)) }
        case .refusal, .rename: break
        case .setMode(let request, let mode):
            output += [.answered(request: request, failure: nil), .mode(mode)]
        case .setEffort(let request, _), .setModel(let request, _):
            output.append(.answered(request: request, failure: nil))
        }
    }

    private mutating func beginTurn(_ transcript: inout Set<String>) {
        guard !queue.isEmpty else { return }
        let prompt = queue.removeFirst()
        turn = prompt
        if !transcript.insert(prompt).inserted { ranTwice.append(prompt) }
        output += isModern ? [.state(.running), .promptState(id: prompt, .started)] : []
        output += [.turn(TurnFacts(agentID: conversation, mode: .default, model: "m")), .promptEcho(prompt)]
    }

    private mutating func endTurn() {
        guard let prompt = turn else { return }
        turn = nil
        output.append(.result)
        if isModern { output += [.promptState(id: prompt, .completed), .state(.idle)] }
    }

    private mutating func ask(_ turn: String, _ kind: ChildRequest.Kind) {
        asked += 1
        let id = "\(session)-\(run)-\(turn)-\(asked)"
        open.insert(id)
        output.append(.asked(id, kind))
    }

    private mutating func withdraw(_ request: String) {
        open.remove(request)
        output.append(.withdrawn(request: request))
    }

    private mutating func interrupt(_ request: String, _ cancels: Bool) {
        for request in open.sorted() { withdraw(request) }
        endTurn()
        if cancels, isModern {
            output += queue.map { .promptState(id: $0, .cancelled) }
            queue = []
        }
        output.append(.answered(request: request, failure: nil))
    }
}
