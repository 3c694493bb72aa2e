import Core
import Host
import Loop
import Platform
import Services

/// The parts that show the files of workspaces.
struct FileParts {
    let service: WorkspaceFiles
    private let watches: FolderWatches
    private let news: LoopFolderNews

    init(_ resources: Resources, hub: EventHub, workspaces: any WorkspaceFinder & WorkspaceLister, git: any GitRunner) {
        let (loop, clock) = (resources.loop, resources.clock)
        let disk = WorkspaceTree()
        news = LoopFolderNews(on: loop, clock: clock)
        watches = FolderWatches(disk: disk, news: news, clock: clock, log: resources.log) { event in
            loop.execute { hub.publish(event) }
        }
        service = WorkspaceFiles(
            workspaces: workspaces, disk: disk, git: git, watches: watches, clock: clock)
    }

    /// Ends what a connection watches with it.
    var listener: any ClientListener { watches }

    func look(for sessions: SessionFolders) { sessions.look(through: watches) }

    func endWatches(in workspace: String) { watches.endAll(of: workspace) }

    func end() {
        watches.endAll()
        news.close()
    }
}

/// The loop's watcher, made when the first folder is watched: most daemons watch none.
private final class LoopFolderNews: FolderNews {
    private let loop: EventLoop
    private let clock: any TimeSource
    private let made = Locked<FileWatcher?>(nil)

    /// Changes within this time are told at once.
    private static let delay = Duration.milliseconds(500)

    init(on loop: EventLoop, clock: any TimeSource) {
        self.loop = loop
        self.clock = clock
    }

    func watch(_ path: String, heard: @escaping @Sendable (String?) -> Void) -> any Cancellable {
        watcher.watch(path, .writes) { heard($0?.description) }
    }

    func close() {
        made.withLock { $0 }?.close()
    }

    private var watcher: FileWatcher {
        made.withLock { made in
            let watcher =
                made
                ?? FileWatcher(on: loop, delay: Self.delay, limit: FolderWatches.most) { [clock] delay, body in
                    _ = clock.call(at: clock.uptime + delay / .seconds(1), body)
                }
            made = watcher
            return watcher
        }
    }
}

extension FileWatch: Cancellable {}
