import Agents
import Core
import Platform
import Services
import Wire

/// A hook's call after parsing. A class, so that a held request keeps one pointer.
final class ReadHook: Sendable {
    let call: HookCall
    /// Set if later hooks of the same Claude process wait until the broker knows of this call.
    let turn: HookTurn?

    init(_ call: HookCall, turn: HookTurn?) {
        self.call = call
        self.turn = turn
    }
}

/// The place of a call in the order of its process, while it is read off the loop. Ends once.
final class HookTurn: Sendable {
    private let turns: Turns
    private let key: Locked<String?>

    init(_ turns: Turns, key: String) {
        self.turns = turns
        self.key = Locked(key)
    }

    func end() {
        let key = key.withLock { key in
            defer { key = nil }
            return key
        }
        if let key { turns.end(key) }
    }
}

/// A hook's HTTP request with its sender. A class, so that waiting work keeps one pointer.
final class HookBody: Sendable {
    let request: HTTPRequest
    /// The hook's name if the request came by a path of older scripts.
    let hook: CompatibleHook?
    let sender: Sender
    /// The Claude process that the relay's header names, as the key of its hooks' order. Each device has keys of its own,
    /// so that no hook of another sender waits for its bodies.
    let process: String?
    /// True if the kernel names the sender.
    let isOfThisMachine: Bool

    init(_ request: HTTPRequest, as hook: CompatibleHook?, from sender: Sender) {
        self.request = request
        self.hook = hook
        self.sender = sender
        let caller = sender.caller
        isOfThisMachine = if case .local = caller.identity { true } else { false }
        let order = isOfThisMachine ? "" : "\(caller.deviceID ?? caller.logName) "
        process = request.headers["Cdev-Claude-Pid"].map { order + $0 }
    }

    var size: Int { request.body.count }
}

/// Parses the bodies of hooks into events.
///
/// A small body is parsed at once, on the loop. A larger body goes to a thread of its own, because parsing the worst
/// ten megabytes takes seconds; its relay gets an interim answer at once. Later hooks of the same Claude process wait
/// for it, so that the broker gets them in order. Hooks of other processes do not wait, unless both bodies are huge.
final class HookReader: Sendable {
    private let log: any Log
    /// One thread: two bodies at a time would need twice the memory, and each would take twice as long beside the loop.
    private let hugeBodies = WorkLane(threads: 1, mostWeight: 128 << 20)
    /// For bodies up to `largestBesideHuge`, as of a call that writes a file: they must not wait for a huge body.
    private let largeBodies = WorkLane(threads: 1, mostWeight: 32 << 20)
    private static let largestBesideHuge = 256 << 10
    private let turns = Turns(mostWaiting: 256)

    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    private let ancestor: @Sendable (Int32, String) -> Int32?
    private let isDescendant: @Sendable (Int32, Int32) -> Bool

    init(
        log: any Log, sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        ancestor: @escaping @Sendable (Int32, String) -> Int32?,
        isDescendant: @escaping @Sendable (Int32, Int32) -> Bool
    ) {
        self.isDescendant = isDescendant
        self.log = log
        self.sha256 = sha256
        self.ancestor = ancestor
    }

    /// Parses the body now; `nil` if it is large, or an earlier hook of its process is still being read. Neither async
    /// nor inlined into an async function: a task keeps the stack of the largest function it ever called, so a held
    /// call would keep that of its parsing.
    @inline(never)
    func readAtOnce(_ body: HookBody) -> Result<ReadHook, RefusedRequest>? {
        guard body.size <= WorkLane.bytesAtOnce, !(body.process.map(turns.isBusy) ?? false) else { return nil }
        return parse(body, turn: nil)
    }

    /// Parses the body after earlier hooks of its process, a large body off the loop. Empties `rest`, so that the body
    /// is freed when this returns.
    /// - Parameter awaitsWords: True where the end of some call may bring words for the model.
    @inline(never)
    func readInTurn(
        _ rest: Locked<HookBody?>, via pending: any PendingResponse, awaitsWords: @Sendable () async -> Bool
    ) async -> Result<ReadHook, RefusedRequest> {
        guard let body = rest.withLock({ $0.take() }) else { preconditionFailure("a hook is read once") }
        // A relay gives up after two seconds without a byte, and Claude then goes on without asking cdev.
        let isRelay = body.request.headers["Cdev-Request"] != nil
        if isRelay { pending.sendInterim(HTTPInterim.processing([:])) }
        var turn: HookTurn?
        if let process = body.process {
            guard await turns.begin(process) else { return busy(body) }
            turn = HookTurn(turns, key: process)
        }
        guard body.size > WorkLane.bytesAtOnce else { return parse(body, turn: turn) }
        // A relay may leave now: earlier hooks of its process have been handled, and later ones wait for this one.
        if isRelay, turn != nil, await !awaitsWords() {
            pending.sendInterim(HTTPInterim.processing(HoldNotice.withoutWords))
        }
        let lane = body.size <= Self.largestBesideHuge ? largeBodies : hugeBodies
        let read = await lane.run(weight: body.size) { [turn] in self.parse(body, turn: turn) }
        guard let read else {
            turn?.end()
            return busy(body)
        }
        return read
    }

    @inline(never)
    private func parse(_ body: HookBody, turn: HookTurn?) -> Result<ReadHook, RefusedRequest> {
        do throws(HookInputError) {
            let call = try call(body)
            tell(of: call, body.request.path)
            return .success(ReadHook(call, turn: turn))
        } catch {
            turn?.end()
            log.warning("hook refused", ["path": body.request.path, "why": error.message])
            return .failure(RefusedRequest(.error(.badRequest, error.message)))
        }
    }

    private func call(_ body: HookBody) throws(HookInputError) -> HookCall {
        let request = body.request
        var event =
            if let hook = body.hook { try hook.event(request.body) } else {
                try AgentEvent(hookInput: request.body)
            }
        if body.size > WorkLane.bytesAtOnce { event = event.condensed() }
        var source = try HookSource(
            fields: request.headers, bodyDigest: sha256(request.body),
            isVerified: body.sender.caller.identity != .unverified, isOfThisMachine: body.isOfThisMachine,
            agentPID: process(of: event.agent, from: body.sender))
        source.isBelowAgent = isBelowAgent(event, source, body.sender)
        return HookCall(event, from: source)
    }

    /// True for the start and the end of a session by `/clear` whose sender is a descendant of the agent's process that
    /// it names. At other events nothing depends on it, and the sender may have left.
    private func isBelowAgent(_ event: AgentEvent, _ source: HookSource, _ sender: Sender) -> Bool {
        guard event.details.reason == "clear" || event.details.startSource == "clear", let agent = source.claudePID,
            case .local(let relay) = sender.caller.identity
        else { return false }
        return isDescendant(relay, agent)
    }

    /// Id of the agent's process, for agents whose relay sends no header with it.
    private func process(of agent: Agent, from sender: Sender) -> Int32? {
        guard let name = agent.profile.processName, case .local(let relay) = sender.caller.identity else { return nil }
        return ancestor(relay, name)
    }

    private func tell(of call: HookCall, _ path: String) {
        let event = call.event
        log.debug(
            "hook",
            [
                "path": path, "event": event.name.spelling, "session": event.sessionID,
                "tool": event.tool?.name ?? "", "verified": "\(call.source.isVerified)",
            ])
        if event.name.isBlocking { log.info("hook asks", ["path": path, "event": event.name.spelling]) }
    }

    private func busy(_ body: HookBody) -> Result<ReadHook, RefusedRequest> {
        log.warning("hook refused", ["path": body.request.path, "why": "too many large hooks at a time"])
        return .failure(
            RefusedRequest(.error(.serviceUnavailable, "too many large hooks at a time; send it again in a moment")))
    }
}
