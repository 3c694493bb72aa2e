/// Events that concern no session, and the revocation of devices.
extension BrokerState {
    /// Publishes an event that concerns no session.
    package mutating func announce(_ body: EventBody, at now: Instant) -> [BrokerEffect] {
        publish(body, session: "", at: now.wall)
    }

    /// Refuses the device's answers from now on and takes the rules that it granted out of force. Returns these rules;
    /// the caller deletes them with the revocation. The device's decisions stand, also those that are still being
    /// written, but the rules that such a decision grants are dropped after its commit.
    package mutating func dropDevice(_ id: String) -> [SessionRule] {
        revokedDevices.insert(id)
        let kept = takeCleared { $0.deviceID == id }
        return kept + ruleBook.remove { $0.deviceID == id }
    }

    package func isRevoked(_ caller: Caller) -> Bool {
        if case .device(let id, _) = caller.identity { revokedDevices.contains(id) } else { false }
    }
}
