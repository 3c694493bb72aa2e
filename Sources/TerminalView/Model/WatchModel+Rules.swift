import OrderedJSON

/// Revokes rules from their view.
extension WatchModel {
    /// Handles a rule's number, which asks, and the `y` after it, which revokes. `nil` for any other key.
    mutating func revoke(_ key: Key, isAlone: Bool) -> [WatchEffect]? {
        guard prompt == .view(.rules), case .character(let character) = key else { return nil }
        if character == "y", let id = revoking { return confirmRevocation(id, isAlone: isAlone) }
        guard let number = character.wholeNumberValue, let rows = views[.rules], rows.indices.contains(number - 1),
            let id = rows[number - 1].ruleID
        else { return nil }
        revoking = mayRevoke ? id : nil
        if mayRevoke { say("y revokes \(rows[number - 1].text)") }
        return []
    }

    private mutating func confirmRevocation(_ id: String, isAlone: Bool) -> [WatchEffect] {
        revoking = nil
        guard isAlone else {
            say("several keys at once: nothing done, press one")
            return []
        }
        return mayRevoke ? [.revoke(ruleID: id)] : []
    }

    /// Sets a status line with the reason where it is false.
    private var mayRevoke: Bool {
        mutating get {
            if connection != .online { say("offline: nothing done", .bad) }
            if !features.mayDecide {
                say("this terminal runs inside an agent: the daemon does not take its answers", .bad)
            }
            return connection == .online && features.mayDecide
        }
    }

    mutating func revoked(_ result: Result<JSON, RPCFailure>) -> [WatchEffect] {
        switch result {
        case .success(let reply): say("revoked: \(reply["rule"]?.text("pattern") ?? "")", .good)
        case .failure(let failure): say("not revoked: \(failure.message)", .bad)
        }
        return prompt == .view(.rules) ? [.askView(.rules)] : []
    }
}
