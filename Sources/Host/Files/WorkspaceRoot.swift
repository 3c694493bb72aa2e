import CPlatform
import Core
import Glibc

/// The open directory of a workspace. Whatever is opened through it lies below it, also while others move directories and
/// put links in their places.
struct WorkspaceRoot {
    /// The directory itself.
    let place: OpenPlace
    /// As the workspace has it: absolute, without links.
    private let path: String
    /// False tries the way of a system without openat2(2).
    private let asksKernel: Bool

    init(_ path: String, asksKernel: Bool = true) throws(FileObstacle) {
        self.path = path
        self.asksKernel = asksKernel
        place = try Self.open(path, asksKernel)
        guard try place.status().kind == .directory else { throw .workspaceMoved }
    }

    private static func open(_ path: String, _ asksKernel: Bool) throws(FileObstacle) -> OpenPlace {
        let found = asksKernel ? cplatform_open_without_links(path) : -ENOSYS
        switch found {
        case 0...: return OpenPlace(found)
        case -ENOSYS, -EPERM: break
        case -ENOENT, -ENOTDIR, -ELOOP: throw .workspaceMoved
        default: throw FileObstacle(-found)
        }
        var place = OpenPlace(try FileObstacle.checked(cplatform_open_name(AT_FDCWD, "/")))
        for name in path.split(separator: "/") {
            do throws(FileObstacle) {
                place = try place.opening(String(name))
                if try place.status().kind != .directory { throw .workspaceMoved }
            } catch {
                throw error == .missing ? .workspaceMoved : error
            }
        }
        return place
    }

    /// The directory's number on its disk, and the disk's: another directory at the same path has another.
    func identity() throws(FileObstacle) -> DirectoryIdentity {
        var found = cplatform_file()
        _ = try FileObstacle.checked(cplatform_open_file_facts(place.descriptor, &found))
        return DirectoryIdentity(device: found.device, inode: found.inode)
    }

    /// The place that a path leads to, links followed.
    func opening(_ path: WorkspacePath) throws(FileObstacle) -> OpenPlace {
        if path.isRoot { return place }
        if asksKernel {
            let found = cplatform_open_beneath(place.descriptor, path.text)
            switch found {
            case 0...: return OpenPlace(found)
            // A link that begins with "/" may lead into the workspace all the same; a filter of system calls may refuse.
            case -EXDEV, -ENOSYS, -EPERM, -EAGAIN: break
            default: throw FileObstacle(-found)
            }
        }
        var walk = LinkWalk(from: place, at: self.path, path.names)
        return try walk.end()
    }

    /// Finds where a place is in the workspace now.
    func path(of place: OpenPlace) throws(FileObstacle) -> WorkspacePath {
        let found = try place.path()
        if found == path { return .root }
        let prefix = path == "/" ? "/" : path + "/"
        guard found.utf8.starts(with: prefix.utf8) else { throw .leaves }
        guard let path = try? WorkspacePath(String(Substring(found.utf8.dropFirst(prefix.utf8.count)))) else {
            throw .leaves
        }
        if found.hasSuffix(Self.removed) { try check(place, stillAt: path) }
        return path
    }

    /// The kernel puts this behind the path of a file that has been removed; a name may end so, too.
    private static let removed = " (deleted)"

    /// Throws for a removed file: its name is no longer known, and so not whether it was a sensitive one.
    private func check(_ place: OpenPlace, stillAt path: WorkspacePath) throws(FileObstacle) {
        guard try opening(path).status().stamp.inode == place.status().stamp.inode else { throw .missing }
    }
}
