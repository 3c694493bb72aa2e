import Core

/// The sessions that go on from one another.
extension TranscriptReader {
    /// Milliseconds by which the times of one command may differ in the two transcripts.
    private static let clearing: Int64 = 5000

    func links(of session: String, _ file: FoundFile) throws(StoreError) -> [TranscriptPage.Link] {
        var links: [TranscriptPage.Link] = []
        if let origin = file.facts.forkedFrom { links.append(.init(kind: .forkOf, sessionID: origin)) }
        links += try sessions(.forkedTo, "forked_from = ?", [.text(session)])
        let folder = String(file.path.prefix(upTo: file.path.lastIndex(of: "/") ?? file.path.endIndex)) + "/"
        // The folder's paths: `0` follows `/` in ASCII.
        let inFolder: [SQLValue] = [.text(folder), .text(folder.dropLast() + "0")]
        if file.facts.beginsCleared, let time = file.facts.firstTime {
            links += try sessions(
                .clearOf,
                """
                path >= ? AND path < ? AND (cleared_at BETWEEN ? AND ?
                  OR session IN (SELECT session FROM clearings WHERE time BETWEEN ? AND ?))
                """, inFolder + Self.around(time) + Self.around(time)
            ).filter { $0.sessionID != session }.prefix(1)
        }
        // The agent tells one of both: a program's command in the transcript, a person's in the record of typed lines.
        let typed = try using { (database) throws(StoreError) in try database.clearings(of: session) }
        for time in [file.facts.clearedAt].compactMap(\.self) + typed {
            let next = try sessions(
                .clearedTo, "path >= ? AND path < ? AND begins_cleared AND first_time BETWEEN ? AND ?",
                inFolder + Self.around(time))
            links += next.filter { $0.sessionID != session && !links.contains($0) }.prefix(1)
        }
        return links
    }

    private static func around(_ time: Timestamp) -> [SQLValue] {
        [.integer(time.milliseconds - clearing), .integer(time.milliseconds + clearing)]
    }

    private func sessions(
        _ kind: TranscriptPage.Link.Kind, _ condition: String, _ values: [SQLValue]
    ) throws(StoreError) -> [TranscriptPage.Link] {
        try using { (database) throws(StoreError) in
            try database.query(
                "SELECT session FROM files WHERE agent IS NULL AND \(condition) ORDER BY first_time LIMIT 100", values
            ) { TranscriptPage.Link(kind: kind, sessionID: $0.text()) }
        }
    }
}
