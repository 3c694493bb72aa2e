/// Names of single numbers.
enum Meta: String {
    /// The number the next event gets, written by a clean close. Valid while it is the ceiling plus 1.
    case cleanNext = "clean_next"
    /// Events up to this number may be missing from the replay.
    case missingThrough = "missing_through"
    /// The number of the last notification of a reported session.
    case reportNoticeNumber = "report_notice_number"
    /// The number of the last reported event.
    case reportNumber = "report_number"
    /// No sequence number above this has been given out.
    case sequenceCeiling = "sequence_ceiling"
    /// The earliest time, in milliseconds since 1970, at which the term of a device begins.
    case termsBegin = "terms_begin"
}

extension Database {
    func meta(_ name: Meta) throws(StoreError) -> Int64? {
        try query("SELECT value FROM meta WHERE name = ?", [.text(name.rawValue)]) { $0.integer() }.first
    }

    func set(_ name: Meta, _ value: Int64) throws(StoreError) {
        try run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", [.text(name.rawValue), .integer(value)])
    }
}
