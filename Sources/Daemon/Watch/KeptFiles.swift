import Core
import Host
import Loop
import Platform
import Services
import Store
import Transport

/// The files that the daemon has open and others find by their names: the log, the socket with the locks beside it, and
/// the database. Each is looked at when the kernel tells that it changed; every second where the kernel may not tell of all
/// changes, as on a network's file system; and once a minute wherever it is, as another file system may be mounted there.
struct KeptFiles: Sendable {
    private struct Part: Sendable {
        let paths: [String]
        let scope: FileWatch.Scope
        let lookout: Lookout
    }

    private let watcher: FileWatcher
    private let parts: [Part]
    private let store: Lookout
    private let storeChanged: ChangeSignal
    private let log: ServerLog
    private let said = Locked<Set<FileWatchError>>([])

    init(_ resources: Resources, _ options: ServeOptions, _ daemonParts: DaemonParts, _ socketKeeper: SocketKeeper) {
        let (log, clock, answersPromptly) = (resources.log, resources.clock, daemonParts.answersPromptly)
        let storeKeeper = StoreKeeper(store: resources.store, log: log)
        func part(_ paths: [String], _ scope: FileWatch.Scope, _ look: @escaping @Sendable () async -> Bool) -> Part {
            Part(
                paths: paths, scope: scope,
                lookout: Lookout(paths, clock: clock) { await look() && paths.allSatisfy(answersPromptly) })
        }
        let socket = Server.files(ofUnixSocket: options.socket) + [resources.home.lockPath]
        let store = part(Store.files(of: options.databasePath), .contents) { await storeKeeper.look() }
        parts = [
            part([options.logPath], .place) { log.look() }, part(socket, .place) { await socketKeeper.look() }, store,
        ]
        self.store = store.lookout
        storeChanged = resources.storeChanged
        self.log = log
        watcher = FileWatcher(on: resources.loop, limit: daemonParts.mostWatched) { delay, body in
            _ = clock.call(at: clock.uptime + delay / .seconds(1), body)
        }
    }

    func begin() {
        Task.detached { for await _ in storeChanged.changes { store.lookNow() } }
        for part in parts {
            part.lookout.start()
            for path in part.paths {
                watcher.watch(path, part.scope) { problem in
                    part.lookout.noteChange(of: path, isTold: problem == nil)
                    note(path, problem)
                }
            }
        }
    }

    func lookAgain() { watcher.renew() }

    func end() {
        storeChanged.finish()
        watcher.close()
        for part in parts { part.lookout.cancel() }
    }

    private func note(_ path: String, _ problem: FileWatchError?) {
        guard let problem else { return log.debug("a file changed, or is watched now", ["path": path]) }
        guard said.withLock({ $0.insert(problem).inserted }) else { return }
        log.warning("files are looked at every second: \(problem)")
    }
}
