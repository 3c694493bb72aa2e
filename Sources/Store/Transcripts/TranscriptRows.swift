import Core

/// A file as the index has it.
struct IndexedFile {
    let id: Int64
    var stamp: TranscriptFile.Stamp?
    /// The number of the look at the disk by which it was taken in last; since the start of the daemon.
    var look = 0
    /// The offset behind the last line that was taken in.
    var end: Int64 = 0
    var seal = TranscriptPart.Seal()
    /// True if it is known which call started this subagent.
    var isDescribed = false
}

/// The numbers of lines in the index.
enum LineKey {
    static func first(of file: Int64) -> Int64 { file << 32 }
    static func range(of file: Int64) -> ClosedRange<Int64> { (file << 32)...(file << 32 | 0xFFFF_FFFF) }
    static func file(of key: Int64) -> Int64 { key >> 32 }
    static func number(of key: Int64) -> Int64 { key & 0xFFFF_FFFF }

    /// A number made of a uuid (FNV-1a, 64 bits).
    static func mark(_ uuid: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in uuid.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int64(bitPattern: hash)
    }
}

extension Database {
    /// All files, by their paths.
    func indexedFiles() throws(StoreError) -> [String: IndexedFile] {
        let rows = try query(
            "SELECT path, id, inode, size, modified, end, head, head_length, tail, call IS NOT NULL FROM files"
        ) { row throws(StoreError) in
            let path = row.text()
            var file = IndexedFile(id: row.integer())
            let inode = try row.optional { $0.integer() }
            let (size, modified) = (row.integer(), row.integer())
            file.stamp = inode.map {
                TranscriptFile.Stamp(inode: UInt64(bitPattern: $0), size: size, modified: modified)
            }
            file.end = row.integer()
            file.seal = TranscriptPart.Seal(head: row.integer(), headLength: row.integer(), tail: row.integer())
            file.isDescribed = row.bool()
            return (path, file)
        }
        return Dictionary(rows) { first, _ in first }
    }

    func addFile(_ file: TranscriptFile, note: SubagentNote?) throws(StoreError) -> IndexedFile {
        let ids = try query(
            """
            INSERT INTO files(path, session, agent, call, agent_type, agent_summary) VALUES(?, ?, ?, ?, ?, ?)
            RETURNING id
            """,
            [
                .text(file.path), .text(file.sessionID), SQLValue(file.agentID), SQLValue(note?.toolUseID),
                SQLValue(note?.type), SQLValue(note?.summary),
            ]
        ) { $0.integer() }
        guard let id = ids.first else { throw StoreError(.other, "no row was made") }
        return IndexedFile(id: id, isDescribed: note != nil)
    }

    func describe(_ file: Int64, _ note: SubagentNote) throws(StoreError) {
        try run(
            "UPDATE files SET call = ?, agent_type = ?, agent_summary = ? WHERE id = ?",
            [.text(note.toolUseID), .text(note.type), .text(note.summary), .integer(file)])
    }

    /// The words of the file's lines stay, and lead to no line.
    func removeFile(_ id: Int64) throws(StoreError) {
        let keys = LineKey.range(of: id)
        try run("DELETE FROM lines WHERE id BETWEEN ? AND ?", [.integer(keys.lowerBound), .integer(keys.upperBound)])
        try run("UPDATE gone SET lines = lines + ?", [SQLValue(changes)])
        try run("DELETE FROM files WHERE id = ?", [.integer(id)])
    }

    func update(_ file: IndexedFile, _ facts: TranscriptFacts) throws(StoreError) {
        try run(
            """
            UPDATE files SET inode = ?, size = ?, modified = ?, end = ?, head = ?, head_length = ?, tail = ?, cwd = ?,
            name = ?, summary = ?, prompt = ?, messages = ?, first_time = ?, last_time = ?, branch = ?, model = ?,
            input = ?, output = ?, cost = ?, forked_from = ?, begins_cleared = ?, cleared_at = ? WHERE id = ?
            """,
            [
                SQLValue(file.stamp?.inode), .integer(file.stamp?.size ?? 0), .integer(file.stamp?.modified ?? 0),
                .integer(file.end), .integer(file.seal.head), .integer(file.seal.headLength), .integer(file.seal.tail),
                SQLValue(facts.cwd), SQLValue(facts.name), SQLValue(facts.summary), SQLValue(facts.prompt),
                .integer(facts.messages), SQLValue(facts.firstTime), SQLValue(facts.lastTime), SQLValue(facts.branch),
                SQLValue(facts.model), .integer(facts.tokens.input), .integer(facts.tokens.output),
                facts.cost.map { .integer($0) } ?? .null, SQLValue(facts.forkedFrom), SQLValue(facts.beginsCleared),
                SQLValue(facts.clearedAt), .integer(file.id),
            ])
    }

    /// The columns that `Row.facts` reads.
    static var factColumns: String {
        """
        files.cwd, files.name, files.summary, files.prompt, files.messages, files.first_time, files.last_time,
        files.branch, files.model, files.input, files.output, files.cost, files.forked_from, files.begins_cleared,
        files.cleared_at
        """
    }

    func facts(of file: Int64) throws(StoreError) -> TranscriptFacts {
        try query("SELECT \(Self.factColumns) FROM files WHERE id = ?", [.integer(file)]) { row throws(StoreError) in
            try row.facts()
        }.first ?? TranscriptFacts()
    }

    /// Returns false for a message that the file has already.
    func add(_ line: TranscriptPart.Line, key: Int64) throws(StoreError) -> Bool {
        let flags = line.line.flags.rawValue << 2 | line.line.kind.rawValue
        try run(
            "INSERT OR IGNORE INTO lines(id, offset, length, time, flags, mark) VALUES(?, ?, ?, ?, ?, ?)",
            [
                .integer(key), .integer(line.offset), SQLValue(line.length), SQLValue(line.line.time),
                SQLValue(flags), .integer(LineKey.mark(line.line.uuid ?? "")),
            ])
        guard changes > 0 else { return false }
        guard !line.line.text.isEmpty else { return true }
        try run("INSERT INTO words(rowid, text) VALUES(?, ?)", [.integer(key), .text(line.line.text)])
        return true
    }
}

extension Row {
    mutating func facts() throws(StoreError) -> TranscriptFacts {
        var facts = TranscriptFacts()
        facts.cwd = try optional { $0.text() }
        facts.name = try optional { $0.text() }
        facts.summary = try optional { $0.text() }
        facts.prompt = try optional { $0.text() }
        facts.messages = integer()
        facts.firstTime = try optional { $0.time() }
        facts.lastTime = try optional { $0.time() }
        facts.branch = try optional { $0.text() }
        facts.model = try optional { $0.text() }
        facts.tokens = TranscriptTokens(input: integer(), output: integer())
        facts.cost = try optional { $0.integer() }
        facts.forkedFrom = try optional { $0.text() }
        facts.beginsCleared = bool()
        facts.clearedAt = try optional { $0.time() }
        return facts
    }
}
