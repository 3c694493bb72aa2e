/// The evaluation of held requests by rules that came into force after them, in slices. A request that waits for it is
/// evaluated before a person's answer is taken, and ends without a person only as a deny if a deny rule may cover it.
extension BrokerState {
    /// Evaluates one slice at once, and the other requests with the next calls of `timePassed`.
    mutating func evaluate(_ ids: [String], at now: Instant) -> [BrokerEffect] {
        unevaluated.add(ids.filter { requests[$0]?.isDeciding == false }, at: now.uptime)
        return evaluateSlice(at: now)
    }

    /// Evaluates the requests that wait longest, and ends those that the rules in force cover.
    mutating func evaluateSlice(at now: Instant) -> [BrokerEffect] {
        var (taken, bytes): ([String], Int) = ([], 0)
        while taken.count < slice.requests, let id = unevaluated.first {
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
        guard response.decision != .deny, unevaluatedDeny(of: id) != nil else { return .success([]) }
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

    /// A deny rule that may cover a held request, by its tool alone.
    private func unevaluatedDeny(of id: String) -> SessionRule? {
        guard let request = requests[id]?.request else { return nil }
        return denyRules(session: request.sessionID).first(forTool: request.toolName)
    }

    /// Notes for a restored request that a deny rule may cover it, until it is evaluated.
    mutating func presumeDeny(_ id: String) {
        guard let held = requests[id] else { return }
        let rule = unevaluatedDeny(of: id)
        guard rule != nil || held.request.mayBeDenied != nil else { return }
        requests.update(id) { $0.request.mayBeDenied = rule.map(Self.unchecked) }
    }

    /// The end of a request. Where it was not evaluated and a deny rule may cover it, no opinion becomes a deny: the
    /// call could run otherwise.
    mutating func safe(_ resolution: Resolution, of held: HeldRequest) -> Resolution {
        guard unevaluated.remove(held.request.id), resolution.decision == .pass, held.request.event == .preToolUse,
            !held.request.isUnverified, let rule = unevaluatedDeny(of: held.request.id)
        else { return resolution }
        var denied = resolution
        denied.decision = .deny
        denied.reason =
            "cdev: the call ended before it was checked whether this is what \(rule.grantedBy) denied for this session "
            + "(\(rule.pattern)): \(resolution.reason)"
        return denied
    }
}
