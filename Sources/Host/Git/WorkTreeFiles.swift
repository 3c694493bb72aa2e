package import Core
import Glibc
import Platform

/// Files of a repository that are looked at without git.
package struct WorkTreeFiles: GitFiles {
    private let lane = WorkLane(threads: 2, mostWeight: 64)

    package init() {}

    package func operation(in directory: String) async -> GitOperation? {
        await lane.run(weight: 1) {
            Self.marks.first { access("\(directory)/\($0.name)", F_OK) == 0 }?.operation
        } ?? nil
    }

    /// Files that git makes for the time of an operation. A rebase may stop at a pick or merge, so it comes first.
    private static let marks: [(name: String, operation: GitOperation)] = [
        ("rebase-merge", .rebase), ("rebase-apply", .rebase), ("MERGE_HEAD", .merge),
        ("CHERRY_PICK_HEAD", .cherryPick), ("REVERT_HEAD", .revert), ("BISECT_LOG", .bisect),
    ]

    package func file(_ path: GitPath, below directory: String, limit: Int) async -> GitFileContent? {
        await lane.run(weight: 1) { Self.read(path, directory, limit) } ?? nil
    }

    /// Each component is opened in the directory before it, so nothing that is exchanged meanwhile leads elsewhere.
    private static func read(_ path: GitPath, _ directory: String, _ limit: Int) -> GitFileContent? {
        let names = path.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) + [0] }
        guard let last = names.last, let root = try? WorkspaceRoot(directory) else { return nil }
        var place = openat(root.place.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for name in names.dropLast() where place >= 0 {
            let next = opened(name, in: place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            close(place)
            place = next
        }
        guard place >= 0 else { return nil }
        defer { close(place) }
        if let target = target(of: last, in: place, limit) { return target }
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let file = opened(last, in: place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(status.st_size)
        guard let bytes = FileBytes.contents(of: file, size: min(size, limit)) else { return nil }
        return GitFileContent(
            bytes: Array(bytes.prefix(limit)), isCut: size > limit, isExecutable: status.st_mode & 0o100 != 0)
    }

    private static func opened(_ name: [UInt8], in place: Int32, _ flags: Int32) -> Int32 {
        name.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { openat(place, $0.baseAddress!, flags) }
        }
    }

    private static func target(of name: [UInt8], in place: Int32, _ limit: Int) -> GitFileContent? {
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = name.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { name in
                target.withUnsafeMutableBytes {
                    readlinkat(place, name.baseAddress!, $0.bindMemory(to: CChar.self).baseAddress!, $0.count)
                }
            }
        }
        guard count >= 0 else { return nil }
        return GitFileContent(bytes: Array(target.prefix(min(count, limit))), isLink: true)
    }
}
