import Core
import Platform

/// Takes the lines of transcripts into the index: one connection on a thread of its own, which gives way to all others.
/// Files are read in parts of some megabytes, the next on another thread while one is written; what is asked for in
/// between comes first.
actor TranscriptWriter {
    private let path: String
    private let source: any TranscriptSource
    private let gaveUp: @Sendable (_ session: String) -> Void
    private let freeSpace: @Sendable () -> Int64?
    private nonisolated let thread: StoreThread
    private let lane = WorkLane(threads: 1, mostWeight: .max)
    private var database: Database?
    private var files: [String: IndexedFile] = [:]
    private var clearingMark: SessionClearings.Mark?
    /// The paths that are being taken in, with those who wait for that.
    private var underWay: [String: [CheckedContinuation<Void, Never>]] = [:]
    /// The paths of files of which no more is taken in, with the offset from which on.
    private var givenUp: [String: Int64] = [:]
    /// The number of the last look at the disk.
    private var look = 0
    private var isClosed = false

    /// Bytes that are read and written at a time.
    private static let part = 4 << 20
    /// Parts of a file that are taken in while others wait.
    private static let partsOfTurn = 16
    /// Pages in the write-ahead log (of 4 KiB) above which it is copied into the database.
    private static let mostLogged = 4000
    /// Bytes of the disk that are left to the database of decisions: a part and its log take some 30 MB.
    private static let leastFree: Int64 = 64 << 20

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(
        path: String, source: any TranscriptSource, gaveUp: @escaping @Sendable (String) -> Void,
        freeSpace: @escaping @Sendable () -> Int64?
    ) {
        self.path = path
        self.source = source
        self.gaveUp = gaveUp
        self.freeSpace = freeSpace
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

    /// Takes in what is new in all files, which take turns: a large one keeps no other waiting.
    func takeAll() async throws(StoreError) {
        try open()
        let look = nextLook()
        guard let found = await lane.run(weight: 0, { [source] in source.files() }) else { return }
        let paths = Set(found.map(\.path))
        for path in files.keys.filter({ !paths.contains($0) }) { try remove(path) }
        var left = found
        while !left.isEmpty { left = try await takeTurns(left, look) }
        try takeClearings()
    }

    private func nextLook() -> Int {
        look += 1
        return look
    }

    /// Returns the files of which more is left.
    private func takeTurns(_ files: [TranscriptFile], _ look: Int) async throws(StoreError) -> [TranscriptFile] {
        var left: [TranscriptFile] = []
        for file in files {
            // Somebody else takes it in just now: it is waited for last.
            if underWay[file.path] != nil, left.count + 1 < files.count {
                left.append(file)
            } else if try await !take(file, look, atMost: Self.partsOfTurn) {
                left.append(file)
            }
        }
        return left
    }

    /// Takes in what is new in the files of one session.
    func take(session id: String) async throws(StoreError) {
        try open()
        // Not on the lane, where the part of a large file may be read just now.
        let look = nextLook()
        for file in source.files(of: id) {
            _ = try await take(file, look, atMost: .max)
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

    /// Returns false if more is left.
    private func take(_ file: TranscriptFile, _ look: Int, atMost parts: Int) async throws(StoreError) -> Bool {
        // A later look may have taken in more than this one has seen.
        if let known = files[file.path], known.stamp == file.stamp || known.look > look { return true }
        guard underWay[file.path] == nil else {
            await withCheckedContinuation { underWay[file.path]?.append($0) }
            // Of a turn that somebody else had, more may be left.
            return parts == .max ? try await take(file, look, atMost: parts) : true
        }
        underWay[file.path] = []
        defer { for waiting in underWay.removeValue(forKey: file.path) ?? [] { waiting.resume() } }
        return try await takeParts(of: file, look, atMost: parts)
    }

    private func takeParts(of file: TranscriptFile, _ look: Int, atMost most: Int) async throws(StoreError) -> Bool {
        var indexed = try known(file)
        if givenUp[file.path] == indexed.end { return noteSeen(file) }
        var facts = try using { (database) throws(StoreError) in try database.facts(of: indexed.id) }
        // Small, as what was added to a transcript usually is: not worth a change of threads.
        let isShort = file.stamp.size - indexed.end <= 64 << 10
        var next = read(file.path, from: indexed.end, at: isShort)
        var left = most
        while let part = await next.value {
            left -= 1
            if !part.isLast, left > 0 { next = read(file.path, from: part.end, at: false) }
            indexed.end = part.end
            indexed.seal = part.seal
            if part.isLast { (indexed.stamp, indexed.look) = (file.stamp, look) }
            facts = try write(part, indexed, facts)
            files[file.path] = indexed
            if part.isGivenUp { giveUp(file, at: part.end) }
            if part.isLast { return true }
            if left == 0 { return false }
        }
        return true
    }

    private func giveUp(_ file: TranscriptFile, at end: Int64) {
        givenUp[file.path] = end
        gaveUp(file.sessionID)
    }

    private func noteSeen(_ file: TranscriptFile) -> Bool {
        files[file.path]?.stamp = file.stamp
        return true
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
            givenUp[file.path] = nil
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
        if let free = freeSpace(), free < Self.leastFree { throw StoreError(.scarce) }
        return try written(part, file, known)
    }

    private func written(
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
