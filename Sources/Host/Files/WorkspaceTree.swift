package import Core
import Platform

/// Reads below the directories of workspaces.
package struct WorkspaceTree: Sendable {
    /// Entries that are compared to tell what changed in a folder.
    private static let mostCompared = 5000

    private let asksKernel: Bool
    private let kept = KeptNames()

    /// - Parameter asksKernel: False reads as on a system without openat2(2).
    package init(asksKernel: Bool = true) {
        self.asksKernel = asksKernel
    }

    package func page(
        of directory: WorkspacePath, in root: String, offset: Int, limit: Int, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> DirectoryPage? {
        let open = try WorkspaceRoot(root, asksKernel: asksKernel)
        guard let place = try open.directory(directory, admits) else { return nil }
        let names = try kept.names(of: directory, at: place, in: open, root)
        var page = DirectoryPage(
            directories: [], files: [], totalDirectories: names.directories.count, totalFiles: names.files.count,
            isPartial: names.isPartial)
        let entries = EntryFacts(of: directory, at: place, in: open)
        let directories = names.directories.dropFirst(offset).prefix(limit)
        page.directories = entries.directories(directories)
        page.files = entries.files(
            names.files.dropFirst(max(0, offset - names.directories.count)).prefix(limit - directories.count))
        return page
    }

    package func content(
        of file: WorkspacePath, in root: String, limit: Int, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> FileContent? {
        let open = try WorkspaceRoot(root, asksKernel: asksKernel)
        let place = try open.opening(file)
        let status = try place.status()
        switch status.kind {
        case .directory: throw .directory
        case .link, .special: throw .special
        case .file: break
        }
        guard admits(try open.path(of: place)) else { return nil }
        // One byte more than the file has, in case it has grown or says nothing of its size, as in /proc.
        let bytes = try place.contents(size: limit + 1)
        return FileContent(Array(bytes.prefix(limit)), size: max(status.size, Int64(bytes.count)))
    }

    package func snapshot(
        of directory: WorkspacePath, in root: String, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> FolderSnapshot? {
        let open = try WorkspaceRoot(root, asksKernel: asksKernel)
        guard let place = try open.directory(directory, admits) else { return nil }
        var entries: [String: EntryStamp] = [:]
        var isWhole = true
        try place.eachName { name, _ in
            isWhole = entries.count < Self.mostCompared
            if isWhole, let status = place.status(of: name) { entries[name] = status.stamp }
            return isWhole
        }
        return isWhole ? FolderSnapshot(entries) : .large
    }
}

extension WorkspaceRoot {
    /// The directory at a path; nil where `admits` refuses the place that it leads to.
    fileprivate func directory(
        _ path: WorkspacePath, _ admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> OpenPlace? {
        let place = try opening(path)
        guard try place.status().kind == .directory else { throw .notDirectory }
        return admits(try self.path(of: place)) ? place : nil
    }
}
