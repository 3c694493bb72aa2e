import CSQLite
import Platform

/// The files an open database writes to. SQLite holds them by descriptor and does not look at their paths again: once
/// one of them is deleted, replaced or truncated, the next start does not read what is committed.
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

    /// The index comes before the log: the log's frames are counted in the mapped index, which must not be read once it
    /// was truncated.
    static let suffixes = ["", "-shm", "-wal"]
    private static let gone = [ENOENT, ENOTDIR]
    private static let pageBytes: Int64 = 4096
    private static let indexBytes: Int64 = 32_768
    /// Bytes of the log's header, and of each frame's (<https://www.sqlite.org/fileformat2.html#the_write_ahead_log>).
    private static let logHeaderBytes: Int64 = 32
    private static let frameHeaderBytes: Int64 = 24

    /// Notes the files at the path now; all three exist once something was written.
    init(_ path: String) {
        self.path = path
        var inodes: [String: Inode] = [:]
        for suffix in Self.suffixes {
            var file = csqlite_file()
            if csqlite_look(path + suffix, &file) == 0 { inodes[suffix] = Inode(file) }
        }
        self.inodes = inodes
    }

    /// The state of the files at the path.
    enum State {
        case inPlace
        /// One of them changed, such as `cdev.db-wal was deleted`.
        case lost(String)
        /// One cannot be looked at. It may still be in its place, so nothing is given up for it; SQLite goes on writing to what
        /// it holds, and whether a start will find that is not known meanwhile.
        case unseen(String)
    }

    /// - Parameter logFrames: Returns the number of frames in the log, as its index says: fewer once another program
    ///   has emptied the log.
    func state(logFrames: () -> Int64) -> State {
        var state = State.inPlace
        for suffix in Self.suffixes {
            guard let inode = inodes[suffix] else { continue }
            switch self.state(of: suffix, inode, logFrames) {
            case .inPlace: break
            case .lost(let what): return .lost("cdev.db\(suffix) \(what)")
            case .unseen(let why): state = .unseen("looking at cdev.db\(suffix): \(why)")
            }
        }
        return state
    }

    /// True if the index that SQLite has mapped was truncated: reading it, even to close the database, ends the process
    /// by SIGBUS.
    var isIndexCut: Bool {
        var file = csqlite_file()
        return csqlite_look(path + "-shm", &file) == 0 && Inode(file) == inodes["-shm"] && file.size < Self.indexBytes
    }

    private func state(of suffix: String, _ inode: Inode, _ logFrames: () -> Int64) -> State {
        var file = csqlite_file()
        let code = csqlite_look(path + suffix, &file)
        if Self.gone.contains(code) { return .lost("was deleted") }
        if code != 0 { return .unseen("\(SystemError(code: code))") }
        if Inode(file) != inode { return .lost("was replaced by another file") }
        return file.size < least(of: suffix, logFrames) ? .lost("was cut to \(file.size) bytes") : .inPlace
    }

    /// The fewest bytes that an intact file can have.
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
