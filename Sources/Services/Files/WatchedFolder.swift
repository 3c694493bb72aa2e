package import Core

/// A folder of a workspace that somebody looks at.
package struct WatchedFolder: Sendable, Hashable {
    package let workspaceID: String
    /// The absolute path of the workspace's directory.
    package let root: String
    package let directory: WorkspacePath

    package init(workspaceID: String, root: String, directory: WorkspacePath) {
        self.workspaceID = workspaceID
        self.root = root
        self.directory = directory
    }

    var path: String { directory.isRoot ? root : root + "/" + directory.text }
}

/// The system's news of changes.
package protocol FolderNews: Sendable {
    /// Calls `heard` on the loop once the path is watched, then half a second after each first change.
    /// - Parameter heard: Called with the reason why the next change may go untold, if there is one.
    func watch(_ path: String, heard: @escaping @Sendable (_ problem: String?) -> Void) -> any Cancellable
}
