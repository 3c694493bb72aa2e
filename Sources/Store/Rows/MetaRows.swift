/// Single numbers.
enum Meta: String {
    /// After a clean close: the number the next event gets. Valid while it lies right above the ceiling.
    case cleanNext = "clean_next"
    /// Events up to this number may be missing from the replay.
    case missingThrough = "missing_through"
    /// No sequence number above this has been given out.
    case sequenceCeiling = "sequence_ceiling"
}

extension Database {
    func meta(_ name: Meta) throws(StoreError) -> Int64? {
        try query("SELECT value FROM meta WHERE name = ?", [.text(name.rawValue)]) { $0.integer() }.first
    }

    func set(_ name: Meta, _ value: Int64) throws(StoreError) {
        try run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", [.text(name.rawValue), .integer(value)])
    }
}
