import Core

/// Full text search. The index says which messages may hold the words; their texts say which do.
extension TranscriptReader {
    /// Hits of a global search above which the newest sessions are searched one after the other: the index lists hits in
    /// the order of files, not of time.
    private static let fewHits = 2000
    /// Sessions that are searched one after the other.
    private static let mostSessions = 2000
    /// Hits whose texts are read for one result.
    private static let mostRead = 500

    private struct Candidate {
        let place: TranscriptPlace
        let file: Int64
        let time: Int64
        let mark: Int64
    }

    func search(
        _ text: String, in directory: String?, but deleted: [String: Timestamp], limit: Int
    ) throws(StoreError) -> (hits: [TranscriptHit], isWhole: Bool) {
        let words = SearchWords(text)
        guard let match = words.match else { return ([], true) }
        let (condition, values) = Self.condition(directory, but: deleted)
        var found = try candidates(match, condition, values, limit: Self.fewHits + 1)
        var isWhole = found.count <= Self.fewHits
        if !isWhole { found = try newest(match, condition, values, limit: limit) }
        found.sort { $0.time > $1.time }
        var seen: Set<Int64> = []
        found = found.filter { seen.insert($0.mark).inserted }
        var hits: [TranscriptHit] = []
        for candidate in found.prefix(Self.mostRead) {
            guard hits.count < limit else {
                isWhole = false
                break
            }
            if let hit = try hit(candidate, words) { hits.append(hit) }
        }
        return (hits, isWhole && found.count <= Self.mostRead)
    }

    func firstKey(holding word: String, in keys: ClosedRange<Int64>) throws(StoreError) -> Int64? {
        guard let match = SearchWords(word).match else { return nil }
        return try using { (database) throws(StoreError) in
            try database.query(
                "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT 1",
                [.text(match), .integer(keys.lowerBound), .integer(keys.upperBound)]
            ) { $0.integer() }.first
        }
    }

    private func candidates(
        _ match: String, _ condition: String, _ values: [SQLValue], limit: Int
    ) throws(StoreError) -> [Candidate] {
        try using { (database) throws(StoreError) in
            try database.query(
                """
                SELECT lines.id, lines.offset, lines.length, lines.time, lines.mark
                FROM (SELECT rowid AS key FROM words WHERE words MATCH ? ORDER BY rowid DESC) AS found
                CROSS JOIN lines ON lines.id = found.key CROSS JOIN files ON files.id = lines.id >> 32
                WHERE \(condition) LIMIT ?
                """, [.text(match)] + values + [SQLValue(limit)], Self.candidate)
        }
    }

    /// Searches the sessions that were active last, until there are enough hits.
    private func newest(
        _ match: String, _ condition: String, _ values: [SQLValue], limit: Int
    ) throws(StoreError) -> [Candidate] {
        try using { (database) throws(StoreError) in
            let files = try database.query(
                "SELECT id FROM files WHERE messages > 0 AND \(condition) ORDER BY last_time DESC LIMIT ?",
                values + [SQLValue(Self.mostSessions)]
            ) { $0.integer() }
            var found: [Candidate] = []
            for file in files where found.count < 4 * limit {
                let keys = LineKey.range(of: file)
                found += try database.query(
                    """
                    SELECT lines.id, lines.offset, lines.length, lines.time, lines.mark
                    FROM (SELECT rowid AS key FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?
                      ORDER BY rowid DESC LIMIT ?) AS found CROSS JOIN lines ON lines.id = found.key
                    """,
                    [.text(match), .integer(keys.lowerBound), .integer(keys.upperBound), SQLValue(4 * limit)],
                    Self.candidate)
            }
            return found
        }
    }

    private static func candidate(_ row: inout Row) throws(StoreError) -> Candidate {
        let key = row.integer()
        let place = TranscriptPlace(
            number: LineKey.number(of: key), offset: row.integer(), length: Int(row.integer()))
        return Candidate(place: place, file: LineKey.file(of: key), time: row.integer(), mark: row.integer())
    }

    /// `nil` where the text does not hold the words as they were typed.
    private func hit(_ candidate: Candidate, _ words: SearchWords) throws(StoreError) -> TranscriptHit? {
        let file = try using { (database) throws(StoreError) in
            try database.query(
                "SELECT path, session, agent, \(Database.factColumns) FROM files WHERE id = ?",
                [.integer(candidate.file)]
            ) { row throws(StoreError) in
                let (path, session) = (row.text(), row.text())
                let agent = try row.optional { $0.text() }
                return (path, agent, TranscriptSession(sessionID: session, facts: try row.facts()))
            }.first
        }
        guard let (path, agent, session) = file,
            let line = source.texts([candidate.place], of: path).first ?? nil,
            let snippet = words.snippet(of: line.text)
        else { return nil }
        return TranscriptHit(
            session: session, agentID: agent ?? line.agentID, number: candidate.place.number, kind: line.kind,
            uuid: line.uuid ?? "", time: line.time, snippet: snippet)
    }
}
