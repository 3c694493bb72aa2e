import Core
import Loop
import Platform
import Services
import Store

/// The parts that read transcripts.
struct TranscriptParts: Sendable {
    let manager: TranscriptManager
    private let changes: TranscriptChanges
    private let clock: any TimeSource
    /// The call that begins to take transcripts in.
    private let beginning = Locked<(any Cancellable)?>(nil)

    /// Seconds from the start until transcripts are taken in: a start is busy with what is asked of it.
    private static let delay: Double = 3

    init(
        _ resources: Resources, _ options: ServeOptions, _ parts: DaemonParts, hub: EventHub,
        workspaces: any WorkspaceFinder
    ) {
        clock = resources.clock
        changes = TranscriptChanges(resources.loop, clock: resources.clock)
        let index = TranscriptStore(
            path: options.transcriptsPath, source: parts.transcripts ?? NoTranscripts()
        ) { [log = resources.log] session in
            log.warning("of a transcript no more is read: it is too large, or has no line's end", ["session": session])
        }
        manager = TranscriptManager(
            index: index, changes: changes, deleted: KeptDeletions(home: options.home), workspaces: workspaces,
            clock: resources.clock, log: resources.log,
            publish: { [loop = resources.loop] event in loop.execute { hub.publish(event) } },
            taken: { [loop = resources.loop] in await loop.run {} })
    }

    func begin() {
        let call = clock.call(at: clock.uptime + Self.delay) { [manager] in Task.detached { await manager.prepare() } }
        beginning.withLock { $0 = call }
    }

    func end() async {
        // A daemon that is stopped before would be kept by its clock.
        beginning.withLock { $0.take() }?.cancel()
        changes.close()
        await manager.close()
    }
}

extension TranscriptStore: TranscriptIndex {}

/// Tells of changes within milliseconds. Where the kernel does not, the file counts as changed every second.
struct TranscriptChanges: FileChanges {
    private let watcher: FileWatcher
    private let clock: any TimeSource

    init(_ loop: EventLoop, clock: any TimeSource) {
        watcher = FileWatcher(on: loop, delay: .milliseconds(1))
        self.clock = clock
    }

    func close() { watcher.close() }

    func watch(_ path: String, handler: @escaping @Sendable () -> Void) -> any Cancellable {
        watch(path, .contents, handler)
    }

    func watch(filesIn directory: String, handler: @escaping @Sendable () -> Void) -> any Cancellable {
        watch(directory, .writes, handler)
    }

    private func watch(
        _ path: String, _ scope: FileWatch.Scope, _ handler: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let poll = Repeater(every: 1, of: clock, handler)
        let isPolling = Locked(false)
        let watch = watcher.watch(path, scope) { problem in
            let isFirst = isPolling.withLock { isPolling in
                defer { isPolling = isPolling || problem != nil }
                return problem != nil && !isPolling
            }
            if isFirst { poll.start() }
            handler()
        }
        return Both(watch: watch, poll: poll)
    }

    private struct Both: Cancellable {
        let watch: FileWatch
        let poll: Repeater

        func cancel() {
            watch.cancel()
            poll.cancel()
        }
    }
}

/// A daemon that knows of no agent's transcripts.
private struct NoTranscripts: TranscriptSource {
    func files() -> [TranscriptFile] { [] }
    func files(of sessionID: String) -> [TranscriptFile] { [] }
    func part(of path: String, from offset: Int64, limit: Int) -> TranscriptPart? { nil }
    func seal(of path: String, upTo offset: Int64, headLength: Int64) -> TranscriptPart.Seal? { nil }
    func messages(_ places: [TranscriptPlace], of path: String) -> [TranscriptMessage] { [] }
    func texts(_ places: [TranscriptPlace], of path: String) -> [TranscriptLine?] { places.map { _ in nil } }
    func note(ofSubagent path: String) -> SubagentNote? { nil }
    func clearings(after mark: SessionClearings.Mark?) -> SessionClearings? { nil }
    func subagentDirectory(of path: String) -> String { path }
}
