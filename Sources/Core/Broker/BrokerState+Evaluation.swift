/// The evaluation of held requests by rules that came into force after them, in slices. A request that waits for it is
/// evaluated before a person's answer is taken. Until all deny rules in force were evaluated for a call, it ends without
/// a person as a deny if one of them may cover it.
extension BrokerState {
    /// Evaluates one slice at once, and the other requests with the next calls of `timePassed`.
    mutating func evaluate(_ ids: [String], at now: Instant) -> [BrokerEffect] {
        unevaluated.add(ids.filter { requests[$0]?.isDeciding == false }, at: now.uptime)
        return evaluateSlice(at: now)
    }

    /// Evaluates the requests that wait longest, and ends those that the rules in force cover.
    mutating func evaluateSlice(at now: Instant) -> [BrokerEffect] {
        var (taken, bytes): ([String], Int) = ([], 0)
        while taken.count < slice.requests, let id = unevaluated.next() {
            bytes += evaluatedBytes(id)
            guard taken.isEmpty || bytes <= slice.bytes else { break }
            unevaluated.remove(id)
            taken.append(id)
        }
        return settleByRules(taken, at: now)
    }

    /// The bytes of the input that an evaluation reads.
    private func evaluatedBytes(_ id: String) -> Int {
        guard let input = requests[id]?.request.input, input.bytesElsewhere == nil, input.size <= Self.evaluatedAgain
        else { return 0 }
        return input.size
    }

    /// Evaluates the request that an answer names, if it waits for that: the rule was given before the answer. The
    /// evaluations for one list take no longer than one slice. Beyond that a deny is taken as it is, and so is any answer
    /// where no deny rule may cover the call.
    /// - Parameter used: The bytes that were evaluated for the list.
    mutating func evaluateTarget(
        of response: PermissionResponse, among count: Int, by caller: Caller, used: inout Int, at now: Instant
    ) -> Result<[BrokerEffect], ResponseFailure> {
        guard let id = unevaluatedTarget(of: response), caller.may(.decide) else { return .success([]) }
        let cost = max(evaluatedBytes(id), slice.bytes / slice.requests)
        guard count > 1, used > 0, used + cost > slice.bytes else {
            used += cost
            return .success(settleByRules([id], at: now))
        }
        guard response.decision != .deny, requests[id].flatMap(mayDeny) != nil else { return .success([]) }
        return .failure(Self.unevaluatedInList)
    }

    private static let unevaluatedInList = ResponseFailure.invalid(
        "what was just denied for this session may cover this call, which is being checked; send this answer again")

    private func unevaluatedTarget(of response: PermissionResponse) -> String? {
        guard unevaluated.due != nil else { return nil }
        let id: String? =
            switch response.target {
            case .request(let id): id
            case .toolUse(let id): requests.heldIDs(toolUse: id).first { unevaluated.contains($0) }
            }
        return id.flatMap { unevaluated.contains($0) ? $0 : nil }
    }

    /// A deny rule in force that may cover the held call and was not evaluated for it.
    func mayDeny(_ held: HeldRequest) -> SessionRule? {
        guard !held.isDenyChecked else { return nil }
        return denyRules(session: held.request.sessionID).first(forTool: held.request.toolName)
    }

    /// The end of a request that nobody decided, where a deny rule may cover the call. By the clock it is a deny: no
    /// opinion would let the call run. Any other end is what has happened, and a hook that waits or still comes hears a
    /// deny.
    func safe(_ resolution: Resolution, of held: HeldRequest) -> Resolution {
        guard !resolution.resolver.isAnswer, [.allow, .pass].contains(resolution.decision),
            held.request.event == .preToolUse, let rule = mayDeny(held)
        else { return resolution }
        var safe = resolution
        let reason = Self.unchecked(rule, resolution.reason)
        if resolution.resolver == .timeout {
            (safe.decision, safe.reason) = (.deny, reason)
        } else {
            safe.message = reason
        }
        return safe
    }
}
