/// Devices come and go; what the broker keeps of them are the rules they granted.
extension BrokerState {
    /// Tells every approver, and the replay, of something that concerns no session.
    package mutating func announce(_ body: EventBody, at now: Instant) -> [BrokerEffect] {
        publish(body, session: "", at: now.wall)
    }

    /// From here on nothing this device says is taken, and the rules it granted are out of force: they are returned, and
    /// deleted with the revocation that the caller writes. What the device decided stands, also what is still being
    /// written; a rule that goes with that is dropped once it is.
    package mutating func dropDevice(_ id: String) -> [SessionRule] {
        revokedDevices.insert(id)
        return ruleBook.list(session: nil).filter { $0.deviceID == id }.compactMap { ruleBook.remove($0.id) }
    }

    package func isRevoked(_ caller: Caller) -> Bool {
        if case .device(let id, _) = caller.identity { revokedDevices.contains(id) } else { false }
    }
}
