/// Resolves one path component by component, as the kernel does.
struct PathWalk {
    /// The most links that the kernel follows in one path.
    private static let mostLinks = 40

    private let disk: DiskLookups
    /// The path resolved so far, without a slash at the end: empty for `/`.
    private var current = ""
    /// The components still to resolve.
    private var rest: ArraySlice<UInt8>
    private var links = 0

    /// - Parameter directory: a resolved directory; empty for an absolute path.
    init(_ path: String, from directory: String, asking disk: DiskLookups) {
        self.disk = disk
        current.reserveCapacity(path.utf8.count + directory.utf8.count + 2)
        rest = Array(directory.utf8)[...]
        while let name = next() { enter(name) }
        rest = Array(path.utf8)[...]
    }

    /// Removes and returns the next component of the rest.
    private mutating func next() -> ArraySlice<UInt8>? {
        guard let start = rest.firstIndex(where: { $0 != UInt8(ascii: "/") }) else { return nil }
        let end = rest[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[start..<end]
    }

    private mutating func enter(_ name: ArraySlice<UInt8>) {
        current += "/"
        current += String(decoding: name, as: UTF8.self)
    }

    private mutating func leave() {
        guard let slash = current.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        current.removeSubrange(slash...)
    }

    private static func isHere(_ name: ArraySlice<UInt8>) -> Bool {
        name.count == 1 && name.first == UInt8(ascii: ".")
    }

    private static func isParent(_ name: ArraySlice<UInt8>) -> Bool {
        name.count == 2 && name.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private var text: String { current.isEmpty ? "/" : current }

    mutating func run() -> ResolvedPath {
        while let name = next() {
            if Self.isHere(name) { continue }
            if Self.isParent(name) {
                leave()
                continue
            }
            enter(name)
            if isOfProcess { return uncertain() }
            switch disk.entry(at: current) {
            case .link(let target): guard follow(target) else { return uncertain() }
            case .plain: break
            case .missing: return appendRest()
            case .unknown: return uncertain()
            }
        }
        return ResolvedPath(path: text, isCertain: true)
    }

    /// True where what follows differs for each process: `/proc/self/cwd` is the directory of whoever asks.
    private var isOfProcess: Bool {
        guard current.utf8.starts(with: "/proc/".utf8) else { return false }
        let name = current.utf8.dropFirst(6)
        return name.elementsEqual("self".utf8) || name.elementsEqual("thread-self".utf8)
            || rest.contains { $0 != UInt8(ascii: "/") }
    }

    /// Replaces the link at the end of `current` by its target. Returns false after too many links or for too long a
    /// path.
    private mutating func follow(_ target: String) -> Bool {
        links += 1
        guard links <= Self.mostLinks, !target.isEmpty,
            target.utf8.count + rest.count < DiskLookups.longestPath
        else { return false }
        leave()
        if PathText.isAbsolute(target) { current = "" }
        rest = Array(target.utf8) + [UInt8(ascii: "/")] + rest
        return true
    }

    /// Appends the rest as it was written, because a component does not exist. A `..` in the rest makes the result
    /// uncertain: it fails now, and may lead anywhere once the component exists.
    private mutating func appendRest() -> ResolvedPath {
        var isCertain = true
        while let name = next() {
            if Self.isHere(name) { continue }
            if Self.isParent(name) { isCertain = false }
            enter(name)
        }
        return ResolvedPath(path: text, isCertain: isCertain)
    }

    private mutating func uncertain() -> ResolvedPath {
        while let name = next() { enter(name) }
        return ResolvedPath(path: text, isCertain: false)
    }
}
