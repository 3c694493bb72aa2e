import Core

extension Database {
    func write(_ subscription: PushSubscription) throws(StoreError) {
        try run(
            """
            INSERT OR REPLACE INTO push_subscriptions
                (device_id, device_name, endpoint, p256dh, authentication, created_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .text(subscription.deviceID), .text(subscription.deviceName), .text(subscription.endpoint),
                .blob(subscription.p256dh), .blob(subscription.authentication), SQLValue(subscription.createdAt),
            ])
    }

    func deletePushSubscription(device id: String) throws(StoreError) {
        try run("DELETE FROM push_subscriptions WHERE device_id = ?", [.text(id)])
    }

    /// Oldest first.
    func pushSubscriptions() throws(StoreError) -> [PushSubscription] {
        try query(
            """
            SELECT device_id, device_name, endpoint, p256dh, authentication, created_at
            FROM push_subscriptions ORDER BY created_at, device_id
            """, []
        ) {
            PushSubscription(
                deviceID: $0.text(), deviceName: $0.text(), endpoint: $0.text(), p256dh: $0.blob(),
                authentication: $0.blob(), createdAt: $0.time())
        }
    }

    func write(_ link: AnswerLink) throws(StoreError) {
        try run(
            """
            INSERT INTO answer_links
                (hash, request_id, opening, verb, channel, destination, created_at, expires_at, used_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE SET used_at = excluded.used_at
            """,
            [
                .blob(link.hash), .text(link.requestID), SQLValue(link.opening), .text(link.verb.rawValue),
                .text(link.channel), .blob(link.destination), SQLValue(link.createdAt), SQLValue(link.expiresAt),
                SQLValue(link.usedAt),
            ])
    }

    func deleteAnswerLinks(expiredBy time: Timestamp) throws(StoreError) {
        try run("DELETE FROM answer_links WHERE expires_at <= ?", [SQLValue(time)])
    }

    func deleteAnswerLink(hash: [UInt8]) throws(StoreError) {
        try run("DELETE FROM answer_links WHERE hash = ?", [.blob(hash)])
    }

    func answerLinks(validAt time: Timestamp) throws(StoreError) -> [AnswerLink] {
        try query(
            """
            SELECT hash, request_id, opening, verb, channel, destination, created_at, expires_at, used_at
            FROM answer_links WHERE expires_at > ?
            """, [SQLValue(time)], AnswerLink.init)
    }
}

extension AnswerLink {
    fileprivate init(_ row: inout Row) throws(StoreError) {
        let hash = row.blob()
        let requestID = row.text()
        let opening = Int(row.integer())
        let verb: Decision = try row.spelled(Decision.init(rawValue:))
        let channel = row.text()
        let destination = row.blob()
        let createdAt = row.time()
        let expiresAt = row.time()
        self.init(
            hash: hash, requestID: requestID, opening: opening, verb: verb, channel: channel, destination: destination,
            createdAt: createdAt, expiresAt: expiresAt, usedAt: try row.optional { $0.time() })
    }
}
