import Core
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing

/// Who watches gets each new message once, in order, and none is missing between a page and the events.
@Suite struct TranscriptManagerTests {
    private let index = FakeIndex()
    private let changes = FakeChanges()
    private let deletions = FakeDeletions()
    private let events = Locked<[LiveEvent]>([])
    /// The messages that were sent when it was asked whether they were taken.
    private let waits = Locked<[Int]>([])
    private let manager: TranscriptManager

    init() {
        manager = TranscriptManager(
            index: index, changes: changes, deleted: deletions, workspaces: OneWorkspace(), clock: ManualClock(),
            log: NoLog(),
            publish: { [events] event in events.withLock { $0.append(event) } },
            taken: { [events, waits] in
                let sent = events.withLock { $0.count { $0.body.kind == .transcriptMessage } }
                waits.withLock { $0.append(sent) }
            })
    }

    /// The messages that a client was sent so far.
    private func messages(to client: String) -> [TranscriptMessage] {
        events.withLock { events in
            events.compactMap { event in
                guard case .transcriptMessage(let message) = event.body, event.audience?.contains(client) == true else {
                    return nil
                }
                return message
            }
        }
    }

    /// The numbers of those of the session itself, or of a subagent.
    private func sent(to client: String, of agent: String? = nil) -> [Int64] {
        messages(to: client).filter { $0.origin?.agentID == agent }.map(\.number)
    }

    @discardableResult
    private func watch(
        _ session: String, after: Int64? = nil, subagents: Bool = false, by client: String
    ) async throws(TranscriptFailure) -> TranscriptWatch {
        try await manager.watch(session, after: after, hasSubagents: subagents, client: client)
    }

    private func wait(for count: Int, to client: String, of agent: String? = nil) async throws {
        while sent(to: client, of: agent).count < count { try await letOthersRun() }
    }

    @Test func itGoesOnBehindThePageThatWasRead() async throws {
        await index.add(3)
        let page = try await manager.messages(TranscriptPageQuery(sessionID: "s1"), client: "c")
        #expect(page.total == 3)
        await index.add(2)
        let watch = try await watch("s1", by: "c")
        #expect(watch.after == 3 && watch.workspaceID == "ws-1")
        try await wait(for: 2, to: "c")
        await index.add(1)
        changes.tell()
        try await wait(for: 3, to: "c")
        changes.tell()
        changes.tell()
        #expect(sent(to: "c") == [4, 5, 6])
    }

    /// Else a long transcript is sent at once, and everybody else waits.
    @Test func aPageIsTakenBeforeTheNextIsSent() async throws {
        await index.add(250)
        try await watch("s1", after: 0, by: "c")
        try await wait(for: 250, to: "c")
        await index.add(1)
        changes.tell()
        try await wait(for: 251, to: "c")
        #expect(waits.withLock { $0.prefix(3) } == [100, 200, 250])
    }

    @Test func withoutAPageItGoesOnAtTheEnd() async throws {
        await index.add(3)
        #expect(try await watch("s1", by: "c").after == 3)
        #expect(try await watch("s1", after: 1, by: "d").after == 1)
        #expect(try await watch("s1", after: 99, by: "e").after == 3)
        try await wait(for: 2, to: "d")
        await index.add(1)
        changes.tell()
        for (client, numbers) in [("c", [4]), ("d", [2, 3, 4]), ("e", [4])] as [(String, [Int64])] {
            try await wait(for: numbers.count, to: client)
            #expect(sent(to: client) == numbers)
        }
    }

    @Test func oneSessionAtATimeAndNobodyAfterLeaving() async throws {
        await index.add(1)
        try await watch("s1", by: "c")
        #expect(changes.watched == ["/t/s1", "/t/s1.jsonl"])
        try await watch("s2", by: "c")
        #expect(changes.watched == ["/t/s2", "/t/s2.jsonl"])
        #expect(await manager.watches().map(\.sessionID) == ["s2"])
        await manager.clientLeft("c")
        #expect(changes.watched.isEmpty)
        #expect(await manager.watches().isEmpty)
        #expect(await manager.unwatch(client: "c") == nil)
        let changed = events.withLock { events in
            events.compactMap { if case .sessionWatchChanged(_, let isWatching) = $0.body { isWatching } else { nil } }
        }
        #expect(changed == [true, false, true, false])
    }

    /// Whoever asks for it gets the messages of subagents, each joined to the call that started it: of those that the page
    /// named behind what it told, of later ones all.
    @Test func subagentsAreFollowedWhereSomebodyAsksForThem() async throws {
        await index.add(1)
        await index.add(2, of: "x")
        _ = try await manager.messages(TranscriptPageQuery(sessionID: "s1"), client: "c")
        await index.add(1, of: "x")
        try await watch("s1", subagents: true, by: "c")
        try await watch("s1", by: "d")
        try await wait(for: 1, to: "c", of: "x")
        await index.add(2, of: "y")
        await index.add(1)
        changes.tell()
        try await wait(for: 2, to: "c", of: "y")
        for client in ["c", "d"] { try await wait(for: 1, to: client) }
        #expect(sent(to: "c", of: "x") == [3] && sent(to: "c", of: "y") == [1, 2])
        #expect(Set(messages(to: "c").compactMap { $0.origin?.toolUseID }) == ["call of x", "call of y"])
        #expect(messages(to: "d").map(\.origin) == [nil], "who did not ask for them is sent none")
    }

    @Test func withoutAPageSubagentsGoOnAtTheirEnds() async throws {
        await index.add(2, of: "x")
        await index.refresh()
        try await watch("s1", subagents: true, by: "c")
        await index.add(1, of: "x")
        changes.tell()
        try await wait(for: 1, to: "c", of: "x")
        #expect(sent(to: "c", of: "x") == [3])
    }

    @Test func theEndOfAWorkspaceEndsItsWatches() async throws {
        await index.add(1)
        try await watch("s1", by: "c")
        try await watch("s1", by: "d")
        await manager.endWatches(in: "ws-2")
        #expect(await manager.watches().count == 2)
        await manager.endWatches(in: "ws-1")
        #expect(await manager.watches().isEmpty && changes.watched.isEmpty)
        let ended = events.withLock { events in
            events.compactMap { event -> String? in
                guard case .sessionWatchChanged(let client, false) = event.body else { return nil }
                return client
            }
        }
        #expect(ended.sorted() == ["c", "d"])
    }

    @Test func manyChangesAreToldOnce() async throws {
        try await watch("s1", by: "c")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { [index, changes] in
                    await index.add(1)
                    changes.tell()
                }
            }
        }
        try await wait(for: 50, to: "c")
        #expect(sent(to: "c") == (1...50).map { Int64($0) })
    }

    @Test func whatIsUnknownIsSaid() async throws {
        await #expect(throws: TranscriptFailure.unknownSession("none")) {
            try await manager.messages(TranscriptPageQuery(sessionID: "none"), client: "c")
        }
        await #expect(throws: TranscriptFailure.unknownSession("none")) {
            try await watch("none", by: "c")
        }
        await #expect(throws: TranscriptFailure.unknownWorkspace("ws-9")) {
            _ = try await manager.history(workspace: "ws-9", limit: 1, offset: 0)
        }
        #expect(try await manager.history(workspace: "ws-1", limit: 1, offset: 0).total == 2)
        #expect(await index.directories == ["/w"])
    }

    @Test func whatIsDeletedIsLeftOut() async throws {
        for id in ["s1", "ahead"] { try await manager.delete(id) }
        _ = try await manager.history(workspace: nil, limit: 1, offset: 0)
        #expect(await index.deleted == ["s1": ManualClock().now().wall, "ahead": ManualClock().now().wall + 3600])
        await #expect(throws: TranscriptFailure.unknownSession("none")) { try await manager.delete("none") }
        deletions.isFull.withLock { $0 = true }
        await #expect(throws: TranscriptFailure.self) { try await manager.delete("s2") }
    }
}

private struct OneWorkspace: WorkspaceFinder {
    func workspace(_ id: String) async -> Workspace? { id == "ws-1" ? made : nil }
    func workspace(holding path: String) async -> Workspace? { path.hasPrefix("/w") ? made : nil }

    private var made: Workspace {
        let time = Timestamp(milliseconds: 0)
        return Workspace(id: "ws-1", name: "w", path: "/w", origin: .added, createdAt: time, lastActive: time)
    }
}

private final class FakeChanges: FileChanges {
    private let handlers = Locked<[String: @Sendable () -> Void]>([:])

    var watched: [String] { handlers.withLock { $0.keys.sorted() } }

    func tell() { for handler in handlers.withLock({ Array($0.values) }) { handler() } }

    func watch(filesIn directory: String, handler: @escaping @Sendable () -> Void) -> any Cancellable {
        watch(directory, handler: handler)
    }

    func watch(_ path: String, handler: @escaping @Sendable () -> Void) -> any Cancellable {
        handlers.withLock { $0[path] = handler }
        return End { [handlers] in handlers.withLock { $0[path] = nil } }
    }

    private struct End: Cancellable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        func cancel() { body() }
    }
}

/// Two sessions with the same messages; what is added counts once it was taken in.
private actor FakeIndex: TranscriptIndex {
    private var written: Int64 = 0
    private var total: Int64 = 0
    /// The numbers of messages of subagents, written and taken in.
    private var subagents: [String: (written: Int64, total: Int64)] = [:]
    private(set) var directories: [String?] = []
    private(set) var deleted: [String: Timestamp] = [:]

    func add(_ count: Int64) { written += count }
    func add(_ count: Int64, of agent: String) { subagents[agent, default: (0, 0)].written += count }

    func refresh() {
        total = written
        subagents = subagents.mapValues { ($0.written, $0.written) }
    }

    func refresh(session id: String) async { refresh() }
    func close() {}

    func sessions(
        in directory: String?, but deleted: [String: Timestamp], limit: Int, offset: Int
    ) -> (sessions: [TranscriptSession], total: Int) {
        directories.append(directory)
        self.deleted = deleted
        return ([], 2)
    }

    func page(_ query: TranscriptPageQuery) -> TranscriptPage? {
        query.sessionID == "none" ? nil : TranscriptPage(total: total, subagents: subagents(of: ""))
    }

    func subagents(of session: String) -> [TranscriptPage.Subagent] {
        subagents.filter { $0.value.total > 0 }.sorted { $0.key < $1.key }.map { agent, count in
            let note = SubagentNote(toolUseID: "call of \(agent)", type: "", summary: "")
            return TranscriptPage.Subagent(agentID: agent, note: note, messages: count.total)
        }
    }

    nonisolated func subagentDirectory(of path: String) -> String { String(path.dropLast(".jsonl".count)) }

    func messages(of session: String, agent: String?, after number: Int64, limit: Int) -> [TranscriptMessage] {
        let total = agent.map { subagents[$0]?.total ?? 0 } ?? total
        guard number < total else { return [] }
        return (number + 1...min(total, number + Int64(limit))).map { number in
            var message = TranscriptMessage(
                kind: .user, flags: [], uuid: "u\(number)", parent: nil, time: nil, branch: nil, agentID: nil,
                message: [:])
            message.number = number
            return message
        }
    }

    func session(_ id: String) -> (session: TranscriptSession, path: String)? {
        guard id != "none" else { return nil }
        var facts = TranscriptFacts()
        (facts.messages, facts.cwd, facts.lastTime) = (total, "/w", ManualClock().now().wall + (id == "s1" ? -9 : 3600))
        return (TranscriptSession(sessionID: id, facts: facts), "/t/\(id).jsonl")
    }

    func search(
        _ words: String, in directory: String?, but deleted: [String: Timestamp], limit: Int
    ) -> (hits: [TranscriptHit], isWhole: Bool) {
        self.deleted = deleted
        return ([], true)
    }
}
