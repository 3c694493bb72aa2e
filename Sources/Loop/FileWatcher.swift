import CPlatform
import Platform

/// Tells on a loop that files or directories were changed, made, removed or replaced. Nothing is polled, and the loop
/// never waits for a disk: one thread beside it asks the kernel, so a disk that hangs delays only this watcher.
///
/// A handler is told that something changed and not what: changes that come together are told once, and the kernel drops
/// changes that nobody takes in time, so the handler has to look for itself. It may be called where nothing changed.
///
/// Unnoticed stays what the kernel does not tell: what another machine changes on a network's file system, what is written
/// to mapped memory or by another hard link's directory, and what is mounted over a directory. Who must not miss that calls
/// `renew()` from time to time.
///
/// Call `close()` when done. On macOS a directory counts as changed whatever name in it changes, and each watch takes a
/// descriptor; that part is not tested.
package final class FileWatcher: @unchecked Sendable {  // guard: everything mutable is used on the loop's thread only
    /// Calls the closure once the time has passed, on any thread.
    package typealias Pause = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    private let loop: EventLoop
    private let delay: Duration
    private let pause: Pause
    private let limit: Int
    private let paths = WatchedPaths()
    private let lane = WorkLane(threads: 1, mostWeight: .max, givesWay: false)
    private var watches: [Int: FileWatch] = [:]
    private var lastNumber = 0
    private var source: EventSource?
    private var isClosed = false

    /// - Parameters:
    ///   - delay: The time from a first change until handlers are called. What changes meanwhile waits in the kernel and
    ///     is told by the same call.
    ///   - limit: The most paths at a time. On Linux a path needs one of the kernel's watches for each directory on its
    ///     way that no other path has, and one for its end.
    ///   - pause: The clock; nil for the loop's timers.
    package init(
        on loop: EventLoop, delay: Duration = .milliseconds(250), limit: Int = 1000, pause: Pause? = nil
    ) {
        self.loop = loop
        self.delay = delay
        self.limit = limit
        self.pause = pause ?? { [loop] in loop.schedule(after: $0, $1) }
        loop.executeNow { self.listen() }
    }

    /// Watches a path, whether something is there or not. May be called on any thread.
    /// - Parameters:
    ///   - path: An absolute path. Symbolic links in it are followed, and changes of theirs noticed.
    ///   - handler: Called on the loop's thread, first when the path is watched, then after changes, never before this
    ///     returns. The error says why the next change may go unnoticed.
    @discardableResult
    package func watch(
        _ path: String, _ scope: FileWatch.Scope, handler: @escaping @Sendable (FileWatchError?) -> Void
    ) -> FileWatch {
        let watch = FileWatch(path, scope, of: self, handler: handler)
        loop.executeNow { self.begin(watch) }
        return watch
    }

    /// Looks at all paths anew and calls every handler. May be called on any thread.
    package func renew() {
        loop.executeNow { self.ask { $0.renewed() } }
    }

    /// Ends all watches. May be called on any thread and more than once.
    package func close() {
        loop.executeNow { self.end() }
    }

    private func listen() {
        guard paths.queue >= 0 else { return }
        let source = EventSource(loop: loop, descriptor: paths.queue, for: .reading) { self.settle() }
        self.source = source
        loop.adopt(source)
        source.arm()
    }

    private func begin(_ watch: FileWatch) {
        guard watch.handler != nil, !isClosed else { return }
        guard watches.count < limit else {
            return loop.execute { [limit] in watch.handler?(.tooManyPaths(limit: limit)) }
        }
        lastNumber += 1
        let (number, path, scope) = (lastNumber, watch.path, watch.scope)
        watch.number = number
        watches[number] = watch
        ask { $0.add(number, path, scope) }
    }

    func end(_ watch: FileWatch) {
        loop.executeNow { self.drop(watch) }
    }

    private func drop(_ watch: FileWatch) {
        watch.handler = nil
        guard let number = watch.number else { return }
        watch.number = nil
        watches[number] = nil
        ask {
            $0.remove(number)
            return [:]
        }
    }

    /// Leaves the first change unread for a while: the kernel adds equal ones up, and the loop is not woken by each.
    private func settle() {
        source?.disarm()
        guard delay > .zero else { return read() }
        pause(delay) { [weak self] in self?.read() }
    }

    private func read() {
        loop.executeNow { self.ask({ $0.changed() }, then: { self.source?.arm() }) }
    }

    /// Runs `body` beside the loop, then calls the handlers of the paths that it returns.
    private func ask(
        _ body: @escaping @Sendable (WatchedPaths) -> WatchedPaths.Told, then: @escaping @Sendable () -> Void = {}
    ) {
        guard !isClosed else { return }
        _ = lane.start(weight: 0) { [self, paths] in
            let told = body(paths)
            loop.execute {
                self.tell(told)
                then()
            }
        }
    }

    private func tell(_ told: WatchedPaths.Told) {
        for (number, problem) in told.sorted(by: { $0.key < $1.key }) { watches[number]?.handler?(problem) }
    }

    private func end() {
        guard !isClosed else { return }
        isClosed = true
        if let source { loop.drop(source) }
        source = nil
        for watch in watches.values {
            watch.handler = nil
            watch.number = nil
        }
        watches = [:]
        // Closing waits until the kernel has let go of all watches.
        _ = lane.start(weight: 0) { [paths] in paths.close() }
    }
}
