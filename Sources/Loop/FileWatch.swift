package import Platform

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A path that a `FileWatcher` watches.
package final class FileWatch: @unchecked Sendable {  // guard: its variables are used on the loop's thread only
    /// The changes of a path that its handler is called for.
    package enum Scope: Sendable {
        /// The path leads to another file or directory than before, or to none.
        case place
        /// That, and what `stat` tells of the file or directory: its size, times and attributes. Of a directory only its
        /// own entries count, not those of directories in it.
        case contents
        /// That, and of a directory also what is written to its files.
        case writes
    }

    package let path: String
    package let scope: Scope
    /// Weak, as the watcher has this path.
    private weak let watcher: FileWatcher?
    var handler: (@Sendable (FileWatchError?) -> Void)?
    /// Set while the watcher has the path.
    var number: Int?

    init(
        _ path: String, _ scope: Scope, of watcher: FileWatcher, handler: @escaping @Sendable (FileWatchError?) -> Void
    ) {
        self.path = path
        self.scope = scope
        self.watcher = watcher
        self.handler = handler
    }

    /// May be called on any thread and more than once. After a call on the loop's thread the handler is not called any
    /// more.
    package func cancel() { watcher?.end(self) }
}

/// Why changes of a path may go unnoticed.
package enum FileWatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The watcher takes no more paths, so nothing of this one is noticed.
    case tooManyPaths(limit: Int)
    /// A limit of the kernel is reached: `ENOSPC` or `ENOMEM` for its watches, `EMFILE` or `ENFILE` for its queues and
    /// for open files.
    case tooManyWatches(SystemError)
    /// The kernel watches only what this user may read.
    case unreadable(path: String, SystemError)

    init(_ code: Int32, at path: String) {
        switch code {
        case ENOSPC, EMFILE, ENFILE, ENOMEM: self = .tooManyWatches(SystemError(code: code))
        default: self = .unreadable(path: path, SystemError(code: code))
        }
    }

    package var description: String {
        switch self {
        case .tooManyPaths(let limit): "\(limit) paths are watched already, and no more are"
        case .tooManyWatches(let error) where error.code == EMFILE || error.code == ENFILE:
            "changes of files cannot be watched: \(error); raise fs.inotify.max_user_instances or the limit of open files"
        case .tooManyWatches(let error):
            "changes of files cannot be watched: \(error); raise fs.inotify.max_user_watches"
        case .unreadable(let path, let error): "changes at \(path) cannot be watched: \(error)"
        }
    }
}
