package import Core
import Platform

/// Answers questions about transcripts from the index, and follows those that somebody watches. The disk is asked when
/// somebody asks, and while somebody watches; never otherwise.
package actor TranscriptManager {
    private let index: any TranscriptIndex
    private let changes: any FileChanges
    private let deleted: any DeletedConversations
    private let workspaces: any WorkspaceFinder
    private let clock: any TimeSource
    private let log: any Log
    private let publish: @Sendable (LiveEvent) -> Void
    private let taken: @Sendable () async -> Void
    private let turns = Turns(mostWaiting: 8)

    private struct Following {
        let follower: TranscriptFollower
        /// Tell of changes of its file, and of those of its subagents.
        let changes: [any Cancellable]
        var clients: Set<String>

        func cancel() { for change in changes { change.cancel() } }
    }

    /// What a client was told about a transcript.
    private struct Known {
        let session: String
        let total: Int64
        /// The numbers of messages of its subagents.
        let subagents: [String: Int64]
    }

    private var following: [String: Following] = [:]
    private var watched: [String: TranscriptWatch] = [:]
    private var active: [String: TranscriptWatch] = [:]
    /// By client: of the session whose messages it asked for last.
    private var known: [String: Known] = [:]

    /// Seconds for which an answer about all files waits for those that are being taken in.
    private static let patience: Double = 1.5

    /// - Parameters:
    ///   - publish: Passes an event to its subscribers, in the order of the calls.
    ///   - taken: Returns once the subscribers have taken the events that were passed to them.
    package init(
        index: any TranscriptIndex, changes: any FileChanges, deleted: any DeletedConversations,
        workspaces: any WorkspaceFinder, clock: any TimeSource, log: any Log,
        publish: @escaping @Sendable (LiveEvent) -> Void, taken: @escaping @Sendable () async -> Void
    ) {
        self.index = index
        self.changes = changes
        self.deleted = deleted
        self.workspaces = workspaces
        self.clock = clock
        self.log = log
        self.publish = publish
        self.taken = taken
    }

    /// Takes in all transcripts, so that nobody waits for that later.
    package nonisolated func prepare() async {
        do { try await index.refresh() } catch { log.warning("transcripts were not taken in: \(error)") }
    }

    package func close() async {
        for one in following.values { one.cancel() }
        following = [:]
        await index.close()
    }

    /// Returns false if files are still being taken in after some time.
    private nonisolated func refresh() async throws(TranscriptFailure) -> Bool {
        let clock = clock
        let outcome = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Bool, TranscriptFailure>, Never>) in
            let first = FirstAnswer(continuation)
            let timer = clock.call(at: clock.uptime + Self.patience) { first.give(.success(false)) }
            Task.detached { [index] in
                do {
                    try await index.refresh()
                    first.give(.success(true))
                } catch {
                    first.give(.failure(.unreadable("\(error)")))
                }
                timer.cancel()
            }
        }
        return try outcome.get()
    }

    private nonisolated func directory(of workspace: String?) async throws(TranscriptFailure) -> String? {
        guard let workspace else { return nil }
        guard let found = await workspaces.workspace(workspace) else { throw .unknownWorkspace(workspace) }
        return found.path
    }

    private nonisolated func asked<Value: Sendable>(
        _ body: (any TranscriptIndex) async throws -> Value
    ) async throws(TranscriptFailure) -> Value {
        do { return try await body(index) } catch { throw .unreadable("\(error)") }
    }

    /// The session with what is new in its file.
    private nonisolated func look(
        _ id: String
    ) async throws(TranscriptFailure) -> (session: TranscriptSession, path: String, workspaceID: String) {
        let found = try await asked { index in
            try await index.refresh(session: id)
            return try await index.session(id)
        }
        guard let found else { throw .unknownSession(id) }
        let workspace =
            if let cwd = found.session.facts.cwd { await workspaces.workspace(holding: cwd) } else { nil as Workspace? }
        return (found.session, found.path, workspace?.id ?? "")
    }
}

extension TranscriptManager: TranscriptService {
    package nonisolated func history(
        workspace id: String?, limit: Int, offset: Int
    ) async throws(TranscriptFailure) -> TranscriptHistory {
        let directory = try await directory(of: id)
        let isWhole = try await refresh()
        let deleted = deleted.times
        let found = try await asked {
            try await $0.sessions(in: directory, but: deleted, limit: limit, offset: offset)
        }
        return TranscriptHistory(sessions: found.sessions, total: found.total, isIncomplete: !isWhole)
    }

    package nonisolated func session(_ id: String) async throws(TranscriptFailure) -> TranscriptSession {
        try await look(id).session
    }

    package nonisolated func delete(_ session: String) async throws(TranscriptFailure) {
        // The clock may have been set back since the last line was written.
        let now = clock.now().wall
        let time = max(now, try await look(session).session.facts.lastTime ?? now)
        do { try await deleted.add(session, at: time) } catch { throw .unwritten("\(error)") }
        log.info("conversation deleted from the lists", ["conversation": session])
    }

    package func messages(
        _ query: TranscriptPageQuery, client: String?
    ) async throws(TranscriptFailure) -> TranscriptPage {
        let page = try await asked { index in
            try await index.refresh(session: query.sessionID)
            return try await index.page(query)
        }
        guard let page else { throw .unknownSession(query.sessionID) }
        if let client, query.agentID == nil {
            known[client] = Known(
                session: query.sessionID, total: page.total, subagents: Self.counts(of: page.subagents))
        }
        return page
    }

    private static func counts(of subagents: [TranscriptPage.Subagent]) -> [String: Int64] {
        Dictionary(subagents.map { ($0.agentID, $0.messages) }) { $1 }
    }

    package nonisolated func search(
        _ words: String, workspace id: String?, limit: Int, by caller: Caller
    ) async throws(TranscriptFailure) -> TranscriptFindings {
        let directory = try await directory(of: id)
        let key = caller.deviceID ?? (caller.isAgent ? "agent" : "local")
        guard await turns.begin(key) else { throw .busy(waiting: turns.mostWaiting) }
        defer { turns.end(key) }
        let isWhole = try await refresh()
        let deleted = deleted.times
        let found = try await asked { try await $0.search(words, in: directory, but: deleted, limit: limit) }
        return TranscriptFindings(hits: found.hits, hasMore: !found.isWhole, isIncomplete: !isWhole)
    }

    package func watch(
        _ session: String, after: Int64?, hasSubagents: Bool, client: String
    ) async throws(TranscriptFailure) -> TranscriptWatch {
        let found = try await look(session)
        let total = found.session.facts.messages
        let seen = known[client].flatMap { $0.session == session ? $0 : nil }
        var subagents: [String: Int64]?
        if hasSubagents {
            let present = try await asked { try await $0.subagents(of: session) }
            subagents = seen?.subagents ?? Self.counts(of: present)
        }
        let watch = TranscriptWatch(
            client: client, sessionID: session, workspaceID: found.workspaceID,
            after: min(after ?? seen?.total ?? total, total))
        if let before = watched[client], before.sessionID != session { await end(before) }
        await follow(watch, subagents, found.path)
        watched[client] = watch
        active[client] = watch
        tell(watch, isWatching: true)
        return watch
    }

    private func follow(_ watch: TranscriptWatch, _ subagents: [String: Int64]?, _ path: String) async {
        if following[watch.sessionID] == nil {
            let follower = TranscriptFollower(
                session: watch.sessionID, workspaceID: watch.workspaceID, index: index, log: log,
                now: { [clock] in clock.now().wall }, publish: publish, taken: taken)
            let advance = { @Sendable () -> Void in Task.detached { await follower.advance() } }
            let places = [
                changes.watch(path, handler: advance),
                changes.watch(filesIn: index.subagentDirectory(of: path), handler: advance),
            ]
            following[watch.sessionID] = Following(follower: follower, changes: places, clients: [])
        }
        following[watch.sessionID]?.clients.insert(watch.client)
        guard let follower = following[watch.sessionID]?.follower else { return }
        await follower.add(watch.client, TranscriptFollower.Progress(sent: watch.after, subagents: subagents))
        // What came before the file was watched, or is known to another client already.
        Task.detached { await follower.advance() }
    }

    package func unwatch(client: String) async -> TranscriptWatch? {
        guard let watch = watched.removeValue(forKey: client) else { return nil }
        await end(watch)
        return watch
    }

    /// The workspace is gone: who watched a session of it is told that it does no more.
    package func endWatches(in workspace: String) async {
        for (client, watch) in watched where watch.workspaceID == workspace {
            watched[client] = nil
            await end(watch)
        }
    }

    private func end(_ watch: TranscriptWatch) async {
        following[watch.sessionID]?.clients.remove(watch.client)
        let follower = following[watch.sessionID]?.follower
        if following[watch.sessionID]?.clients.isEmpty == true {
            following.removeValue(forKey: watch.sessionID)?.cancel()
        }
        tell(watch, isWatching: false)
        await follower?.remove(watch.client)
    }

    private func tell(_ watch: TranscriptWatch, isWatching: Bool) {
        publish(
            LiveEvent(
                at: clock.now().wall, workspaceID: watch.workspaceID.isEmpty ? nil : watch.workspaceID,
                sessionID: watch.sessionID,
                body: .sessionWatchChanged(client: watch.client, isWatching: isWatching)))
    }

    package func activate(_ session: String, client: String) async throws(TranscriptFailure) -> TranscriptWatch {
        let found = try await look(session)
        let watch = TranscriptWatch(
            client: client, sessionID: session, workspaceID: found.workspaceID, after: found.session.facts.messages)
        active[client] = watch
        return watch
    }

    package func watches() -> [TranscriptWatch] { watched.values.sorted { $0.client < $1.client } }

    /// The session that each client shows.
    package func shown() -> [TranscriptWatch] { active.values.sorted { $0.client < $1.client } }
}

extension TranscriptManager: ClientListener {
    package func clientLeft(_ id: String) async {
        known[id] = nil
        active[id] = nil
        _ = await unwatch(client: id)
    }
}
