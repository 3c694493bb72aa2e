import Core
import Crypto
import Dialects
import OrderedJSON
import Transport
import Wire

/// `POST /hooks/claude` and its older relatives: raw hook JSON in, what the sender understands out.
final class HookEndpoint: Sendable {
    let door: Door
    let broker: Broker
    let clock: any WallClock
    let log: ServerLog

    init(door: Door, broker: Broker, clock: any WallClock, log: ServerLog) {
        self.door = door
        self.broker = broker
        self.clock = clock
        self.log = log
    }

    /// A class: what waits keeps it, as one pointer.
    private final class Input: Sendable {
        let event: HookEvent
        let source: HookSource

        init(event: HookEvent, source: HookSource) {
            self.event = event
            self.source = source
        }
    }

    /// The native form: exactly what Claude Code expects. Never inlined, as its neighbours: what waits is as large as
    /// all that is inlined into it, and a held call waits for minutes.
    @inline(never)
    func answer(_ request: consuming HTTPRequest, from peer: Peer, via exchange: Exchange) async -> HTTPResponse {
        switch native(consume request, from: peer) {
        case .failure(let refusal): return refusal.response
        case .success(let input): return Self.response(to: input, await hold(input, via: exchange))
        }
    }

    /// The request is gone when this returns: a held call keeps what was read of it.
    @inline(never)
    private func native(_ request: consuming HTTPRequest, from peer: Peer) -> Result<Input, Refusal> {
        let hint = AgentInput.hint(request.headers)
        return read(request, from: peer) { bytes throws(HookInputError) in
            try HookEvent(hookInput: bytes, hint: hint)
        }
    }

    @inline(never)
    private static func response(to input: Input, _ reply: HookReply) -> HTTPResponse {
        .json(reply.answer.body(for: input.event))
    }

    /// The form of older scripts. What is not asked about is only acknowledged.
    func compatibleAnswer(
        _ hook: CompatibleHook?, _ request: HTTPRequest, from peer: Peer, via exchange: Exchange
    ) async -> HTTPResponse {
        guard let hook else {
            if case .failure(let refusal) = door.hookIsVerified(request, from: peer) { return refusal.response }
            return .json(CompatibleHook.acknowledgement)
        }
        let input: Input
        switch read(request, from: peer, { bytes throws(HookInputError) in try hook.event(bytes) }) {
        case .failure(let refusal): return refusal.response
        case .success(let read): input = read
        }
        let reply = await hold(input, via: exchange)
        guard hook.isBlocking else { return .json(CompatibleHook.acknowledgement) }
        return .json(await compatibleBody(of: reply, to: input.event))
    }

    /// Nothing here waits: hooks reach the broker in the order in which they came.
    private func read(
        _ request: HTTPRequest, from peer: Peer, _ decode: ([UInt8]) throws(HookInputError) -> HookEvent
    ) -> Result<Input, Refusal> {
        door.hookIsVerified(request, from: peer).flatMap { isVerified in
            do throws(HookInputError) {
                let event = try decode(request.body)
                let source = try HookSource(
                    fields: request.headers, bodyDigest: Digest.sha256(request.body), isVerified: isVerified,
                    agentPID: process(of: event.agent, from: peer))
                log.debug(
                    "hook",
                    [
                        "path": request.path, "event": event.name.spelling, "session": event.sessionID,
                        "tool": event.tool?.name ?? "", "verified": "\(isVerified)",
                    ])
                if event.name.isBlocking {
                    log.info("hook asks", ["path": request.path, "event": event.name.spelling])
                }
                return .success(Input(event: event, source: source))
            } catch {
                log.warning("hook refused", ["path": request.path, "why": error.message])
                return .failure(Refusal(.error(.badRequest, error.message)))
            }
        }
    }

    /// Grok tells its hooks no pid, so it is looked for above the relay.
    private func process(of agent: Agent, from peer: Peer) -> Int32? {
        guard agent == .grok, case .unix(_, let relay) = peer.door else { return nil }
        return door.processes.ancestor(of: relay, named: "grok")
    }

    private func hold(_ input: Input, via exchange: Exchange) async -> HookReply {
        let isRelay = input.source.relayToken != nil
        let reply = await broker.hook(input.event, from: input.source) { [clock] deadline in
            // Other clients take an interim answer for the answer.
            guard isRelay else { return }
            exchange.sendInterim(HTTPInterim.processing(HoldNotice.fields(deadline: deadline, now: clock.uptime)))
        }
        watchDelivery(of: reply, via: exchange)
        return reply
    }

    @inline(never)
    private func watchDelivery(of reply: HookReply, via exchange: Exchange) {
        guard let receipt = reply.receipt else { return }
        exchange.onDelivered { [broker] isDelivered in
            // On the loop's thread, which is the broker's: a task would go there by way of another thread.
            broker.assumeIsolated { $0.delivered(receipt, isDelivered) }
        }
    }

    private func compatibleBody(of reply: HookReply, to event: HookEvent) async -> JSON {
        var scope = Scope.once
        var pattern = ""
        var isTimeout = false
        if let id = reply.receipt?.requestID, let request = await broker.request(id: id) {
            scope = request.resolution?.scope ?? .once
            isTimeout = request.resolution?.resolver == .timeout
            if scope == .session { pattern = await self.pattern(settling: request) }
        } else if let used = await patternJustUsed(for: reply.answer, in: event.sessionID) {
            scope = .session
            pattern = used
        }
        return reply.answer.compatibleBody(pattern: pattern, scope: scope, isTimeout: isTimeout)
    }

    /// The pattern of the rule that settled the question, or of the first one its answer made.
    private func pattern(settling request: PermissionRequest) async -> String {
        let rules = await broker.rules(sessionID: request.sessionID)
        if case .rule(let id)? = request.resolution?.resolver { return rules.first { $0.id == id }?.pattern ?? "" }
        return rules.first { $0.requestID == request.id }?.pattern ?? ""
    }

    /// A call that was decided without a question was decided by a rule: the one that matched last.
    private func patternJustUsed(for answer: HookAnswer, in session: String) async -> String? {
        let effect: SessionRule.Effect
        switch answer {
        case .allow: effect = .allow
        case .deny: effect = .deny
        case .ask, .pass: return nil
        }
        let rules = await broker.rules(sessionID: session).filter { $0.effect == effect }
        return rules.max { $0.lastMatch < $1.lastMatch }?.pattern
    }
}
