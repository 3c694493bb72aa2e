/// For tests only.
extension Store {
    /// The texts of all statements in use.
    package var statementTexts: [String] { database?.statementTexts ?? [] }

    /// `synchronous` as the last transaction had it: 1 is NORMAL, 2 is FULL.
    package var synchronousLevel: Int64? {
        (try? database?.query("PRAGMA synchronous") { $0.integer() })?.first
    }

    /// Milliseconds that a statement waits for another process's lock now.
    package var busyTimeout: Int64? {
        (try? database?.query("PRAGMA busy_timeout") { $0.integer() })?.first
    }

    /// Limits the database to `count` pages, as a full disk would.
    package func limitPages(to count: Int) throws(StoreError) {
        try database?.execute("PRAGMA max_page_count=\(count)")
    }
}
