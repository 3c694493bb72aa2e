import Core

/// Writes changes within a transaction that the caller began.
struct ChangeWriter {
    let database: Database
    /// The running total of the replay's bytes.
    private(set) var eventTotal: Int64
    private var ceiling: Int64

    init(_ database: Database, eventTotal: Int64, ceiling: Int64) {
        self.database = database
        self.eventTotal = eventTotal
        self.ceiling = ceiling
    }

    mutating func write(_ change: StoreChange) throws(StoreError) {
        switch change {
        case .claudeEnded(let process): try database.delete(claude: process)
        case .claudeProcess(let process): try database.write(claude: process)
        case .deleteRule(let id): try database.deleteRule(id: id)
        case .deleteGrants(ofDevice: let id): try database.deleteRules(device: id)
        case .deleteRules(let session): try database.deleteRules(session: session)
        case .event(let record): eventTotal = try database.write(record, after: eventTotal)
        case .request(let request): try database.write(request)
        case .rule(let rule): try database.write(rule)
        case .sequenceCeiling(let number):
            ceiling = max(ceiling, number)
            try database.set(.sequenceCeiling, ceiling)
        case .session(let session): try database.write(session)
        }
    }
}
