import Core
import Dialects
import Host
import Loop
import Services

/// The parts that show, change and watch the repositories of workspaces.
struct GitParts {
    let service: GitManager
    let watcher: GitWatcher
    private let paths: RepositoryPaths

    init(
        workspaces: any WorkspaceFinder, runner: any GitRunner, resources: Resources, hub: EventHub,
        subscribers: Subscribers<WebSocketClient>, answersPromptly: @escaping @Sendable (String) -> Bool
    ) {
        let (loop, clock) = (resources.loop, resources.clock)
        service = GitManager(workspaces: workspaces, runner: runner, files: WorkTreeFiles())
        paths = RepositoryPaths(loop: loop, answersPromptly: answersPromptly)
        watcher = GitWatcher(
            git: service, paths: paths, clock: clock, log: resources.log, isHeard: { subscribers.isHeard },
            publish: { event in loop.execute { hub.publish(event) } })
    }

    /// For the list of methods.
    var methods: any MethodGroup { GitMethods(git: service, noteInterest: watcher.noteInterest) }

    func end() {
        watcher.close()
        paths.end()
    }
}

/// The kernel's news of git's directories.
private struct RepositoryPaths: PathWatcher {
    private let watcher: FileWatcher
    private let answersPromptly: @Sendable (String) -> Bool

    /// The most paths: four for each repository.
    private static let most = 4 * GitWatcher.most

    init(loop: EventLoop, answersPromptly: @escaping @Sendable (String) -> Bool) {
        // The watcher of repositories waits itself, until git has written all its files.
        watcher = FileWatcher(on: loop, delay: .milliseconds(50), limit: Self.most)
        self.answersPromptly = answersPromptly
    }

    func watch(_ path: String, changed: @escaping @Sendable (Bool) -> Void) -> any Cancellable {
        // On a network's file system the kernel does not tell what another machine changes.
        let isOurs = answersPromptly(path)
        return watcher.watch(path, .contents) { changed($0 == nil && isOurs) }
    }

    func end() { watcher.close() }
}
