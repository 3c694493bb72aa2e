#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The few things the installer needs of the file system; errors name the operation, the path and the reason.
enum InstallFiles {
    struct Attributes: Hashable {
        let mode: mode_t
        /// Nil for whoever creates the file.
        var owner: uid_t?
        var group: gid_t?

        /// For its user alone: settings may hold keys.
        static let ofPrivateFile = Attributes(mode: 0o600)
        static let ofScript = Attributes(mode: 0o755)
    }

    /// Far above any settings file; whoever points us at a disk image gets an error, not a full memory.
    private static let largest = 16 << 20

    static func failure(_ operation: String, _ path: String) -> InstallError {
        .failed(operation: operation, path: path, reason: String(cString: strerror(errno)))
    }

    /// Nil if there is no such file. Anything but a regular file is an error.
    static func read(_ path: String) throws(InstallError) -> (bytes: [UInt8], attributes: Attributes)? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read", path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unusablePath(path, reason: "it is not a regular file; name the settings file itself")
        }
        guard status.st_size <= largest else { throw .unusablePath(path, reason: "it is larger than 16 MiB") }
        let attributes = Attributes(mode: status.st_mode & 0o7777, owner: status.st_uid, group: status.st_gid)
        return (try readAll(file, path), attributes)
    }

    private static func readAll(_ file: Int32, _ path: String) throws(InstallError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(bytes.count)) }
            if count > 0 { bytes += chunk[..<count] }
            if count == 0 { return bytes }
            if count < 0 && errno != EINTR { throw failure("read", path) }
        }
    }

    /// Writes a file that nobody reads yet, complete and on the disk when this returns. One left by a crash is replaced.
    static func stage(_ bytes: [UInt8], at path: String, _ attributes: Attributes) throws(InstallError) {
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("write", path) }
        defer { close(file) }
        do throws(InstallError) {
            try writeAll(bytes, to: file, path)
            try apply(attributes, to: file, path)
            guard fsync(file) == 0 else { throw failure("write", path) }
        } catch {
            unlink(path)
            throw error
        }
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32, _ path: String) throws(InstallError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
            if count < 0 && errno != EINTR { throw failure("write", path) }
        }
    }

    private static func apply(_ attributes: Attributes, to file: Int32, _ path: String) throws(InstallError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("write", path) }
        let (owner, group) = (attributes.owner ?? status.st_uid, attributes.group ?? status.st_gid)
        if status.st_uid != owner || status.st_gid != group {
            guard fchown(file, owner, group) == 0 else { throw failure("keep the owner of", path) }
        }
        guard fchmod(file, attributes.mode) == 0 else { throw failure("keep the mode of", path) }
    }

    /// Puts a staged file in the place of another at one stroke.
    static func commit(_ staged: String, to path: String) throws(InstallError) {
        guard rename(staged, path) == 0 else {
            let error = failure("replace", path)
            unlink(staged)
            throw error
        }
        try synchronizeDirectory(of: path)
    }

    static func replace(_ path: String, with bytes: [UInt8], _ attributes: Attributes) throws(InstallError) {
        try stage(bytes, at: path + ".new", attributes)
        try commit(path + ".new", to: path)
    }

    static func remove(_ path: String) throws(InstallError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
        try synchronizeDirectory(of: path)
    }

    /// Some file systems cannot do this for a directory; then the rename is as durable as they make it.
    private static func synchronizeDirectory(of path: String) throws(InstallError) {
        let directory = open(parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        defer { close(directory) }
        guard fsync(directory) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw .notDurable(path: path, reason: String(cString: strerror(errno)))
        }
    }

    /// Creates a directory and those it lies in, for us alone.
    /// - Returns: Those that were not there, outermost first.
    static func createDirectory(_ path: String, mode: mode_t = 0o700) throws(InstallError) -> [String] {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .unusablePath(path, reason: "it is not a directory") }
            return []
        }
        guard errno == ENOENT, path != "/" else { throw failure("create", path) }
        let outer = try createDirectory(parent(of: path))
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw failure("create", path) }
        return outer + [path]
    }

    /// Removes directories that are empty, innermost first; those that are not stay.
    static func removeEmptyDirectories(_ paths: [String]) {
        for path in paths.reversed() { rmdir(path) }
    }

    static func isExecutable(_ path: String) -> Bool {
        access(path, X_OK) == 0
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Where a path leads: absolute, through all symbolic links, whether or not the file is there.
    static func resolve(_ path: String) throws(InstallError) -> String {
        guard !path.isEmpty else { throw .unusablePath("''", reason: "it is empty") }
        guard !path.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw .unusablePath(path, reason: "it has a control character in it")
        }
        return try resolve(path, links: 40)
    }

    private static func resolve(_ path: String, links: Int) throws(InstallError) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        guard errno == ENOENT else { throw failure("find", path) }
        if let target = linkTarget(path) {
            guard links > 0 else { throw .unusablePath(path, reason: "too many symbolic links") }
            let isAbsolute = target.hasPrefix("/")
            return try resolve(isAbsolute ? target : parent(of: path) + "/" + target, links: links - 1)
        }
        let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
        let name = trimmed.split(separator: "/").last ?? ""
        guard name != "..", name != "." else { throw failure("find", path) }
        let directory = try resolve(parent(of: trimmed), links: links)
        return (directory == "/" ? "" : directory) + "/" + name
    }

    private static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { readlink(path, $0, bytes.count) } ?? -1 }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
