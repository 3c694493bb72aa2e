package import Core

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The disk, as the rules may ask about it. Nothing is remembered: what a rule matched a moment ago may have changed.
package struct DiskPaths: PathPort {
    /// As many links as the kernel follows in one path.
    private static let mostLinks = 40
    private static let longestPath = 4096
    /// Names looked at in one directory; in a larger one nothing is certain. The loop waits meanwhile.
    private static let mostNames = 20_000

    package init() {}

    package func resolve(_ path: String, from directory: String) -> ResolvedPath {
        var walk = Walk(path: path, from: directory)
        return walk.run()
    }

    package func kind(of absolutePath: String) -> PathKind {
        var status = stat()
        guard stat(absolutePath, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR ? .missing : .other }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        default: return .other
        }
    }

    /// Upwards, the first directory with `.git`, or with `HEAD` and `objects`, which git takes for a bare repository.
    package func repository(from directory: String) -> String? {
        guard directory.utf8.first == UInt8(ascii: "/") else { return nil }
        var current = directory
        while true {
            let prefix = current == "/" ? "" : current
            if Self.exists(prefix + "/.git") || (Self.exists(prefix + "/HEAD") && Self.exists(prefix + "/objects")) {
                return current
            }
            guard current != "/", let slash = current.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            current = slash == current.startIndex ? "/" : String(current[..<slash])
        }
    }

    package func text(of absolutePath: String, limit: Int) -> String? {
        FileBytes.read(absolutePath, limit: limit).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    package func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var entries: [DirectoryEntry] = []
        errno = 0
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard !bytes.elementsEqual(".".utf8), !bytes.elementsEqual("..".utf8) else { continue }
            // A name that is no text could not be asked about again.
            guard entries.count < most, let name = String(validating: bytes, as: UTF8.self),
                let kind = Self.kind(entry.pointee.d_type, of: directory + "/" + name)
            else { return nil }
            entries.append(DirectoryEntry(name: name, kind: kind))
            errno = 0
        }
        return errno == 0 ? entries : nil
    }

    /// Not every file system says it with the name.
    private static func kind(_ type: UInt8, of path: String) -> DirectoryEntry.Kind? {
        switch Int(type) {
        case Int(DT_DIR): return .directory
        case Int(DT_LNK): return .link
        case Int(DT_UNKNOWN):
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            let format = status.st_mode & S_IFMT
            return format == S_IFDIR ? .directory : format == S_IFLNK ? .link : .other
        default: return .other
        }
    }

    package func matches(ofSuffix suffix: String, in directory: String) -> [String]? {
        guard let stream = opendir(directory) else { return errno == ENOENT || errno == ENOTDIR ? [] : nil }
        defer { closedir(stream) }
        let end = "." + suffix
        var names: [String] = []
        var seen = 0
        errno = 0
        while let entry = readdir(stream) {
            seen += 1
            guard seen <= Self.mostNames else { return nil }
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard bytes.first != UInt8(ascii: "."), bytes.suffix(end.utf8.count).elementsEqual(end.utf8) else {
                continue
            }
            // A name that is no text could not be asked about again.
            guard let name = String(validating: bytes, as: UTF8.self) else { return nil }
            names.append(name)
        }
        return errno == 0 ? names.sorted() : nil
    }
}

extension DiskPaths {
    /// One path's way through the directories.
    private struct Walk {
        /// Where it has come to, without a slash at the end: empty for the root.
        private var current = ""
        /// What is still to go.
        private var rest: ArraySlice<UInt8>
        private var links = 0

        init(path: String, from directory: String) {
            let isAbsolute = path.utf8.first == UInt8(ascii: "/")
            current.reserveCapacity(path.utf8.count + (isAbsolute ? 0 : directory.utf8.count) + 2)
            rest = isAbsolute ? [] : Array(directory.utf8)[...]
            while let name = next() { enter(name) }
            rest = Array(path.utf8)[...]
        }

        /// Takes the next component off the rest.
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
                switch status(of: current) {
                case .found(isLink: true): guard followLink() else { return uncertain() }
                case .found(isLink: false): break
                case .missing: return appendRest()
                case .unknown: return uncertain()
                }
            }
            return ResolvedPath(path: text, isCertain: true)
        }

        private enum Status: Equatable {
            case found(isLink: Bool)
            case missing, unknown
        }

        private func status(of path: String) -> Status {
            guard path.utf8.count < DiskPaths.longestPath, !Self.isCutShort(path) else { return .unknown }
            // Most are no links, which takes the kernel less time to say than all that `lstat` tells.
            var start: CChar = 0
            guard readlink(path, &start, 1) == -1 else { return linkOrMount(path) }
            switch errno {
            case EINVAL: return .found(isLink: false)
            // Some links of /proc are there, and lead nowhere that can be said.
            case ENOENT, ENOTDIR: return linkOrMount(path) == .missing ? .missing : .unknown
            default: return .unknown
            }
        }

        /// What has a target is a link, or a directory where another file system is mounted when it is first used.
        private func linkOrMount(_ path: String) -> Status {
            var status = stat()
            guard lstat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR ? .missing : .unknown }
            return .found(isLink: status.st_mode & S_IFMT == S_IFLNK)
        }

        /// To the kernel it would end at the zero.
        private static func isCutShort(_ path: String) -> Bool {
            path.utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? path.utf8.contains(0)
        }

        /// The link at the end of `current` is replaced by what it says.
        private mutating func followLink() -> Bool {
            links += 1
            guard links <= DiskPaths.mostLinks, let target = Self.target(of: current), !target.isEmpty else {
                return false
            }
            leave()
            if target.utf8.first == UInt8(ascii: "/") { current = "" }
            rest = Array(target.utf8) + [UInt8(ascii: "/")] + rest
            return true
        }

        private static func target(of link: String) -> String? {
            withUnsafeTemporaryAllocation(byteCount: DiskPaths.longestPath, alignment: 1) { buffer in
                guard let start = buffer.baseAddress else { return nil }
                let count = readlink(link, start, buffer.count)
                guard count > 0, count < buffer.count else { return nil }
                return String(validating: buffer.prefix(count), as: UTF8.self)
            }
        }

        /// What does not exist is appended as written; `..` behind it would lead nowhere, or elsewhere once it exists.
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
}
