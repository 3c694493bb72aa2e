import Platform
package import Rules

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Looks up paths on the disk for the rules. Nothing is cached, because files may change between two
/// questions.
package struct DiskPaths: PathPort {
    private static let longestTarget = 4096
    /// The number of names that are read from one directory. A larger directory has no answer.
    private static let mostNames = 20_000

    private let limit: DiskLimit?

    package init() {
        limit = nil
    }

    private init(limit: DiskLimit) {
        self.limit = limit
    }

    /// Returns true if no directory or link on the way to a file is on a file system that may hang.
    package static func answersPromptly(at path: String) -> Bool {
        guard Mounts.ofThisMachine.current.mayHangAnywhere else { return true }
        let hurried = DiskPaths().hurried()
        _ = hurried.paths.resolve(path, from: "/")
        return hurried.isSure()
    }

    package func hurried() -> (paths: any PathPort, isSure: () -> Bool) {
        let limit = DiskLimit(Mounts.ofThisMachine.current)
        return (DiskPaths(limit: limit), { !limit.isExceeded })
    }

    package func entry(at path: String) -> PathEntry {
        guard limit?.allows(path) ?? true else { return .unknown }
        return readEntry(at: path)
    }

    private func readEntry(at path: String) -> PathEntry {
        withUnsafeTemporaryAllocation(byteCount: Self.longestTarget, alignment: 1) { buffer in
            guard let start = buffer.baseAddress else { return .unknown }
            // Most paths are not links, and `readlink` finds that out in less time than `lstat`.
            let count = readlink(path, start, buffer.count)
            guard count == -1 else { return target(buffer.prefix(count), isWhole: count < buffer.count, at: path) }
            switch errno {
            case EINVAL: return .plain
            // Some links of /proc exist although they have no target that can be read.
            case ENOENT, ENOTDIR: return mode(of: path) == .missing ? .missing : .unknown
            default: return .unknown
            }
        }
    }

    private enum Mode { case missing, link, other, unknown }

    private func mode(of path: String) -> Mode {
        var status = stat()
        guard lstat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR ? .missing : .unknown }
        return status.st_mode & S_IFMT == S_IFLNK ? .link : .other
    }

    /// Returns the entry at a path that has a target: a link, or a directory on which another file system is mounted
    /// when the directory is first used.
    private func target(_ bytes: Slice<UnsafeMutableRawBufferPointer>, isWhole: Bool, at path: String) -> PathEntry {
        switch mode(of: path) {
        case .missing: return .missing
        case .other: return .plain
        case .unknown: return .unknown
        case .link: break
        }
        guard isWhole, let text = String(validating: bytes, as: UTF8.self) else { return .unknown }
        return .link(to: text)
    }

    package func kind(of absolutePath: String) -> PathKind {
        guard limit?.allowsFollowing(absolutePath) ?? true else { return .other }
        var status = stat()
        guard stat(absolutePath, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR ? .missing : .other }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        default: return .other
        }
    }

    package func names(in directory: String) -> [String]? {
        guard limit?.allowsFollowing(directory) ?? true else { return nil }
        guard let stream = opendir(directory) else { return errno == ENOENT || errno == ENOTDIR ? [] : nil }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            guard limit?.allows(names: names.count + 1) ?? true else { return nil }
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // A name that is not UTF-8 could not be used in a further lookup.
            guard names.count < Self.mostNames, let name = String(validating: bytes, as: UTF8.self) else { return nil }
            if name != ".", name != ".." { names.append(name) }
        }
        return errno == 0 ? names : nil
    }

    package func text(of absolutePath: String, limit: Int) -> String? {
        guard self.limit?.allowsFollowing(absolutePath) ?? true else { return nil }
        guard let bytes = FileBytes.read(absolutePath, limit: limit), self.limit?.allows(bytes: bytes.count) ?? true
        else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }

    package func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]? {
        guard limit?.allowsFollowing(directory) ?? true, let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var entries: [DirectoryEntry] = []
        errno = 0
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard !bytes.elementsEqual(".".utf8), !bytes.elementsEqual("..".utf8) else { continue }
            guard limit?.allows(names: entries.count + 1) ?? true else { return nil }
            // A name that is not UTF-8 could not be used in a further lookup.
            guard entries.count < most, let name = String(validating: bytes, as: UTF8.self),
                let kind = kind(entry.pointee.d_type, of: directory + "/" + name)
            else { return nil }
            entries.append(DirectoryEntry(name: name, kind: kind))
            errno = 0
        }
        return errno == 0 ? entries : nil
    }

    /// Returns the kind of a directory entry. Asks the file system again where that gave no type with the name.
    private func kind(_ type: UInt8, of path: String) -> DirectoryEntry.Kind? {
        switch Int(type) {
        case Int(DT_DIR): return .directory
        case Int(DT_LNK): return .link
        case Int(DT_UNKNOWN):
            var status = stat()
            guard limit?.allows(path) ?? true, lstat(path, &status) == 0 else { return nil }
            let format = status.st_mode & S_IFMT
            return format == S_IFDIR ? .directory : format == S_IFLNK ? .link : .other
        default: return .other
        }
    }
}
