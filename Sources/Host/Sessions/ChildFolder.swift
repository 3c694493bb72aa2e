import Glibc
package import Platform

/// The directory of one run session, `$CDEV_HOME/sessions/ID`, for this user only: what its child reads from and writes
/// to. Each child has files of its own, so none takes another's words for its own.
package struct ChildFolder: Sendable, Hashable {
    package let path: String

    /// `nil` for an id that is no name of a file.
    package init?(home: String, session: String) {
        guard !session.isEmpty, session.utf8.count <= 200, session.first != ".", !session.utf8.contains(0x2F) else {
            return nil
        }
        path = Self.parent(home: home) + "/" + session
    }

    package static func parent(home: String) -> String { home + "/sessions" }

    /// The FIFO that the child reads from.
    package func input(_ run: Int) -> String { "\(path)/in.\(run)" }
    /// The file to which it appends its lines.
    package func output(_ run: Int) -> String { "\(path)/out.\(run)" }
    package func errors(_ run: Int) -> String { "\(path)/errors.\(run)" }
    /// The servers of tools that the child is given.
    package func servers(_ run: Int) -> String { "\(path)/servers.\(run)" }

    /// Makes the files of a new child, and removes those of earlier ones. Files that are there already are an error: a
    /// child with this number may live.
    package func open(_ run: Int) throws(SystemError) -> ChildStreams {
        try Self.makeDirectory(AtomicFile.parent(of: path))
        try Self.makeDirectory(path)
        for earlier in names() where !earlier.hasSuffix(".\(run)") { unlink(path + "/" + earlier) }
        guard mkfifo(input(run), 0o600) == 0 else { throw .last }
        // Read and written, so that the FIFO stays open whoever else comes and goes.
        let streams = ChildStreams([
            Glibc.open(input(run), O_RDWR | O_CLOEXEC | O_NOFOLLOW), Self.create(output(run)), Self.create(errors(run)),
        ])
        guard streams.descriptors.allSatisfy({ $0 >= 0 }) else { throw .last }
        return streams
    }

    /// Removes the directory with its files.
    package func remove() {
        for name in names() { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// The FIFOs that are there: that of the last child, and of none before.
    package var inputs: [String] { names().filter { $0.hasPrefix("in.") }.map { path + "/" + $0 } }

    /// The ids that have a directory.
    package static func sessions(home: String) -> [String] { entries(of: parent(home: home)) }

    private func names() -> [String] { Self.entries(of: path) }

    private static func entries(of path: String) -> [String] {
        DirectoryNames.all(in: path).filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func makeDirectory(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .last }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { throw SystemError(code: ENOTDIR) }
        guard status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else { throw .last }
    }

    private static func create(_ path: String) -> Int32 {
        Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
}

/// The open input, output and errors of a child that is being started; closed with this object.
package final class ChildStreams: Sendable {
    package let descriptors: [Int32]

    init(_ descriptors: [Int32]) {
        self.descriptors = descriptors
    }

    deinit {
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    }
}
