import CPlatform

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The kernel's watches that show each change of what a path leads to: one for every directory on the way, that of a
/// symbolic link's target too, and one for the end if its contents are wanted.
struct PathTrail {
    /// A name on the way, in a directory that is watched.
    struct Step: Hashable {
        let watch: Int32
        /// As an event: empty for the directory itself, and where the system tells no names.
        let name: String
    }

    let path: String
    let scope: FileWatch.Scope
    private var steps: [Step] = []
    /// `nil` where the path leads to nothing, or its contents are not wanted.
    private var end: Int32?
    /// Why a change may go unnoticed.
    private(set) var problem: FileWatchError?

    /// Links that the kernel follows on one way (path_resolution(7)).
    private static let mostLinks = 40
    private static let longestTarget = 4096

    /// Walks along the path and has the queue watch it. Waits for the disk. A directory is watched before the next name
    /// is looked up in it, so that no change falls in between.
    init(to path: String, _ scope: FileWatch.Scope, queue: Int32) {
        self.path = path
        self.scope = scope
        walk(queue)
    }

    var watches: Set<Int32> { Set(steps.map(\.watch) + (end.map { [$0] } ?? [])) }

    /// True if the path may lead elsewhere, or its end may differ, after this event.
    func isChanged(by event: Step) -> Bool {
        event.watch == end
            || steps.contains { $0.watch == event.watch && (event.name.isEmpty || event.name == $0.name) }
    }

    private mutating func walk(_ queue: Int32) {
        // Without links, so that ".." leads to the directory before.
        var directory: [Substring] = []
        var rest = names(of: path)
        var links = 0
        while let name = rest.popLast() {
            if name == ".." {
                _ = directory.popLast()
                continue
            }
            guard note(name, in: directory, queue) else { return }
            switch look(at: text(directory + [name])) {
            case .directory: directory.append(name)
            case .file: return noteEnd(directory + [name], isDirectory: false, isLast: rest.isEmpty, queue)
            case .link(let target):
                links += 1
                guard links <= Self.mostLinks else { return }
                if target.hasPrefix("/") { directory = [] }
                rest += names(of: target)
            case .nothing: return
            }
        }
        noteEnd(directory, isDirectory: true, isLast: true, queue)
    }

    /// The last first.
    private func names(of path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }.reversed()
    }

    private func text(_ names: [Substring]) -> String { "/" + names.joined(separator: "/") }

    /// Watches the directory; false where there is none any more, of which its own directory tells, or no more watches.
    private mutating func note(_ name: Substring, in directory: [Substring], _ queue: Int32) -> Bool {
        let watch = cplatform_watch_add(queue, text(directory), 1, 0)
        guard watch < 0 else {
            steps.append(Step(watch: watch, name: String(name)))
            return true
        }
        return fail(-watch, at: text(directory))
    }

    private mutating func noteEnd(_ names: [Substring], isDirectory: Bool, isLast: Bool, _ queue: Int32) {
        guard scope != .place, isLast else { return }
        let tellsWrites: Int32 = isDirectory && scope == .writes ? 1 : 0
        let watch = cplatform_watch_add(queue, text(names), isDirectory ? 1 : 0, tellsWrites)
        if watch >= 0 { end = watch } else { _ = fail(-watch, at: text(names)) }
    }

    /// Keeps the first problem. Returns true where the way may go on: a directory that cannot be read can still be
    /// passed.
    private mutating func fail(_ code: Int32, at path: String) -> Bool {
        if code == ENOENT || code == ENOTDIR { return false }
        problem = problem ?? FileWatchError(code, at: path)
        return code == EACCES
    }

    private enum Entry {
        case directory, file, nothing
        case link(String)
    }

    private mutating func look(at path: String) -> Entry {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            _ = fail(errno, at: path)
            return .nothing
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFLNK: return target(of: path).map { .link($0) } ?? .nothing
        default: return .file
        }
    }

    private func target(of path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Self.longestTarget, alignment: 1) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(path, start, buffer.count)
            return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }
}
