package import Core

/// Push subscriptions and answer links. Where the database turns out to be damaged they are lost: pages subscribe again
/// when they are opened, and a link does not outlive its request.
extension Store {
    /// The subscriptions, oldest first; at most one for each device.
    package func pushSubscriptions() throws(StoreError) -> [PushSubscription] {
        try withRepair { (database) throws(StoreError) in try database.pushSubscriptions() }
    }

    /// Replaces an earlier subscription of the same device.
    package func keep(_ subscription: PushSubscription) throws(StoreError) {
        try change(.full) { (database) throws(StoreError) in try database.write(subscription) }
    }

    package func forgetPushSubscription(device id: String) throws(StoreError) {
        try change(.full) { (database) throws(StoreError) in try database.deletePushSubscription(device: id) }
    }

    /// Deletes the links that have expired and returns the rest.
    package func answerLinks(at time: Timestamp) throws(StoreError) -> [AnswerLink] {
        try change(.normal) { (database) throws(StoreError) in try database.deleteAnswerLinks(expiredBy: time) }
        return try withRepair { (database) throws(StoreError) in try database.answerLinks(validAt: time) }
    }

    /// Writes a new link, or the time at which a known link was used.
    package func keep(_ link: AnswerLink) throws(StoreError) {
        try change(link.usedAt == nil ? .normal : .full) { (database) throws(StoreError) in try database.write(link) }
    }

    package func forgetAnswerLinks(_ hashes: [[UInt8]]) throws(StoreError) {
        guard !hashes.isEmpty else { return }
        try change(.normal) { (database) throws(StoreError) in
            for hash in hashes { try database.deleteAnswerLink(hash: hash) }
        }
    }

    /// Runs `body` in one transaction, and notes whether the database failed.
    func change(
        _ level: Database.Synchronous, _ body: (Database) throws(StoreError) -> Void
    ) throws(StoreError) {
        do {
            try withRepair { (database) throws(StoreError) in
                try database.transaction(level) { () throws(StoreError) in try body(database) }
            }
            succeeded()
        } catch {
            failed(error)
            throw error
        }
    }
}
