import Core
import Platform

/// Takes the lines of transcripts into the index: one connection on a thread of its own, which gives way to all others.
/// Files are read in parts of some megabytes, the next on another thread while one is written; what is asked for in
/// between comes first.
actor TranscriptWriter {
    private let path: String
    private let source: any TranscriptSource
    private nonisolated let thread: StoreThread
    private let lane = WorkLane(threads: 1, mostWeight: .max)
    private var database: Database?
    private var files: [String: IndexedFile] = [:]
    private var clearingMark: SessionClearings.Mark?
    /// The paths that are being taken in, with those who wait for that.
    private var underWay: [String: [CheckedContinuation<Void, Never>]] = [:]
    private var isClosed = false

    /// Bytes that are read and written at a time.
    private static let part = 4 << 20
    /// Pages in the write-ahead log (of 4 KiB) above which it is copied into the database.
    private static let mostLogged = 4000

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(path: String, source: any TranscriptSource) {
        self.path = path
        self.source = source
        thread = StoreThread(givesWay: true)
    }

    deinit {
        thread.stop()
    }

    /// Opens the database, if it is not open.
    func open() throws(StoreError) {
        guard database == nil else { return }
        guard !isClosed else { throw StoreError(.closed) }
        let opened = try TranscriptSchema.open(path)
        files = try opened.indexedFiles()
        clearingMark = try opened.clearingMark()
        database = opened
    }

    /// Deletes the database and begins a new one.
    func beginAnew() throws(StoreError) {
        database?.close()
        database = nil
        files = [:]
        DatabaseFile(path: path).discard()
        try open()
    }

    func close() {
        isClosed = true
        database?.close()
        database = nil
    }

    /// Takes in what is new in all files.
    func takeAll() async throws(StoreError) {
        try open()
        guard let found = await lane.run(weight: 0, { [source] in source.files() }) else { return }
        let paths = Set(found.map(\.path))
        for path in files.keys.filter({ !paths.contains($0) }) { try remove(path) }
        for file in found { try await take(file) }
        try takeClearings()
    }

    /// Takes in what is new in the files of one session.
    func take(session id: String) async throws(StoreError) {
        try open()
        // Not on the lane, where the part of a large file may be read just now.
        for file in source.files(of: id) {
            try await take(file)
            try describe(file)
        }
        try takeClearings()
    }

    private func takeClearings() throws(StoreError) {
        guard let added = source.clearings(after: clearingMark) else { return }
        try using { (database) throws(StoreError) in try database.add(added) }
        clearingMark = added.mark
        // A link needs the session's file in the index; its lines are taken in when somebody asks for them.
        for one in added.found.suffix(Self.mostNoted) {
            for file in source.files(of: one.sessionID) where file.agentID == nil && files[file.path] == nil {
                _ = try known(file)
            }
        }
    }

    /// Cleared sessions that are noted at a time: whoever looks at the next one does so soon.
    private static let mostNoted = 20

    /// A subagent's description may be written after the first lines of its transcript.
    private func describe(_ file: TranscriptFile) throws(StoreError) {
        guard file.agentID != nil, let known = files[file.path], !known.isDescribed,
            let note = source.note(ofSubagent: file.path)
        else { return }
        try using { (database) throws(StoreError) in try database.describe(known.id, note) }
        files[file.path]?.isDescribed = true
    }

    private func take(_ file: TranscriptFile) async throws(StoreError) {
        guard files[file.path]?.stamp != file.stamp else { return }
        guard underWay[file.path] == nil else {
            return await withCheckedContinuation { underWay[file.path]?.append($0) }
        }
        underWay[file.path] = []
        defer { for waiting in underWay.removeValue(forKey: file.path) ?? [] { waiting.resume() } }
        try await takeParts(of: file)
    }

    private func takeParts(of file: TranscriptFile) async throws(StoreError) {
        var indexed = try known(file)
        var facts = try using { (database) throws(StoreError) in try database.facts(of: indexed.id) }
        // Small, as what was added to a transcript usually is: not worth a change of threads.
        let isShort = file.stamp.size - indexed.end <= 64 << 10
        var next = read(file.path, from: indexed.end, at: isShort)
        while let part = await next.value {
            if !part.isLast { next = read(file.path, from: part.end, at: false) }
            indexed.end = part.end
            indexed.seal = part.seal
            if part.isLast { indexed.stamp = file.stamp }
            facts = try write(part, indexed, facts)
            files[file.path] = indexed
            if part.isLast { return }
        }
    }

    private func read(_ path: String, from offset: Int64, at once: Bool) -> Task<TranscriptPart?, Never> {
        let (source, lane) = (source, lane)
        if once {
            let part = source.part(of: path, from: offset, limit: Self.part)
            return Task.detached { part }
        }
        return Task.detached {
            await lane.run(weight: 0) { source.part(of: path, from: offset, limit: Self.part) } ?? nil
        }
    }

    /// The file as the index has it; anew if it is another file by now, or lost some of its bytes.
    private func known(_ file: TranscriptFile) throws(StoreError) -> IndexedFile {
        if let known = files[file.path] {
            if isGrown(known, file) { return known }
            try remove(file.path)
        }
        let note = file.agentID == nil ? nil : source.note(ofSubagent: file.path)
        let added = try using { (database) throws(StoreError) in try database.addFile(file, note: note) }
        files[file.path] = added
        return added
    }

    private func isGrown(_ known: IndexedFile, _ file: TranscriptFile) -> Bool {
        guard file.stamp.size >= known.end, known.stamp.map({ $0.inode == file.stamp.inode }) ?? true else {
            return false
        }
        return source.seal(of: file.path, upTo: known.end, headLength: known.seal.headLength) == known.seal
    }

    private func remove(_ path: String) throws(StoreError) {
        guard let file = files[path] else { return }
        try using { (database) throws(StoreError) in
            try database.transaction(.normal) { () throws(StoreError) in try database.removeFile(file.id) }
        }
        files[path] = nil
    }

    private func write(
        _ part: TranscriptPart, _ file: IndexedFile, _ known: TranscriptFacts
    ) throws(StoreError) -> TranscriptFacts {
        try using { (database) throws(StoreError) in
            let facts = try database.transaction(.normal) { () throws(StoreError) in
                var facts = known
                for line in part.lines {
                    let isMessage = line.line.isMessage
                    let key = LineKey.first(of: file.id) + facts.messages + 1
                    if isMessage, try !database.add(line, key: key) { continue }
                    facts.take(line.line)
                }
                try database.update(file, facts)
                return facts
            }
            try database.checkpoint(above: Self.mostLogged)
            return facts
        }
    }

    private func using<Value>(_ body: (Database) throws(StoreError) -> Value) throws(StoreError) -> Value {
        guard let database else { throw StoreError(.closed) }
        return try body(database)
    }
}
