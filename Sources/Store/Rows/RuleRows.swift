import Core

extension Database {
    func write(_ rule: SessionRule) throws(StoreError) {
        try run(
            """
            INSERT OR REPLACE INTO rules (
                id, session_id, effect, pattern, created_at, granted_by, request_id, last_match, device_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(rule.id), .text(rule.sessionID), .text(rule.effect.rawValue), .text(rule.pattern),
                SQLValue(rule.createdAt), .text(rule.grantedBy), .text(rule.requestID), SQLValue(rule.lastMatch),
                SQLValue(rule.deviceID),
            ])
    }

    func deleteRule(id: String) throws(StoreError) {
        try run("DELETE FROM rules WHERE id = ?", [.text(id)])
    }

    func deleteRules(session: String) throws(StoreError) {
        try run("DELETE FROM rules WHERE session_id = ?", [.text(session)])
    }

    func deleteRules(device id: String) throws(StoreError) {
        try run("DELETE FROM rules WHERE device_id = ?", [.text(id)])
    }

    /// Oldest first.
    func rules() throws(StoreError) -> [SessionRule] {
        try query(
            """
            SELECT id, session_id, effect, pattern, created_at, granted_by, request_id, last_match, device_id
            FROM rules ORDER BY created_at, id
            """, [], SessionRule.init)
    }
}

extension SessionRule {
    fileprivate init(_ row: inout Row) throws(StoreError) {
        let id = row.text()
        let sessionID = row.text()
        let effect = try row.spelled(Effect.init(rawValue:))
        let pattern = row.text()
        let createdAt = row.time()
        let grantedBy = row.text()
        let requestID = row.text()
        let lastMatch = row.time()
        self.init(
            id: id, sessionID: sessionID, effect: effect, pattern: pattern, createdAt: createdAt,
            grantedBy: grantedBy, deviceID: try row.optional { $0.text() }, requestID: requestID, lastMatch: lastMatch)
    }
}
