package import Core
import Platform

/// The index of transcripts: a database of its own, `transcripts.db`, so that no decision waits for it. It is a copy of
/// what the files say; a damaged one, or one of another version, is deleted and made anew. It is opened when it is first
/// used.
package final class TranscriptStore: Sendable {
    private let writer: TranscriptWriter
    private let reader: TranscriptReader
    private let looks = Locked(Looks())
    /// The writer makes the tables, and is busy for longer than a page may wait: it is asked once.
    private let isOpen = Locked(false)

    /// The looks at all files: whoever asks while one runs waits for the next, which all of them share.
    private struct Looks {
        var isRunning = false
        var waiting: [CheckedContinuation<StoreError?, Never>] = []
    }

    /// - Parameters:
    ///   - gaveUp: Called with a session of whose transcript no more is taken in, from any thread.
    ///   - freeSpace: Returns the bytes that are free on the index's disk; `nil` to ask the system.
    package init(
        path: String, source: any TranscriptSource, gaveUp: @escaping @Sendable (_ session: String) -> Void = { _ in },
        freeSpace: (@Sendable () -> Int64?)? = nil
    ) {
        writer = TranscriptWriter(
            path: path, source: source, gaveUp: gaveUp, freeSpace: freeSpace ?? { FreeSpace.bytes(beside: path) })
        reader = TranscriptReader(path: path, source: source)
    }

    /// The paths of the files that the index consists of.
    package static func files(of database: String) -> [String] { HeldFiles.suffixes.map { database + $0 } }

    /// Closes both connections; later calls throw.
    package func close() async {
        await writer.close()
        await reader.close()
    }

    // MARK: Taking in

    /// Takes in what is new in all files; returns when that is done.
    package func refresh() async throws(StoreError) {
        let failure = await withCheckedContinuation { continuation in
            let isFirst = looks.withLock { looks in
                looks.waiting.append(continuation)
                defer { looks.isRunning = true }
                return !looks.isRunning
            }
            if isFirst { Task.detached { await self.look() } }
        }
        if let failure { throw failure }
    }

    private func look() async {
        while true {
            let waiting = looks.withLock { looks in
                defer { looks.waiting = [] }
                if looks.waiting.isEmpty { looks.isRunning = false }
                return looks.waiting
            }
            guard !waiting.isEmpty else { return }
            var failure: StoreError?
            do throws(StoreError) {
                try await repaired { (writer) async throws(StoreError) in try await writer.takeAll() }
            } catch {
                failure = error
            }
            for one in waiting { one.resume(returning: failure) }
        }
    }

    /// Takes in what is new in one session's files, before all others.
    package func refresh(session id: String) async throws(StoreError) {
        try await repaired { (writer) async throws(StoreError) in try await writer.take(session: id) }
    }

    private func repaired(
        _ body: (TranscriptWriter) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        do throws(StoreError) {
            try await body(writer)
        } catch {
            guard error.isCurable else { throw error }
            await reader.close()
            try await writer.beginAnew()
            try await body(writer)
        }
    }

    // MARK: Reading

    package func sessions(
        in directory: String?, but deleted: [String: Timestamp] = [:], limit: Int, offset: Int
    ) async throws(StoreError) -> (sessions: [TranscriptSession], total: Int) {
        try await read { (reader) async throws(StoreError) in
            try await reader.sessions(in: directory, but: deleted, limit: limit, offset: offset)
        }
    }

    package func session(_ id: String) async throws(StoreError) -> (session: TranscriptSession, path: String)? {
        try await read { (reader) async throws(StoreError) in try await reader.session(id) }
    }

    package func page(_ query: TranscriptPageQuery) async throws(StoreError) -> TranscriptPage? {
        try await read { (reader) async throws(StoreError) in try await reader.page(query) }
    }

    package func messages(
        of session: String, agent: String?, after number: Int64, limit: Int
    ) async throws(StoreError) -> [TranscriptMessage] {
        try await read { (reader) async throws(StoreError) in
            try await reader.messages(of: session, agent: agent, after: number, limit: limit)
        }
    }

    package func subagents(of session: String) async throws(StoreError) -> [TranscriptPage.Subagent] {
        try await read { (reader) async throws(StoreError) in try await reader.subagents(of: session) }
    }

    package func subagentDirectory(of path: String) -> String { reader.source.subagentDirectory(of: path) }

    package func search(
        _ words: String, in directory: String?, but deleted: [String: Timestamp] = [:], limit: Int
    ) async throws(StoreError) -> (hits: [TranscriptHit], isWhole: Bool) {
        try await read { (reader) async throws(StoreError) in
            try await reader.search(words, in: directory, but: deleted, limit: limit)
        }
    }

    /// A damaged index is made anew, and read again once the files were taken in.
    private func read<Value: Sendable>(
        _ body: (TranscriptReader) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        if !isOpen.withLock({ $0 }) {
            try await repaired { (writer) async throws(StoreError) in try await writer.open() }
            isOpen.withLock { $0 = true }
        }
        do throws(StoreError) {
            return try await body(reader)
        } catch {
            guard error.kind == .corrupt else { throw error }
            await reader.close()
            try await writer.beginAnew()
            try await refresh()
            return try await body(reader)
        }
    }
}
