import Platform

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file operations of the installer; errors name the operation, the path and the reason.
enum InstallFiles {
    /// Bytes, far above any settings file: a path to a disk image gives an error, and does not fill the memory.
    private static let largest = 16 << 20

    static func failure(_ operation: String, _ path: String) -> InstallError {
        .failed(operation: operation, path: path, reason: SystemError.last.description)
    }

    /// Nil if there is no such file. Anything but a regular file is an error.
    static func read(_ path: String) throws(InstallError) -> (bytes: [UInt8], attributes: FileAttributes)? {
        do throws(FileError) { return try FileBytes.file(path, limit: largest) } catch { throw InstallError(error) }
    }

    /// See `AtomicFile`.
    static func stage(_ bytes: [UInt8], at path: String, _ attributes: FileAttributes) throws(InstallError) {
        do throws(FileError) { try AtomicFile.stage(bytes, at: path, attributes) } catch { throw InstallError(error) }
    }

    static func commit(_ staged: String, to path: String) throws(InstallError) {
        do throws(FileError) { try AtomicFile.commit(staged, to: path) } catch { throw InstallError(error) }
    }

    static func replace(_ path: String, with bytes: [UInt8], _ attributes: FileAttributes) throws(InstallError) {
        do throws(FileError) { try AtomicFile.replace(path, with: bytes, attributes) } catch {
            throw InstallError(error)
        }
    }

    static func remove(_ path: String) throws(InstallError) {
        do throws(FileError) { try AtomicFile.remove(path) } catch { throw InstallError(error) }
    }

    /// Creates a directory and its missing parents, accessible to the user alone.
    /// - Returns: The directories created, outermost first.
    static func createDirectory(_ path: String, mode: mode_t = 0o700) throws(InstallError) -> [String] {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .unusablePath(path, reason: "it is not a directory") }
            return []
        }
        guard errno == ENOENT, path != "/" else { throw failure("create", path) }
        let outer = try createDirectory(AtomicFile.parent(of: path))
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw failure("create", path) }
        return outer + [path]
    }

    /// Removes the empty directories among these, innermost first.
    static func removeEmptyDirectories(_ paths: [String]) {
        for path in paths.reversed() { rmdir(path) }
    }

    static func isExecutable(_ path: String) -> Bool {
        access(path, X_OK) == 0
    }

    /// The absolute path with all symbolic links resolved; the file itself may be missing.
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
            return try resolve(isAbsolute ? target : AtomicFile.parent(of: path) + "/" + target, links: links - 1)
        }
        let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
        let name = trimmed.split(separator: "/").last ?? ""
        guard name != "..", name != "." else { throw failure("find", path) }
        let directory = try resolve(AtomicFile.parent(of: trimmed), links: links)
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
