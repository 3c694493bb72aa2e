package import Core
import Platform

/// Adds, changes and removes workspaces: the one writer of `WorkspaceRegister`.
package final class WorkspaceManager: Sendable {
    /// What the manager needs of the rest of the daemon.
    package struct Parts: Sendable {
        package let broker: Broker
        package let clock: any TimeSource
        package let directories: any WorkspaceDirectories
        package let git: any WorkspaceGitFacts
        package let history: any WorkspaceHistory
        package let log: any Log
        package let places: ReservedPlaces
        /// The sessions that the daemon runs.
        package let runs: RunProcesses
        package let store: any WorkspaceStore
        /// Publishes a live event; may be called on any thread.
        package let announce: @Sendable (LiveEvent) -> Void
        /// Called with the id of a workspace once it is out of force: nobody is told any more what changes in it.
        package let ended: @Sendable (String) -> Void

        package init(
            broker: Broker, clock: any TimeSource, directories: any WorkspaceDirectories,
            git: any WorkspaceGitFacts = NoWorkspaceGitFacts(), history: any WorkspaceHistory = NoWorkspaceHistory(),
            log: any Log, places: ReservedPlaces, runs: RunProcesses = RunProcesses(), store: any WorkspaceStore,
            announce: @escaping @Sendable (LiveEvent) -> Void, ended: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            self.broker = broker
            self.clock = clock
            self.directories = directories
            self.git = git
            self.history = history
            self.log = log
            self.places = places
            self.runs = runs
            self.store = store
            self.announce = announce
            self.ended = ended
        }
    }

    let register: WorkspaceRegister
    let parts: Parts
    let waits = DiskWaits(patience: Double(WorkspaceManager.patience))
    private let turns = Turns(mostWaiting: 64)
    /// Removals that the database has not confirmed, by id.
    let unconfirmed = Locked<[String: WorkspaceRemoval]>([:])

    /// Seconds after which a disk counts as hanging.
    static let patience = 3

    package init(register: WorkspaceRegister, parts: Parts) {
        self.register = register
        self.parts = parts
    }

    var now: Timestamp { parts.clock.now().wall }

    // MARK: Changes

    /// One change at a time: what has to be written depends on what is in force.
    func inTurn<Value>(
        _ body: () async throws(WorkspaceFailure) -> Value
    ) async throws(WorkspaceFailure) -> Value {
        guard await turns.begin("") else { throw .busy }
        defer { turns.end("") }
        if CallPermit.isRevoked { throw .revoked }
        return try await body()
    }

    /// Writes the change, then brings it into force.
    func make(_ change: WorkspaceChange) async throws(WorkspaceFailure) -> Workspace {
        do {
            try await parts.store.keep([change.workspace], forgetting: change.displaced.map { [$0.id] } ?? [])
        } catch {
            throw .store("nothing was changed: \(error)")
        }
        register.change { book in
            if let displaced = change.displaced { book.forget(displaced.id) }
            book.put(change.workspace)
        }
        if let displaced = change.displaced {
            parts.ended(displaced.id)
            announce(.workspaceRemoved(displaced))
        }
        return change.workspace
    }

    func change(
        _ make: (WorkspaceBook) throws(WorkspaceRefusal) -> WorkspaceChange
    ) throws(WorkspaceFailure) -> WorkspaceChange {
        let book = register.state.withLock { $0.book }
        do throws(WorkspaceRefusal) { return try make(book) } catch { throw .refused(error) }
    }

    func announce(_ body: LiveEvent.Body) {
        // About the daemon's workspaces as a whole: who subscribed to one hears of the others too.
        parts.announce(LiveEvent(at: now, body: body))
    }

    func makeID() -> String { "ws-" + RandomText.base32(bits: 80) }

    /// Asks the disk; throws where it does not answer in time.
    func onDisk<Value: Sendable>(
        _ path: String, _ body: @escaping @Sendable () -> Value
    ) async throws(WorkspaceFailure) -> Value {
        guard let value = await waits.run(root: path, clock: parts.clock, body) else {
            throw .slow(path: path, seconds: Self.patience)
        }
        return value
    }

    func resolve(_ path: String, creating: Bool) async throws(WorkspaceFailure) -> String {
        let directories = parts.directories
        let found = try await onDisk(path) {
            Result { () throws(DirectoryProblem) in try directories.resolve(path, creating: creating) }
        }
        do throws(DirectoryProblem) { return try found.get() } catch { throw .directory(error, path: path) }
    }
}
