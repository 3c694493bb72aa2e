import Core
import OrderedJSON

/// The resolutions of each opening of a request. A resolution with another decision or resolver than the one before is
/// a correction: it gets a new row, and the earlier row stays.
extension Database {
    func write(_ resolution: Resolution, of request: Int64, opening: Int) throws(StoreError) {
        try run(
            Self.upsertResolution,
            [
                .integer(request), SQLValue(opening), .text(resolution.decision.rawValue),
                SQLValue(resolution.scope?.rawValue), .text(resolution.resolver.spelling), .text(resolution.reason),
                SQLValue(resolution.at), SQLValue(resolution.message), SQLValue(resolution.isDelivered),
                SQLValue(resolution.isConfirmed), SQLValue(resolution.update?.text), SQLValue(resolution.deviceID),
                SQLValue(resolution.update?.bytesElsewhere != nil),
            ])
    }

    /// The revision is that of the last resolution if decision and resolver are the same, else the next. A changed input
    /// that was not read at the start (?13) stays as it is.
    private static let upsertResolution = """
        INSERT OR REPLACE INTO resolutions (
            request, opening, revision, decision, scope, resolver, reason, at, message, is_delivered, is_confirmed,
            updated_input, device_id)
        VALUES (
            ?1, ?2,
            coalesce((
                SELECT revision + NOT (decision = ?3 AND resolver = ?5) FROM resolutions
                WHERE request = ?1 AND opening = ?2 ORDER BY revision DESC LIMIT 1), 0),
            ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
            CASE WHEN ?13 THEN (
                SELECT updated_input FROM resolutions
                WHERE request = ?1 AND opening = ?2 ORDER BY revision DESC LIMIT 1) ELSE ?11 END,
            ?12)
        """

    /// Oldest first.
    func endings(of request: Int64) throws(StoreError) -> [Ending] {
        try query(
            "SELECT \(Self.endingColumns), updated_input FROM resolutions WHERE request = ? ORDER BY opening, revision",
            [.integer(request)]
        ) { row throws(StoreError) in try Ending(&row) { KeptJSON(written: $0.text()) } }
    }

    static let endingColumns = """
        resolutions.opening, revision, resolutions.decision, scope, resolver, reason, at, message, is_delivered,
        is_confirmed, device_id
        """
}

extension Ending {
    /// - Parameter update: Called for a changed input, which is the column after `endingColumns`.
    init(_ row: inout Row, _ update: (inout Row) -> KeptJSON) throws(StoreError) {
        let opening = Int(row.integer())
        let revision = Int(row.integer())
        let decision = try row.spelled(Decision.init(rawValue:))
        let scope = try row.optional { row throws(StoreError) in try row.spelled(Scope.init(rawValue:)) }
        let resolver = try row.spelled { Resolver($0) }
        let reason = row.text()
        let at = row.time()
        let message = try row.optional { $0.text() }
        let isDelivered = row.bool()
        let isConfirmed = row.bool()
        let deviceID = try row.optional { $0.text() }
        let update = try row.optional { update(&$0) }
        self.init(
            opening: opening, revision: revision,
            resolution: Resolution(
                decision: decision, scope: scope, resolver: resolver, deviceID: deviceID, reason: reason, at: at,
                message: message, update: update, isDelivered: isDelivered, isConfirmed: isConfirmed))
    }
}
