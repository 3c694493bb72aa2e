package import Core

/// The files of workspaces, for people who look at them. Every call says who asks: sensitive files need the right to drive.
package protocol FileService: Sendable {
    func list(_ query: FileListQuery, by caller: Caller) async throws(FileFailure) -> FileListing
    func content(_ query: FileQuery, by caller: Caller) async throws(FileFailure) -> FileContent
    /// Tells of changes of a folder as live events, for so many seconds from now.
    /// - Parameter owner: Who has the client, and perhaps others; `nil` for the user at the machine itself.
    func watch(
        _ folder: FolderQuery, seconds: Int, by client: String, of owner: String?
    ) async throws(FileFailure) -> FolderWatch
    /// False if the client did not watch it.
    func unwatch(_ folder: FolderQuery, by client: String) async throws(FileFailure) -> Bool
}

/// A workspace by its id, or the only one there is.
package enum WorkspaceChoice: Sendable, Hashable {
    case id(String)
    case only

    package init(_ id: String?) { self = id.map { .id($0) } ?? .only }
}

package struct FileListQuery: Sendable, Hashable {
    package let workspace: WorkspaceChoice
    package let directory: WorkspacePath
    package let limit: Int
    package let offset: Int

    package init(workspace: WorkspaceChoice, directory: WorkspacePath, limit: Int, offset: Int) {
        self.workspace = workspace
        self.directory = directory
        self.limit = limit
        self.offset = offset
    }
}

package struct FileQuery: Sendable, Hashable {
    package let workspace: WorkspaceChoice
    package let path: WorkspacePath
    /// Bytes.
    package let limit: Int

    package init(workspace: WorkspaceChoice, path: WorkspacePath, limit: Int) {
        self.workspace = workspace
        self.path = path
        self.limit = limit
    }
}

package struct FolderQuery: Sendable, Hashable {
    package let workspace: WorkspaceChoice
    package let directory: WorkspacePath

    package init(workspace: WorkspaceChoice, directory: WorkspacePath) {
        self.workspace = workspace
        self.directory = directory
    }
}

/// A part of a directory's entries, with what git knows of them.
package struct FileListing: Sendable, Hashable {
    package let page: DirectoryPage
    /// `nil` where git knows nothing.
    package let git: GitNames?

    package init(page: DirectoryPage, git: GitNames?) {
        self.page = page
        self.git = git
    }
}

package struct FolderWatch: Sendable, Hashable {
    package let workspaceID: String
    /// True if the folder is looked at every few seconds, because the system does not tell of its changes.
    package let isPolled: Bool

    package init(workspaceID: String, isPolled: Bool) {
        self.workspaceID = workspaceID
        self.isPolled = isPolled
    }
}

package enum FileFailure: Error, Sendable, Hashable {
    /// The disk has not answered in time, or too many such accesses wait already.
    case late
    case noWorkspaces
    case obstacle(FileObstacle, path: String)
    /// Several workspaces to choose from, by id and name.
    case several([Workspace])
    /// The content of a sensitive file, which needs the right to drive. The path is the place that is sensitive.
    case sensitive(path: String)
    /// Changes below sensitive folders are told nobody.
    case unwatchable(path: String)
    case tooManyWatches(limit: Int)
    case unknownWorkspace(id: String)
}
