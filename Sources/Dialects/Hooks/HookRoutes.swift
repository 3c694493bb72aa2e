import Agents
package import Core
import OrderedJSON
import Platform
package import Services
import Wire

/// `POST /hooks/claude` and the paths of older scripts: take a hook's JSON, and answer in the form that the sender
/// expects.
package final class HookRoutes: Sendable {
    private let broker: Broker
    private let clock: any TimeSource
    private let places: any SessionPlaces
    private let runs: RunProcesses
    private let noted: @Sendable (AgentEvent) -> Void
    private let reader: HookReader
    private let answers = WorkLane(threads: 1, mostWeight: .max)

    /// - Parameters:
    ///   - places: Told of each hook before the broker.
    ///   - runs: Knows the processes whose questions come by another way.
    ///   - sha256: Returns the SHA-256 digest of bytes.
    ///   - ancestor: Returns the nearest ancestor of a process that has this name.
    ///   - isDescendant: Returns true if the second process is an ancestor of the first.
    ///   - noted: Told of each event of a verified sender; must not wait.
    package init(
        broker: Broker, clock: any TimeSource, places: any SessionPlaces, runs: RunProcesses, log: any Log,
        sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        ancestor: @escaping @Sendable (Int32, String) -> Int32?,
        isDescendant: @escaping @Sendable (Int32, Int32) -> Bool,
        noted: @escaping @Sendable (AgentEvent) -> Void = { _ in }
    ) {
        self.broker = broker
        self.clock = clock
        self.places = places
        self.runs = runs
        self.noted = noted
        reader = HookReader(log: log, sha256: sha256, ancestor: ancestor, isDescendant: isDescendant)
    }

    package var routes: [Route] {
        [
            Route(
                ["POST"], .exact("/hooks/claude"), for: .hook,
                work: .request { [self] request, sender, pending in
                    answer(HookBody(request, as: nil, from: sender), via: pending)
                }
            )
            .described("Takes a hook's input and answers it.", body: .anyObject, result: .anyObject),
            Route(
                ["POST"], .below(CompatibleHook.prefix), for: .hook,
                work: .request { [self] request, sender, pending in
                    guard let hook = CompatibleHook(path: request.path) else {
                        return .now(.json(CompatibleHook.acknowledgement))
                    }
                    return answer(HookBody(request, as: hook, from: sender), via: pending)
                }
            )
            .described("The same for older scripts.", body: .anyObject, result: .anyObject),
        ]
    }

    /// Parses a small body now, and a large one in its turn.
    private func answer(_ body: HookBody, via pending: any PendingResponse) -> Route.Answer {
        let hook = body.hook
        switch reader.readAtOnce(body) {
        case .failure(let refusal)?: return .now(refusal.response)
        case .success(let input)?: return .later { await self.answer(input, as: hook, via: pending) }
        case nil:
            // `readInTurn` empties it; otherwise a held call would keep the body.
            let rest = Locked<HookBody?>(body)
            return .later {
                let read = await self.reader.readInTurn(rest, via: pending) { await self.broker.awaitsChangedCall }
                switch read {
                case .failure(let refusal): return refusal.response
                case .success(let input): return await self.answer(input, as: hook, via: pending)
                }
            }
        }
    }

    /// Answers in the form that Claude Code expects, or in that of older scripts on their paths. `@inline(never)`, as
    /// on the functions below: a suspended async frame reserves space for everything inlined into it, and a call is
    /// held for minutes.
    @inline(never)
    private func answer(
        _ input: ReadHook, as hook: CompatibleHook?, via pending: any PendingResponse
    ) async -> HTTPResponse {
        let reply = await hold(input, via: pending)
        if let failure = reply.failure { return .error(.serviceUnavailable, failure) }
        if let hook { return await compatibleResponse(to: hook, input, reply) }
        if let small = smallResponse(to: input, reply) { return small }
        return await largeResponse(to: input, reply)
    }

    @inline(never)
    private func smallResponse(to input: ReadHook, _ reply: HookReply) -> HTTPResponse? {
        guard reply.answer.size <= WorkLane.bytesAtOnce else { return nil }
        return .json(reply.answer.body(for: input.call.event))
    }

    /// A large changed input is serialized off the loop, as it was parsed.
    @inline(never)
    private func largeResponse(to input: ReadHook, _ reply: HookReply) async -> HTTPResponse {
        let write: @Sendable () -> HTTPResponse = { .json(reply.answer.body(for: input.call.event)) }
        return await answers.run(weight: reply.answer.size, write) ?? write()
    }

    /// The answer in the form of older scripts. Hooks that do not block are only acknowledged.
    @inline(never)
    private func compatibleResponse(
        to hook: CompatibleHook, _ input: ReadHook, _ reply: HookReply
    ) async -> HTTPResponse {
        guard hook.isBlocking else { return .json(CompatibleHook.acknowledgement) }
        return .json(await compatibleBody(of: reply, to: input.call.event))
    }

    private func hold(_ input: ReadHook, via pending: any PendingResponse) async -> HookReply {
        places.note(input.call)
        if input.call.source.isVerified { noted(input.call.event) }
        // Nobody is asked twice: an agent that the daemon started asks by its own channel.
        if input.call.event.name.isBlocking, runs.sent(input.call) {
            input.turn?.end()
            return HookReply(.pass)
        }
        let isRelay = input.call.source.relayToken != nil
        let reply = await broker.hook(input.call) {
            if isRelay { pending.sendInterim(HTTPInterim.processing([:])) }
        } onHold: { [clock] deadline in
            input.turn?.end()
            // Only the relay understands an interim answer; others would take it for the answer.
            guard isRelay else { return }
            pending.sendInterim(HTTPInterim.processing(HoldNotice.fields(deadline: deadline, now: clock.uptime)))
        }
        input.turn?.end()
        watchDelivery(of: reply, via: pending)
        return reply
    }

    @inline(never)
    private func watchDelivery(of reply: HookReply, via pending: any PendingResponse) {
        guard let receipt = reply.receipt else { return }
        pending.onDelivered { [broker] isDelivered in
            // `onDelivered` calls on the loop's thread, which is the broker's. A task would get there by way of another
            // thread.
            broker.assumeIsolated { $0.delivered(receipt, isDelivered) }
        }
    }

    private func compatibleBody(of reply: HookReply, to event: AgentEvent) async -> JSON {
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

    /// The pattern of the rule that settled the request, or of the first rule that its answer made.
    private func pattern(settling request: PermissionRequest) async -> String {
        let rules = await broker.rules(sessionID: request.sessionID)
        if case .rule(let id)? = request.resolution?.resolver { return rules.first { $0.id == id }?.pattern ?? "" }
        return rules.first { $0.requestID == request.id }?.pattern ?? ""
    }

    /// The pattern of the rule that matched last: a call that was decided without a request was decided by a rule.
    private func patternJustUsed(for answer: HookAnswer, in session: String) async -> String? {
        let effect: SessionRule.Effect
        switch answer {
        case .allow: effect = .allow
        case .deny: effect = .deny
        case .ask, .changed, .pass: return nil
        }
        let rules = await broker.rules(sessionID: session).filter { $0.effect == effect }
        return rules.max { $0.lastMatch < $1.lastMatch }?.pattern
    }
}
