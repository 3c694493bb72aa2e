import CSQLite

/// The files an open database writes to. SQLite holds them by descriptor and does not look at their paths again: once one
/// is deleted, replaced or cut, what is committed is read by nobody after the next start.
struct HeldFiles {
    private let path: String
    private let inodes: [String: Inode]

    private struct Inode: Equatable {
        let device: UInt64
        let number: UInt64

        init(_ file: csqlite_file) {
            device = file.device
            number = file.inode
        }
    }

    /// The index before the log, whose frames are counted in memory that is gone where the index was cut.
    private static let suffixes = ["", "-shm", "-wal"]
    private static let pageBytes: Int64 = 4096
    private static let indexBytes: Int64 = 32_768
    /// Of the log's own header, and of each frame's.
    private static let logHeaderBytes: Int64 = 32
    private static let frameHeaderBytes: Int64 = 24

    /// Those at the path now; all three are there once something was written.
    init(_ path: String) {
        self.path = path
        var inodes: [String: Inode] = [:]
        for suffix in Self.suffixes {
            var file = csqlite_file()
            if csqlite_look(path + suffix, &file) == 0 { inodes[suffix] = Inode(file) }
        }
        self.inodes = inodes
    }

    /// What became of one of them, such as `cdev.db-wal was deleted`; `nil` while all are where they were.
    /// - Parameter logFrames: What the log holds, as its index says: fewer once another program has emptied it.
    func loss(logFrames: () -> Int64) -> String? {
        for suffix in Self.suffixes {
            guard let inode = inodes[suffix] else { continue }
            if let what = loss(of: suffix, inode, logFrames) { return "cdev.db\(suffix) \(what)" }
        }
        return nil
    }

    /// The index that SQLite has mapped was cut: whoever reads it now is ended by a signal, also to close the database.
    var isIndexCut: Bool {
        var file = csqlite_file()
        return csqlite_look(path + "-shm", &file) == 0 && Inode(file) == inodes["-shm"] && file.size < Self.indexBytes
    }

    private func loss(of suffix: String, _ inode: Inode, _ logFrames: () -> Int64) -> String? {
        var file = csqlite_file()
        switch csqlite_look(path + suffix, &file) {
        case 0: break
        case ENOENT, ENOTDIR: return "was deleted"
        // Not to be seen is not gone: where it cannot be written either, SQLite says so.
        default: return nil
        }
        if Inode(file) != inode { return "was replaced by another file" }
        return file.size < least(of: suffix, logFrames) ? "was cut to \(file.size) bytes" : nil
    }

    /// The fewest bytes a file can have.
    private func least(of suffix: String, _ logFrames: () -> Int64) -> Int64 {
        switch suffix {
        case "": return Self.pageBytes
        case "-shm": return Self.indexBytes
        default:
            let frames = logFrames()
            return frames > 0 ? Self.logHeaderBytes + frames * (Self.frameHeaderBytes + Self.pageBytes) : 0
        }
    }
}
