package import Core

/// Reads below a workspace's directory and nowhere else, whatever links lead out and whatever is moved meanwhile. Nothing
/// but regular files is opened. Each call takes as long as the disk does.
package protocol WorkspaceDisk: Sendable {
    /// A part of a directory's entries.
    /// - Parameters:
    ///   - root: The absolute path of the workspace's directory.
    ///   - admits: Called with the place that the path leads to, links followed; false refuses it.
    /// - Returns: nil where it was refused.
    func page(
        of directory: WorkspacePath, in root: String, offset: Int, limit: Int, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> DirectoryPage?

    /// The first bytes of a regular file, at most `limit`; nil where `admits` refuses the place that the path leads to.
    func content(
        of file: WorkspacePath, in root: String, limit: Int, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> FileContent?

    /// The entries of a directory, to be compared later; nil where `admits` refuses it.
    func snapshot(
        of directory: WorkspacePath, in root: String, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> FolderSnapshot?
}
