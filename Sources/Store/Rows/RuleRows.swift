import Core

extension Database {
    func write(_ rule: SessionRule) throws(StoreError) {
        try run(
            """
            INSERT OR REPLACE INTO rules (
                id, session_id, effect, pattern, created_at, granted_by, request_id, last_match)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(rule.id), .text(rule.sessionID), .text(rule.effect.rawValue), .text(rule.pattern),
                SQLValue(rule.createdAt), .text(rule.grantedBy), .text(rule.requestID), SQLValue(rule.lastMatch),
            ])
    }

    func deleteRule(id: String) throws(StoreError) {
        try run("DELETE FROM rules WHERE id = ?", [.text(id)])
    }

    func deleteRules(session: String) throws(StoreError) {
        try run("DELETE FROM rules WHERE session_id = ?", [.text(session)])
    }

    func deleteRules(grantedBy grantor: String) throws(StoreError) {
        try run("DELETE FROM rules WHERE granted_by = ?", [.text(grantor)])
    }

    /// Oldest first.
    func rules() throws(StoreError) -> [SessionRule] {
        try query(
            """
            SELECT id, session_id, effect, pattern, created_at, granted_by, request_id, last_match
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
        self.init(
            id: id, sessionID: sessionID, effect: effect, pattern: pattern, createdAt: createdAt,
            grantedBy: grantedBy, requestID: requestID, lastMatch: row.time())
    }
}
