import Agents
import Core
import Platform
import Services
import Wire

/// A hook's call as it was read. A class: what waits keeps it as one pointer.
final class ReadHook: Sendable {
    let call: HookCall
    /// Not nil where others of the same Claude process wait until the broker knows of this call.
    let turn: HookTurn?

    init(_ call: HookCall, turn: HookTurn?) {
        self.call = call
        self.turn = turn
    }
}

/// The place of a call that is read off the loop in the order of its process; ends once.
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

/// A hook's request and what is known of its sender. A class: what waits keeps it as one pointer.
final class HookBody: Sendable {
    let request: HTTPRequest
    /// The older form, if it is one.
    let hook: CompatibleHook?
    let sender: Sender
    /// The Claude process that sent it, as its relay names it.
    let process: String?

    init(_ request: HTTPRequest, as hook: CompatibleHook?, from sender: Sender) {
        self.request = request
        self.hook = hook
        self.sender = sender
        process = request.headers["Cdev-Claude-Pid"]
    }

    var size: Int { request.body.count }
}

/// From the body of a hook to its event.
///
/// A small body is read at once, on the loop. A larger one goes to a thread of its own, for parsing the worst of ten
/// megabytes takes seconds, and its relay hears at once that the daemon lives. What the same Claude process sends
/// behind it waits for it, so that hooks reach the broker in the order in which they came; the others do not.
final class HookReader: Sendable {
    private let log: any Log
    /// One thread: two bodies at a time would take twice the memory, and each twice as long beside the loop.
    private let lane = WorkLane(threads: 1, mostWeight: 128 << 20)
    private let turns = Turns(mostWaiting: 256)

    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    private let ancestor: @Sendable (Int32, String) -> Int32?

    init(
        log: any Log, sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        ancestor: @escaping @Sendable (Int32, String) -> Int32?
    ) {
        self.log = log
        self.sha256 = sha256
        self.ancestor = ancestor
    }

    /// `nil` where it is large, or others of its process are being read. Not async, nor inlined into what is: a task
    /// keeps the memory of the largest function it ever called, so a held call would keep that of its parsing.
    @inline(never)
    func readAtOnce(_ body: HookBody) -> Result<ReadHook, RefusedRequest>? {
        guard body.size <= WorkLane.bytesAtOnce, !(body.process.map(turns.isBusy) ?? false) else { return nil }
        return parse(body, turn: nil)
    }

    /// Takes the body out of `rest`: it is gone when this returns.
    @inline(never)
    func readInTurn(
        _ rest: Locked<HookBody?>, via pending: any PendingResponse
    ) async -> Result<ReadHook, RefusedRequest> {
        guard let body = rest.withLock({ $0.take() }) else { preconditionFailure("a hook is read once") }
        // A relay gives up after two seconds without a byte, and Claude then goes on unasked.
        if body.request.headers["Cdev-Request"] != nil { pending.sendInterim(HTTPInterim.processing([:])) }
        var turn: HookTurn?
        if let process = body.process {
            guard await turns.begin(process) else { return busy(body) }
            turn = HookTurn(turns, key: process)
        }
        guard body.size > WorkLane.bytesAtOnce else { return parse(body, turn: turn) }
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
                try AgentEvent(hookInput: request.body, hint: AgentInput.hint(request.headers))
            }
        if body.size > WorkLane.bytesAtOnce { event = event.condensed() }
        let source = try HookSource(
            fields: request.headers, bodyDigest: sha256(request.body),
            isVerified: body.sender.caller.identity != .unverified,
            agentPID: process(of: event.agent, from: body.sender))
        return HookCall(event, from: source)
    }

    /// The agent's process, where no field of its relay names it.
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
