import CPlatform
import Core
import Glibc
import Platform

/// A file or directory that was found by its name, held whatever becomes of the name. Nothing of it is opened: no device,
/// pipe or socket notices. Closed with this object.
final class OpenPlace: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// One name in this directory, the link itself where it is one.
    func opening(_ name: String) throws(FileObstacle) -> OpenPlace {
        OpenPlace(try FileObstacle.checked(cplatform_open_name(descriptor, name)))
    }

    func status() throws(FileObstacle) -> FileStatus {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { throw FileObstacle(errno) }
        return FileStatus(found)
    }

    /// The attributes of a name in this directory, of the link itself where it is one; nil where nothing has the name.
    func status(of name: String) -> FileStatus? {
        var found = stat()
        return fstatat(descriptor, name, &found, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(found) : nil
    }

    /// Reads where the link at this place leads.
    func linkTarget() throws(FileObstacle) -> String {
        try text { cplatform_link_target(descriptor, $0, $1) }
    }

    /// The absolute path that the place has now, as the kernel knows it.
    func path() throws(FileObstacle) -> String {
        try text { cplatform_path_of(descriptor, $0, $1) }
    }

    private func text(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int64) throws(FileObstacle) -> String {
        let (count, text) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return (Int64(-ENOMEM), nil as String?) }
            let count = read(start, buffer.count)
            guard count >= 0, count < buffer.count else { return (count, nil) }
            let bytes = buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }
            return (count, String(validating: bytes, as: UTF8.self))
        }
        _ = try FileObstacle.checked(count)
        guard let text else { throw .leadsNowhere }
        return text
    }

    /// The first bytes of the regular file at this place.
    func contents(size: Int) throws(FileObstacle) -> [UInt8] {
        let file = try FileObstacle.checked(cplatform_open_contents(descriptor))
        defer { close(file) }
        guard let bytes = FileBytes.contents(of: file, size: size) else { throw FileObstacle(errno) }
        return bytes
    }

    /// Calls `body` with the names in this directory and their types (`DT_…`), until it returns false.
    func eachName(_ body: (String, Int32) -> Bool) throws(FileObstacle) {
        let directory = try FileObstacle.checked(cplatform_open_names(descriptor))
        guard let stream = fdopendir(directory) else {
            close(directory)
            throw FileObstacle(errno)
        }
        defer { closedir(stream) }
        errno = 0
        while let entry = readdir(stream) {
            // A name that is not UTF-8 is shown with U+FFFD, and nothing can be asked about it.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name == "." || name == ".." || body(name, Int32(entry.pointee.d_type)) else { return }
            errno = 0
        }
        if errno != 0 { throw FileObstacle(errno) }
    }
}

/// The attributes that are shown of a file.
struct FileStatus {
    enum Kind { case directory, file, link, special }

    let kind: Kind
    let size: Int64
    let stamp: EntryStamp
    let modifiedAt: Timestamp

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFDIR: .directory
            case S_IFREG: .file
            case S_IFLNK: .link
            default: .special
            }
        size = Int64(status.st_size)
        modifiedAt = Timestamp(milliseconds: FileTime.milliseconds(status.st_mtim))
        stamp = EntryStamp(
            inode: UInt64(status.st_ino), size: size, modified: FileTime.nanoseconds(status.st_mtim),
            isDirectory: kind == .directory)
    }
}

extension FileObstacle {
    init(_ code: Int32) {
        self =
            switch code {
            case ENOENT, ENOTDIR, ENAMETOOLONG: .missing
            case ELOOP: .leadsNowhere
            case EXDEV: .leaves
            case ENXIO, ENODEV: .special
            default: .unreadable(SystemError(code: code).description.lowercased())
            }
    }

    /// The result of a `CPlatform` function.
    static func checked<Number: SignedInteger>(_ result: Number) throws(FileObstacle) -> Number {
        guard result >= 0 else { throw FileObstacle(Int32(-result)) }
        return result
    }
}
