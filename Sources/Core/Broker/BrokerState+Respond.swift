/// Answers of people. The first answer wins, and it is written before the hook hears it.
extension BrokerState {
    package mutating func respond(
        _ responses: [PermissionResponse], by caller: Caller, call: CallID, at now: Instant
    ) -> [BrokerEffect] {
        calls[call] = RespondCall(count: responses.count)
        var decided: [String] = []
        var effects: [BrokerEffect] = []
        var (parsed, evaluated) = (0, 0)
        for (index, response) in responses.enumerated() {
            parsed += parsedBytes(response)
            guard responses.count == 1 || parsed <= Self.longestParsedInList else {
                calls[call]?.note(.failure(Self.tooLargeInList), at: index)
                continue
            }
            switch evaluateTarget(of: response, among: responses.count, by: caller, used: &evaluated, at: now) {
            case .success(let settled): effects += settled
            case .failure(let failure):
                calls[call]?.note(.failure(failure), at: index)
                continue
            }
            let claim = HeldRequest.Claim(call: call, index: index, caller: caller, decision: response.decision)
            switch take(response, among: responses.count, claim, at: now.wall) {
            case .success(.decided(let id)): decided.append(id)
            case .success(.repeated(let receipt)): calls[call]?.note(.success(receipt), at: index)
            case .success(.restated(let ended, let rules)):
                let rows = [StoreChange.request(ended)] + rules.map { StoreChange.rule($0) }
                effects.append(commit(rows, .full, then: .confirm(ended.id, rules, call, index: index)))
            case .success(.waits): break
            case .failure(let failure): calls[call]?.note(.failure(failure), at: index)
            }
        }
        if !decided.isEmpty { effects.append(commit(decided.flatMap(changes), .full, then: .decide(decided))) }
        return effects + finishIfDone(call)
    }

    /// The most bytes that are parsed on the loop for the answers of one list, as for the largest answer by itself.
    private static let longestParsedInList = 64 << 10

    private static let tooLargeInList = ResponseFailure.invalid(
        "the questions or changed inputs of this list are larger than \(longestParsedInList) bytes; send this answer by "
            + "itself")

    /// The bytes that have to be parsed for an answer: its changed input, or the questions that it answers.
    private func parsedBytes(_ response: PermissionResponse) -> Int {
        guard response.answers != nil else { return response.update?.parsedBytes ?? 0 }
        let id =
            switch response.target {
            case .request(let id): id
            case .toolUse(let id): requests.heldIDs(toolUse: id).first ?? requests.endedRequest(toolUse: id)?.id ?? ""
            }
        return request(id: id)?.input.parsedBytes ?? 0
    }

    private enum Taken {
        case decided(String)
        case repeated(PermissionReceipt)
        /// The same caller repeats a deny, or leaves the call to the agent again. The end of the request and the rules
        /// that it made are written again before that is confirmed, since the first time may have failed.
        case restated(PermissionRequest, [SessionRule])
        /// The same caller gave the same answer, which is being written; both get the same result.
        case waits
    }

    /// Checks one answer and makes it the pending decision of its request.
    private mutating func take(
        _ response: PermissionResponse, among count: Int, _ claim: HeldRequest.Claim, at now: Timestamp
    ) -> Result<Taken, ResponseFailure> {
        guard claim.caller.may(.decide), let resolver = claim.caller.resolver else {
            return .failure(.refused("this connection may see requests but not answer them"))
        }
        guard !isRevoked(claim.caller) else { return .failure(.refused("this device was revoked")) }
        if count > 1, response.scope == .session || response.confirm != nil {
            return .failure(.invalid("a list takes scope \"once\" and no \"confirm\"; send such an answer by itself"))
        }
        do {
            let id = try find(response.target)
            guard let held = requests[id] else { return late(id, response, claim.caller) }
            // The caller was shown the card of another opening, and has not seen what this opening asks.
            guard response.opening.map({ $0 == held.request.opening }) ?? true else {
                return .failure(.unknown(id: id))
            }
            if let pending = held.pendingDecision { return join(id, pending, response, claim) }
            let decision = try decision(on: held, response, resolver, claim.caller, at: now)
            requests.update(id) { held in
                held.pendingDecision = decision
                held.claims.append(claim)
            }
            unevaluated.remove(id)
            return .success(.decided(id))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the id of the request that an answer names, held or ended.
    private func find(_ target: PermissionResponse.Target) throws(ResponseFailure) -> String {
        switch target {
        case .request(let id):
            guard requests[id] != nil || requests.endedRequest(id) != nil else { throw .unknown(id: id) }
            return id
        case .toolUse(let id):
            let open = requests.heldIDs(toolUse: id)
            if open.count > 1 { throw .ambiguousToolUse(id: id, count: open.count) }
            if let found = open.first {
                // The caller may have been shown the other call, and mean that call.
                guard !requests.isReused(toolUse: id) else {
                    throw .invalid(
                        "another call had this tool_use_id, which may be the one that is meant; send request_id")
                }
                return found
            }
            guard let ended = requests.endedRequest(toolUse: id) else { throw .notOpen(toolUse: id, nil) }
            return ended.id
        }
    }

    /// An answer to a request that has ended. Success where the caller repeats its own answer and has to hear that it was
    /// taken, else a failure that says who decided.
    private func late(
        _ id: String, _ response: PermissionResponse, _ caller: Caller
    ) -> Result<Taken, ResponseFailure> {
        guard let request = requests.endedRequest(id), let resolution = request.resolution else {
            return .failure(.unknown(id: id))
        }
        guard isRepeated(resolution, of: request, response, caller) else {
            guard case .toolUse(let id) = response.target else { return .failure(.decided(resolution)) }
            return .failure(.notOpen(toolUse: id, resolution))
        }
        // Some may be over meanwhile, by a revocation or with their session.
        let rules = ruleBook.list(session: request.sessionID).filter { $0.requestID == id }
        guard resolution.decision == .allow else { return .success(.restated(request, rules)) }
        return .success(.repeated(receipt(request, resolution, rules: rules)))
    }

    /// Confirms a repeated deny once it is written, with its rules.
    mutating func confirm(
        _ id: String, _ rules: [SessionRule], _ call: CallID, _ index: Int, isWritten: Bool
    ) -> [BrokerEffect] {
        let ended = requests.endedRequest(id)
        // The rules that were taken out of force meanwhile must not come back with the next start.
        let gone = rules.filter { !ruleBook.holds($0.id) }
        if let ended, let resolution = ended.resolution {
            let receipt = receipt(ended, resolution, rules: rules.filter { ruleBook.holds($0.id) })
            let failure = Self.unwritten(resolution, isForSession: !rules.isEmpty)
            calls[call]?.note(isWritten ? .success(receipt) : .failure(failure), at: index)
        } else {
            calls[call]?.note(.failure(.unknown(id: id)), at: index)
        }
        return (gone.isEmpty ? [] : [.append(gone.map { .deleteRule(id: $0.id) })]) + finishIfDone(call)
    }

    /// Adds the answer to one that is being written, if both are the same.
    private mutating func join(
        _ id: String, _ pending: HeldRequest.PendingDecision, _ response: PermissionResponse,
        _ claim: HeldRequest.Claim
    ) -> Result<Taken, ResponseFailure> {
        guard let request = requests[id]?.request,
            isRepeated(pending.resolution, of: request, response, claim.caller)
        else { return .failure(.decided(pending.resolution)) }
        requests.update(id) { $0.claims.append(claim) }
        return .success(.waits)
    }

    /// True where the caller gave this resolution and says the same again. Another input, other answers to a question
    /// or another message would be confirmed and never reach the agent. A deny without a message asks for no more than
    /// the deny.
    private func isRepeated(
        _ resolution: Resolution, of request: PermissionRequest, _ response: PermissionResponse, _ caller: Caller
    ) -> Bool {
        guard resolution.isDecided(by: caller),
            resolution.decision == Self.effective(response.decision, for: request),
            response.message?.isEmpty != false || response.message == resolution.message
        else { return false }
        do { return try update(of: request, response) == resolution.update } catch { return false }
    }

    /// The rows of a pending decision: the ended request and the rules that it grants.
    func changes(of id: String) -> [StoreChange] {
        guard let held = requests[id], let pending = held.pendingDecision else { return [] }
        var request = held.request
        request.resolution = pending.resolution
        return [.request(request)] + ruleRows(pending.rules, session: request.sessionID)
    }

    /// The rows of new rules, with that of their session: the store may have removed the row of a session that was
    /// silent for long, and the next start would drop the rules.
    func ruleRows(_ rules: [SessionRule], session: String) -> [StoreChange] {
        guard !rules.isEmpty, let session = sessions[session] else { return rules.map { .rule($0) } }
        return [.session(session.withoutTools)] + rules.map { .rule($0) }
    }

    /// Returns the decision that has the meant effect for this request. `ask` is the agent's own prompt: where nobody
    /// sits at the terminal that prompt would deny the call, so `ask` becomes no opinion; an agent that cannot be made
    /// to ask would run the call, so there `ask` becomes a deny.
    static func effective(_ decision: Decision, for request: PermissionRequest) -> Decision {
        guard decision == .ask else { return decision }
        guard request.agent.profile.asks else { return .deny }
        return request.isAttended ? .ask : .pass
    }

    func receipt(
        _ request: PermissionRequest, _ resolution: Resolution, rules: [SessionRule]
    ) -> PermissionReceipt {
        PermissionReceipt(
            requestID: request.id, decision: resolution.decision,
            scope: rules.isEmpty ? .once : resolution.scope ?? .once, rules: rules,
            isSent: !resolution.isConfirmed)
    }

    /// Gives a `respond` call its results once all are there.
    mutating func finishIfDone(_ call: CallID) -> [BrokerEffect] {
        guard calls[call]?.isDone == true, let pending = calls.removeValue(forKey: call) else { return [] }
        return [.finish(call, pending.results.compactMap { $0 })]
    }
}

extension Resolution {
    /// True where the caller gave this decision. Devices are compared by id, since a name can be given again; people at
    /// this machine are one caller, whatever process they answer with, and so is a notification channel.
    fileprivate func isDecided(by caller: Caller) -> Bool {
        switch caller.identity {
        case .device(let id, _): deviceID == id
        case .link(let channel): resolver == .link(channel: channel)
        case .local: resolver == .local
        case .unverified: false
        }
    }
}
