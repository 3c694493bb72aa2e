package import Core
import Platform

/// Tells of changes of paths.
package protocol PathWatcher: Sendable {
    /// Calls `changed` when the path is watched and after each change of it: of a directory, when one of its own entries
    /// changes. `isTold` is false if the next change may go unnoticed.
    func watch(_ path: String, changed: @escaping @Sendable (_ isTold: Bool) -> Void) -> any Cancellable
}

/// Watches the repositories that somebody looks at, and publishes what changes.
package final class GitWatcher: Sendable {
    private struct Watched {
        var state = GitChangeWatch()
        /// Paths and what ends their watches.
        var watches: [String: any Cancellable] = [:]
        /// Paths of which the system may not tell.
        var untold: Set<String> = []
        var timer: (any Cancellable)?
        var poll: (any Cancellable)?
        var lookedAt: Uptime
        /// Kept as long as a client is subscribed, whenever somebody asked last.
        var isSubscribed = false
    }

    private let git: GitManager
    private let paths: any PathWatcher
    private let clock: any TimeSource
    private let log: any Log
    private let isHeard: @Sendable () -> Bool
    private let publish: @Sendable (LiveEvent) -> Void
    private let lane = LaneExecutor()
    private let repositories = Locked<[String: Watched]>([:])

    /// The most repositories at a time: each needs up to four paths, and the system's watches are few.
    package static let most = 64
    /// Seconds for which a repository is watched after somebody asked about it.
    package static let patience: Double = 600
    /// Seconds between two looks where the system does not tell of changes.
    package static let pollInterval: Double = 5

    /// - Parameters:
    ///   - isHeard: True while anybody is connected to hear of a change.
    ///   - publish: May be called on any thread.
    package init(
        git: GitManager, paths: any PathWatcher, clock: any TimeSource, log: any Log,
        isHeard: @escaping @Sendable () -> Bool, publish: @escaping @Sendable (LiveEvent) -> Void
    ) {
        self.git = git
        self.paths = paths
        self.clock = clock
        self.log = log
        self.isHeard = isHeard
        self.publish = publish
    }

    /// Somebody asked about the workspace's repository, which is then watched for `patience` seconds.
    package func noteInterest(in workspace: String) {
        begin(workspace) { $0.lookedAt = clock.uptime }
    }

    /// These workspaces are subscribed to; others that were are watched as long as somebody asks.
    package func setSubscribed(_ workspaces: Set<String>) {
        for workspace in workspaces.sorted() { begin(workspace) { $0.isSubscribed = true } }
        repositories.withLock { repositories in
            for id in repositories.keys where !workspaces.contains(id) { repositories[id]?.isSubscribed = false }
        }
    }

    /// A tool wrote in the workspace: the repository is looked at, if somebody wants to know of it.
    package func noteWrite(in workspace: String) {
        note(workspace) { $0.state.written(at: clock.uptime) }
    }

    /// The workspace is gone.
    package func forget(_ workspace: String) {
        if let watched = repositories.withLock({ $0.removeValue(forKey: workspace) }) { Self.end(watched) }
    }

    /// Ends all watches.
    package func close() {
        let all = repositories.withLock { repositories in
            defer { repositories = [:] }
            return Array(repositories.values)
        }
        for watched in all { Self.end(watched) }
    }

    // MARK: Which

    private func begin(_ id: String, _ change: (inout Watched) -> Void) {
        dropOld()
        let isNew = repositories.withLock { repositories -> Bool? in
            if repositories[id] == nil, repositories.count >= Self.most { return nil }
            let isNew = repositories[id] == nil
            change(&repositories[id, default: Watched(lookedAt: clock.uptime)])
            return isNew
        }
        guard let isNew else {
            return log.warning("a repository is not watched", ["workspace": id, "limit": "\(Self.most)"])
        }
        // Of one that is not followed yet, no change would be noticed.
        note(id) { isNew || $0.watches.isEmpty ? $0.state.changed(at: clock.uptime) : [] }
    }

    private func dropOld() {
        let now = clock.uptime
        let old = repositories.withLock { repositories in
            let ids = repositories.filter { !$0.value.isSubscribed && $0.value.lookedAt + Self.patience <= now }.keys
            return ids.compactMap { repositories.removeValue(forKey: $0) }
        }
        for watched in old { Self.end(watched) }
    }

    private static func end(_ watched: Watched) {
        for watch in watched.watches.values { watch.cancel() }
        watched.timer?.cancel()
        watched.poll?.cancel()
    }

    // MARK: When

    private func note(_ id: String, _ change: (inout Watched) -> [GitChangeWatch.Effect]) {
        let effects = repositories.withLock { repositories -> [GitChangeWatch.Effect] in
            guard var watched = repositories[id] else { return [] }
            defer { repositories[id] = watched }
            return change(&watched)
        }
        for effect in effects { perform(effect, id) }
    }

    private func perform(_ effect: GitChangeWatch.Effect, _ id: String) {
        switch effect {
        case .look: look(id)
        case .tellBranch(let from, let to): tell(id, .gitBranchChanged(from: from, to: to))
        case .tellStatus(let summary): tell(id, .gitStatusChanged(summary))
        case .wake(let time):
            let timer = clock.call(at: time) { [weak self] in
                guard let self else { return }
                note(id) { $0.state.woke(at: self.clock.uptime) }
            }
            keep(timer, id, \.timer)
        }
    }

    private func tell(_ id: String, _ body: LiveEvent.Body) {
        publish(LiveEvent(at: clock.now().wall, workspaceID: id, sessionID: "", body: body))
    }

    private func keep(_ timer: any Cancellable, _ id: String, _ place: WritableKeyPath<Watched, (any Cancellable)?>) {
        let isWatched = repositories.withLock { repositories in
            repositories[id]?[keyPath: place] = timer
            return repositories[id] != nil
        }
        if !isWatched { timer.cancel() }
    }

    // MARK: Looking

    private func look(_ id: String) {
        dropOld()
        // Nobody is there to be told, so git is not asked; the next change, or the next question, asks it.
        guard isHeard() else { return note(id) { $0.state.looked(nil, at: clock.uptime) } }
        Task(executorPreference: lane) { [self] in
            let found = await Result.of { () async throws(GitFailure) in try await self.git.watched(id) }
            let summary = (try? found.get()).map { GitSummary($0.report.status, operation: $0.report.operation) }
            if case .success(let found) = found { follow(found.paths, id) }
            note(id) { $0.state.looked(summary, at: clock.uptime) }
        }
    }

    /// Watches these paths, and no others of the repository any more.
    private func follow(_ wanted: [String], _ id: String) {
        let (old, new) = repositories.withLock { repositories -> ([any Cancellable], [String]) in
            guard var watched = repositories[id] else { return ([], []) }
            defer { repositories[id] = watched }
            let gone = watched.watches.keys.filter { !wanted.contains($0) }
            watched.untold.subtract(gone)
            return (
                gone.compactMap { watched.watches.removeValue(forKey: $0) },
                wanted.filter { watched.watches[$0] == nil }
            )
        }
        for watch in old { watch.cancel() }
        for path in new {
            let watch = paths.watch(path) { [weak self] isTold in self?.noteChange(of: path, id, isTold) }
            let isKept = repositories.withLock { repositories in
                guard repositories[id] != nil, repositories[id]?.watches[path] == nil else { return false }
                repositories[id]?.watches[path] = watch
                return true
            }
            if !isKept { watch.cancel() }
        }
    }

    private func noteChange(of path: String, _ id: String, _ isTold: Bool) {
        var isFirst = false
        note(id) { watched in
            if isTold {
                watched.untold.remove(path)
            } else {
                isFirst = watched.untold.isEmpty
                watched.untold.insert(path)
            }
            return watched.state.changed(at: clock.uptime)
        }
        guard isFirst else { return }
        log.warning(
            "the system does not tell of changes of a repository, so it is looked at every few seconds",
            ["workspace": id, "seconds": "\(Int(Self.pollInterval))"])
        poll(id)
    }

    private func poll(_ id: String) {
        let timer = clock.call(at: clock.uptime + Self.pollInterval) { [weak self] in
            guard let self else { return }
            note(id) { $0.untold.isEmpty ? [] : $0.state.changed(at: self.clock.uptime) }
            if repositories.withLock({ $0[id]?.untold.isEmpty == false }) { poll(id) }
        }
        keep(timer, id, \.poll)
    }
}
