import OrderedJSON

/// Access to the disk for one request. Answers are cached, and both the number of lookups and the work on paths are
/// limited.
///
/// Beyond a limit no answer is certain any more, and a person is asked.
final class DiskLookups {
    /// The most lookups for one request.
    static let most = 2000
    /// The most bytes of paths that are walked, compared and looked up for one request, which takes some milliseconds.
    static let mostBytes = 1 << 20

    /// Bytes of a manifest or a file of settings; a larger one is not read, and whatever it may say is held.
    static let longestManifest = 262_144

    /// PATH_MAX: the kernel accepts only paths shorter than this many bytes.
    static let longestPath = 4096
    /// Bytes of a text that is only searched which cost as much as one.
    private static let searched = 64
    /// The cost of comparing one name, in bytes.
    static let bytesOfName = 16
    /// The least cost of looking at a path, in bytes.
    private static let leastBytes = 256

    private let port: any PathPort
    private var entries = DiskAnswers<PathEntry>()
    private var kinds = DiskAnswers<PathKind>()
    private var listings = DiskAnswers<[String]?>()
    private var repositories = DiskAnswers<String?>()
    private var lookups = DiskLookups.most
    private var bytes = DiskLookups.mostBytes
    /// True if a limit was exceeded. Answers since then are not reliable.
    private(set) var isSpent = false
    private var metLongPath = false
    /// True if a limit was exceeded, or a path was longer than the kernel accepts.
    var isOverLimit: Bool { isSpent || metLongPath }

    init(_ port: any PathPort) {
        self.port = port
    }

    /// Charges work on a path of `count` bytes. Returns false once the limit is exceeded.
    @discardableResult
    func spend(bytes count: Int) -> Bool {
        bytes -= max(count, Self.leastBytes)
        if bytes < 0 { isSpent = true }
        return !isSpent
    }

    /// Charges one lookup. Returns false once there were too many.
    private func ask() -> Bool {
        lookups -= 1
        if lookups < 0 { isSpent = true }
        return !isSpent
    }

    func entry(at path: String) -> PathEntry {
        bytes -= path.utf8.count
        if bytes < 0 { isSpent = true }
        guard !isSpent, path.utf8.count < Self.longestPath, !path.utf8.contains(0) else { return .unknown }
        if let known = entries[path] { return known }
        guard ask() else { return .unknown }
        let found = port.entry(at: path)
        entries[path] = found
        return found
    }

    func kind(of path: String) -> PathKind {
        guard spend(bytes: path.utf8.count), path.utf8.count < Self.longestPath else { return .other }
        if let known = kinds[path] { return known }
        guard ask() else { return .other }
        let found = port.kind(of: path)
        kinds[path] = found
        return found
    }

    func names(in directory: String) -> [String]? {
        guard spend(bytes: directory.utf8.count), directory.utf8.count < Self.longestPath else { return nil }
        if let known = listings[directory] { return known }
        guard ask() else { return nil }
        let found = port.names(in: directory)
        listings[directory] = found
        return found
    }

    /// The port's `entries`; nil also once a limit is exceeded. Each name costs as much as a comparison.
    func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? {
        guard spend(bytes: directory.utf8.count), directory.utf8.count < Self.longestPath, ask() else { return nil }
        guard let found = port.entries(in: directory, atMost: most) else { return nil }
        return spend(bytes: found.count * Self.bytesOfName) ? found : nil
    }

    /// The port's `text`; `nil` also once a limit is exceeded. Whoever asks reads it through, so that each byte costs as
    /// much as one of a path, however often the same text is asked for.
    /// - Parameter isOnlySearched: whether only small parts are read, so that the rest costs next to nothing.
    func text(of path: String, limit: Int, isOnlySearched: Bool = false) -> String? {
        guard path.utf8.count < Self.longestPath, ask(), let text = port.text(of: path, limit: limit) else {
            return nil
        }
        return spend(bytes: isOnlySearched ? text.utf8.count / Self.searched : text.utf8.count) ? text : nil
    }

    func resolve(_ path: String, from directory: String) -> ResolvedPath {
        let isAbsolute = PathText.isAbsolute(path)
        let length = path.utf8.count + (isAbsolute ? 0 : directory.utf8.count + 1)
        if length >= Self.longestPath { metLongPath = true }
        guard spend(bytes: length), length < Self.longestPath else { return ResolvedPath(path: path, isCertain: false) }
        var walk = PathWalk(path, from: isAbsolute ? "" : directory, asking: self)
        return walk.run()
    }

    /// The nearest directory, from `directory` upwards, with `.git`, or with `HEAD` and `objects` or `commondir` (which
    /// names the directory of the objects): git takes the latter for a bare repository.
    func repository(from directory: String) -> String? {
        if let known = repositories[directory] { return known }
        var found: String?
        var current = directory
        while PathText.isAbsolute(current), directory.utf8.count < Self.longestPath {
            let prefix = PathText.same(current, "/") ? "" : current
            if isWorkTree(prefix) || isBare(prefix) {
                found = current
                break
            }
            guard !prefix.isEmpty else { break }
            current = PathText.directory(of: current)
        }
        repositories[directory] = found
        return found
    }

    /// True if the directory has a `.git` and so is the top of a work tree, whatever else is in it.
    func isWorkTree(_ directory: String) -> Bool { exists(directory + "/.git") }

    /// True if git accepts a `.git` as a repository: a file, or a directory with `objects`, `refs` and a valid `HEAD`.
    /// Git ignores any other directory `.git` and searches further up.
    func isRepository(_ path: String) -> Bool {
        if kind(of: path) == .file { return true }
        guard ["objects", "refs"].allSatisfy({ kind(of: path + "/" + $0) == .directory }),
            let head = text(of: path + "/HEAD", limit: Self.longestHead)?.utf8
        else { return false }
        return head.starts(with: "ref: refs/".utf8)
            || head.count > 40 && head.prefix(40).allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private static let longestHead = 4096

    /// True if git would take the directory for a repository without a work tree.
    func isBare(_ directory: String) -> Bool {
        exists(directory + "/HEAD") && (exists(directory + "/objects") || exists(directory + "/commondir"))
    }

    private func exists(_ path: String) -> Bool { entry(at: path) != .missing }
}

/// A cache of answers by path, compared byte for byte: names that look alike are different files. The first few
/// answers, nearly always all, are in a list, which is fastest.
private struct DiskAnswers<Answer> {
    private static var mostListed: Int { 8 }

    private var listed: [(path: String, answer: Answer)] = []
    private var others: [ExactString: Answer] = [:]

    subscript(path: String) -> Answer? {
        get {
            for known in listed where PathText.same(known.path, path) { return known.answer }
            return others.isEmpty ? nil : others[ExactString(path)]
        }
        set {
            guard let newValue else { return }
            if listed.count < Self.mostListed {
                listed.append((path, newValue))
            } else {
                others[ExactString(path)] = newValue
            }
        }
    }
}
