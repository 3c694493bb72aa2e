/// The reason why the change of a session's gate is not confirmed.
package enum GateFailure: Error, Sendable, Hashable {
    /// No session with this id is open.
    case unknown(id: String)
    /// The change could not be written, so the gate is as it was.
    case unwritten
}

/// The gate of one session, which takes the place of the configuration's until the session ends.
extension BrokerState {
    /// Sets the gate for the session's next calls; requests that are held stay held. The change is confirmed once it is
    /// written.
    /// - Parameter gate: `nil` for the configuration's.
    package mutating func setGate(_ gate: Policy.Gate?, session id: String, call: CallID) -> [BrokerEffect] {
        let before = sessions[id]?.gate
        guard let session = sessions.set(gate, session: id) else {
            return [.gateSet(call, .failure(.unknown(id: id)))]
        }
        return [commit([.session(session)], .full, then: .gate(session: id, from: before, to: gate, call))]
    }

    /// The outcome of a change that was written, or could not be.
    mutating func gateWritten(
        _ isWritten: Bool, session id: String, from before: Policy.Gate?, to gate: Policy.Gate?, _ call: CallID
    ) -> [BrokerEffect] {
        guard let session = sessions[id] else { return [.gateSet(call, .failure(.unknown(id: id)))] }
        if isWritten { return rewrite(id) + [.gateSet(call, .success(session.gate ?? policy.gate))] }
        let failed = BrokerEffect.gateSet(call, .failure(.unwritten))
        // Another change may have come meanwhile.
        guard !rebase(id, from: gate, onto: before), session.gate == gate else { return [failed] }
        _ = sessions.set(before, session: id)
        return rewrite(id) + [failed]
    }

    /// Where a later change of the session's gate is being written, it puts back `before` if it fails too, and not the
    /// gate of the change that has failed. False where there is none.
    private mutating func rebase(_ id: String, from failed: Policy.Gate?, onto before: Policy.Gate?) -> Bool {
        for (commit, next) in commits {
            guard case .gate(session: id, from: failed, to: let gate, let call) = next else { continue }
            commits[commit] = .gate(session: id, from: before, to: gate, call)
            return true
        }
        return false
    }

    /// The policy with the session's own gate.
    func policy(session id: String) -> Policy {
        var policy = policy
        policy.gate = sessions[id]?.gate ?? policy.gate
        return policy
    }
}
