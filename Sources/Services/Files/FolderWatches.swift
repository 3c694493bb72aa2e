package import Core
import Platform

/// Tells what changes in folders that clients look at, or that sessions of the daemon's work in. A client's look ends by
/// itself, so that one that is gone costs nothing for long; it says again that it looks. A session's ends with its process.
package final class FolderWatches: Sendable {
    private enum Looker: Hashable {
        case client(String)
        case session(String)

        var isClient: Bool { if case .client = self { true } else { false } }
    }

    private struct Look {
        let until: Uptime
        /// The device of the client, whichever of its connections looks.
        let owner: String?
    }

    private struct Watch {
        var lookers: [Looker: Look] = [:]
        var news: (any Cancellable)?
        /// Compared with the next one; `nil` until the folder was read first.
        var snapshot: FolderSnapshot?
        var isPolled = false
        var isReading = false
        /// It changed while it was read.
        var isDue = false
        var timer: (any Cancellable)?

        func cancel() {
            news?.cancel()
            timer?.cancel()
        }
    }

    /// Folders at a time, of all clients and sessions.
    package static let most = 2 * mostOfKind
    /// Those of all clients, and those of all sessions: neither takes the other's.
    private static let mostOfKind = 64
    /// Those of one client or session.
    static let mostOfLooker = 8
    /// Those of one device, with any number of connections: as many as two clients of it need, so that it takes a quarter
    /// of what there is for all.
    static let mostOfOwner = 2 * mostOfLooker
    private static let never = Uptime(milliseconds: .max)
    /// Seconds between two looks where the system does not tell.
    private static let pollSeconds = 2.0

    private let disk: any WorkspaceDisk
    private let news: any FolderNews
    private let clock: any TimeSource
    private let log: any Log
    private let publish: @Sendable (LiveEvent) -> Void
    private let waits = DiskWaits(patience: 5, givesWay: true)
    private let watches = Locked<[WatchedFolder: Watch]>([:])

    /// - Parameter publish: Publishes an event; any thread may call it.
    package init(
        disk: any WorkspaceDisk, news: any FolderNews, clock: any TimeSource, log: any Log,
        publish: @escaping @Sendable (LiveEvent) -> Void
    ) {
        self.disk = disk
        self.news = news
        self.clock = clock
        self.log = log
        self.publish = publish
    }

    /// Returns once changes are told; true if the folder is polled.
    /// - Parameter owner: Who has the client, and perhaps others; `nil` for the user at the machine itself.
    package func begin(
        _ folder: WatchedFolder, seconds: Int, by client: String, of owner: String? = nil
    ) async throws(FileFailure) -> Bool {
        let until = clock.uptime + Double(seconds)
        try await begin(folder, by: .client(client), Look(until: until, owner: owner))
        wake(folder, at: until)
        return watches.withLock { $0[folder]?.isPolled ?? false }
    }

    /// Returns once changes are told, which they are until the session's look is ended.
    package func begin(_ folder: WatchedFolder, of session: String) async throws(FileFailure) {
        try await begin(folder, by: .session(session), Look(until: Self.never, owner: nil))
    }

    private func begin(_ folder: WatchedFolder, by looker: Looker, _ look: Look) async throws(FileFailure) {
        let first = try await read(folder)
        switch admit(looker, look, to: folder) {
        case .full: throw .tooManyWatches(limit: Self.mostOfKind)
        case .fullOfLooker: throw .tooManyWatches(limit: Self.mostOfLooker)
        case .fullOfOwner: throw .tooManyWatches(limit: Self.mostOfOwner)
        case .joined: break
        case .new: await start(folder, first)
        }
    }

    /// False if the client did not look at it.
    package func end(_ folder: WatchedFolder, by client: String) -> Bool { end(folder, by: .client(client)) }

    package func end(_ folder: WatchedFolder, of session: String) { _ = end(folder, by: .session(session)) }

    private func end(_ folder: WatchedFolder, by looker: Looker) -> Bool {
        let (ended, was) = watches.withLock { watches -> (Watch?, Bool) in
            let was = watches[folder]?.lookers.removeValue(forKey: looker) != nil
            return (Self.removeIfLeft(folder, &watches), was)
        }
        ended?.cancel()
        return was
    }

    package func endAll() { end { _ in true } }

    /// Ends every look at folders of a workspace.
    package func endAll(of workspace: String) { end { $0.workspaceID == workspace } }

    private func end(where isMeant: (WatchedFolder) -> Bool) {
        let ended = watches.withLock { watches in
            watches.keys.filter(isMeant).compactMap { watches.removeValue(forKey: $0) }
        }
        for watch in ended { watch.cancel() }
    }

    // MARK: Who looks

    private enum Admission { case full, fullOfLooker, fullOfOwner, joined, new }

    private func admit(_ looker: Looker, _ look: Look, to folder: WatchedFolder) -> Admission {
        watches.withLock { watches in
            let isLooking = watches[folder]?.lookers[looker] != nil
            if !isLooking, watches.values.count(where: { $0.lookers[looker] != nil }) >= Self.mostOfLooker {
                return .fullOfLooker
            }
            let isOwners = { (watch: Watch) in watch.lookers.values.contains { $0.owner == look.owner } }
            if look.owner != nil, watches[folder].map(isOwners) != true,
                watches.values.count(where: isOwners) >= Self.mostOfOwner
            {
                return .fullOfOwner
            }
            let isOfKind = { (watch: Watch) in watch.lookers.keys.contains { $0.isClient == looker.isClient } }
            guard watches[folder].map(isOfKind) == true || watches.values.count(where: isOfKind) < Self.mostOfKind
            else {
                return .full
            }
            let isNew = watches[folder] == nil
            watches[folder, default: Watch()].lookers[looker] = look
            return isNew ? .new : .joined
        }
    }

    private static func removeIfLeft(_ folder: WatchedFolder, _ watches: inout [WatchedFolder: Watch]) -> Watch? {
        guard let watch = watches[folder], watch.lookers.isEmpty else { return nil }
        watches[folder] = nil
        return watch
    }

    /// Looks then whether anybody still looks.
    private func wake(_ folder: WatchedFolder, at time: Uptime) {
        _ = clock.call(at: time) { [weak self] in self?.forgetThoseWhoLeft(folder) }
    }

    private func forgetThoseWhoLeft(_ folder: WatchedFolder) {
        let now = clock.uptime
        let ended = watches.withLock { watches -> Watch? in
            let stillLooking = watches[folder]?.lookers.filter { $0.value.until > now } ?? [:]
            watches[folder]?.lookers = stillLooking
            return Self.removeIfLeft(folder, &watches)
        }
        ended?.cancel()
    }

    // MARK: What changes

    private func start(_ folder: WatchedFolder, _ first: FolderSnapshot) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let begun = FirstAnswer(continuation)
            let news = news.watch(folder.path) { [weak self] problem in
                self?.heard(folder, problem)
                begun.give(())
            }
            let isKept = watches.withLock { watches in
                watches[folder]?.news = news
                watches[folder]?.snapshot = first
                return watches[folder] != nil
            }
            guard !isKept else { return }
            news.cancel()
            begun.give(())
        }
    }

    private func heard(_ folder: WatchedFolder, _ problem: String?) {
        let isNew = watches.withLock { watches in
            defer { watches[folder]?.isPolled = problem != nil }
            return problem != nil && watches[folder]?.isPolled == false
        }
        if let problem, isNew { log.warning("a folder is looked at every 2 s: \(problem)") }
        look(folder)
        if isNew { poll(folder) }
    }

    private func poll(_ folder: WatchedFolder) {
        let timer = clock.call(at: clock.uptime + Self.pollSeconds) { [weak self] in
            guard let self, watches.withLock({ $0[folder]?.isPolled == true }) else { return }
            look(folder)
            poll(folder)
        }
        let isKept = watches.withLock { watches in
            watches[folder]?.timer = timer
            return watches[folder] != nil
        }
        if !isKept { timer.cancel() }
    }

    /// Reads the folder and tells what differs; one reading of a folder at a time.
    private func look(_ folder: WatchedFolder) {
        let isFirst = watches.withLock { watches in
            guard let watch = watches[folder] else { return false }
            watches[folder]?.isDue = watch.isReading
            watches[folder]?.isReading = true
            return !watch.isReading
        }
        guard isFirst else { return }
        Task.detached { [self] in
            repeat {
                await readAndTell(folder)
            } while isDue(folder)
        }
    }

    private func readAndTell(_ folder: WatchedFolder) async {
        do throws(FileFailure) {
            tell(folder, try await read(folder))
        } catch {
            // A disk that does not answer now is asked again at the next change.
            if case .obstacle = error { tell(folder, .gone) }
        }
    }

    private func isDue(_ folder: WatchedFolder) -> Bool {
        watches.withLock { watches in
            guard let watch = watches[folder] else { return false }
            watches[folder]?.isDue = false
            watches[folder]?.isReading = watch.isDue
            return watch.isDue
        }
    }

    private func tell(_ folder: WatchedFolder, _ found: FolderSnapshot) {
        let before = watches.withLock { watches in
            defer { watches[folder]?.snapshot = found }
            return watches[folder]?.snapshot
        }
        guard let before else { return }
        let now = clock.now().wall
        for change in found.changes(since: before, of: folder.directory) {
            publish(
                LiveEvent(at: now, workspaceID: folder.workspaceID, sessionID: "", body: .fileChanged(change)))
        }
    }

    /// Everybody who may see events of the workspace is told, so nothing sensitive is watched, whoever asks.
    private func read(_ folder: WatchedFolder) async throws(FileFailure) -> FolderSnapshot {
        guard !folder.directory.isSensitive else { throw .unwatchable(path: folder.directory.text) }
        let outcome = await waits.run(root: folder.root, clock: clock) {
            [disk] () -> Result<FolderSnapshot?, FileObstacle> in
            do throws(FileObstacle) {
                return .success(try disk.snapshot(of: folder.directory, in: folder.root) { !$0.isSensitive })
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case nil: throw .late
        case .success(let snapshot?): return snapshot
        case .success(nil): throw .unwatchable(path: folder.directory.text)
        case .failure(let obstacle): throw .obstacle(obstacle, path: folder.directory.text)
        }
    }
}

/// A connection that is gone looks at nothing. A client over single requests has none, and its looks end by themselves.
extension FolderWatches: ClientListener {
    package func clientLeft(_ id: String) {
        let looker = Looker.client(id)
        for folder in watches.withLock({ $0.filter { $0.value.lookers[looker] != nil }.keys }) {
            _ = end(folder, by: looker)
        }
    }
}
