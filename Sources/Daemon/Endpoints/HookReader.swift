import Core
import Crypto
import Dialects
import Host
import Transport
import Wire

/// A hook's call as it was read. A class: what waits keeps it, as one pointer.
final class HookCall: Sendable {
    let event: HookEvent
    let source: HookSource
    /// Not nil where others of the same Claude process wait until the broker knows of this call.
    let turn: HookTurn?

    init(event: HookEvent, source: HookSource, turn: HookTurn?) {
        self.event = event
        self.source = source
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

/// From the body of a hook to its event.
///
/// A small body is read at once, on the loop. A larger one goes to a thread of its own, for parsing the worst of ten
/// megabytes takes seconds, and its relay hears at once that the daemon lives. What the same Claude process sends
/// behind it waits for it, so that hooks reach the broker in the order in which they came; the others do not.
final class HookReader: Sendable {
    private let log: ServerLog
    /// One thread: two bodies at a time would take twice the memory, and each twice as long beside the loop.
    private let lane = WorkLane(threads: 1, mostWeight: 128 << 20)
    private let turns = Turns(mostWaiting: 256)

    /// Bytes of a body that is read on the loop: the worst of them takes it some milliseconds, a real one 0.1.
    static let readAtOnce = 32 << 10

    private let processes: ProcessTable

    init(processes: ProcessTable, log: ServerLog) {
        self.processes = processes
        self.log = log
    }

    /// - Parameter hook: the older form, if it is one.
    func read(
        _ request: HTTPRequest, as hook: CompatibleHook?, isVerified: Bool, from peer: Peer, via exchange: Exchange
    ) async -> Result<HookCall, Refusal> {
        let process = request.headers["Cdev-Claude-Pid"]
        guard request.body.count > Self.readAtOnce || process.map(turns.isBusy) ?? false else {
            return accept(parse(request, hook, isVerified, peer), of: request, turn: nil)
        }
        // A relay gives up after two seconds without a byte, and Claude then goes on unasked.
        if request.headers["Cdev-Request"] != nil { exchange.sendInterim(HTTPInterim.processing([:])) }
        var turn: HookTurn?
        if let process {
            guard await turns.begin(process) else { return busy(request) }
            turn = HookTurn(turns, key: process)
        }
        let isSmall = request.body.count <= Self.readAtOnce
        let parsed =
            isSmall
            ? parse(request, hook, isVerified, peer)
            : await lane.run(weight: request.body.count) { self.parse(request, hook, isVerified, peer) }
        guard let parsed else {
            turn?.end()
            return busy(request)
        }
        return accept(parsed, of: request, turn: turn)
    }

    private typealias Parsed = Result<(event: HookEvent, source: HookSource), HookInputError>

    private func parse(
        _ request: HTTPRequest, _ hook: CompatibleHook?, _ isVerified: Bool, _ peer: Peer
    ) -> Parsed {
        do throws(HookInputError) {
            var event =
                if let hook { try hook.event(request.body) } else {
                    try HookEvent(hookInput: request.body, hint: AgentInput.hint(request.headers))
                }
            if request.body.count > Self.readAtOnce { event = event.condensed() }
            let source = try HookSource(
                fields: request.headers, bodyDigest: Digest.sha256(request.body), isVerified: isVerified,
                agentPID: process(of: event.agent, from: peer))
            return .success((event, source))
        } catch {
            return .failure(error)
        }
    }

    /// The agent's process, where no field of its relay names it.
    private func process(of agent: Agent, from peer: Peer) -> Int32? {
        guard agent == .grok, case .unix(_, let relay) = peer.door else { return nil }
        return processes.ancestor(of: relay, named: "grok")
    }

    private func accept(_ parsed: Parsed, of request: HTTPRequest, turn: HookTurn?) -> Result<HookCall, Refusal> {
        switch parsed {
        case .failure(let error):
            turn?.end()
            log.warning("hook refused", ["path": request.path, "why": error.message])
            return .failure(Refusal(.error(.badRequest, error.message)))
        case .success((let event, let source)):
            log.debug(
                "hook",
                [
                    "path": request.path, "event": event.name.spelling, "session": event.sessionID,
                    "tool": event.tool?.name ?? "", "verified": "\(source.isVerified)",
                ])
            if event.name.isBlocking {
                log.info("hook asks", ["path": request.path, "event": event.name.spelling])
            }
            return .success(HookCall(event: event, source: source, turn: turn))
        }
    }

    private func busy(_ request: HTTPRequest) -> Result<HookCall, Refusal> {
        log.warning("hook refused", ["path": request.path, "why": "too many large hooks at a time"])
        return .failure(
            Refusal(.error(.serviceUnavailable, "too many large hooks at a time; send it again in a moment")))
    }
}
