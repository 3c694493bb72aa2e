/// Hooks that a device sends with its token, about sessions of this machine and about others.
extension BrokerState {
    /// The call as it counts: a device's about a session of this machine is one of an unverified sender. The session's own
    /// hooks come over the Unix socket, so the device's word must not end what they ask, settle a call by their rules or
    /// have a file read.
    func counted(_ call: HookCall) -> HookCall {
        guard call.source.isVerified, !call.source.isOfThisMachine,
            sessions[call.event.sessionID]?.isOfThisMachine == true
        else { return call }
        return HookCall(call.event, from: call.source.asUnverified())
    }

    /// Drops the allow rules of a session that only devices told of, before the first hook of this machine that names
    /// it: they were granted for what the devices said, in the directory that they named. Denies stay.
    mutating func takeOver(before call: HookCall) -> [BrokerEffect] {
        guard call.source.isOfThisMachine, let session = sessions[call.event.sessionID], !session.isOfThisMachine
        else { return [] }
        return drop(ruleBook.remove(session: session.id) { $0.effect == .allow })
    }

    func drop(_ rules: [SessionRule]) -> [BrokerEffect] {
        rules.isEmpty ? [] : [.append(rules.map { .deleteRule(id: $0.id) })]
    }
}
