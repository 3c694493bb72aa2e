package import Core
import Platform

/// Reads files of workspaces on threads of their own, so that a disk that hangs delays only those who ask for it.
package final class WorkspaceFiles: FileService {
    /// Seconds for the disk. What is bounded below takes less where it answers.
    private static let patience = 8.0
    /// Seconds for git, without which a listing says less.
    private static let gitPatience = 2.0

    private let workspaces: any WorkspaceFinder & WorkspaceLister
    private let disk: any WorkspaceDisk
    private let git: any GitRunner
    private let clock: any TimeSource
    private let waits = DiskWaits(patience: WorkspaceFiles.patience, givesWay: true)
    private let watches: FolderWatches

    package init(
        workspaces: any WorkspaceFinder & WorkspaceLister, disk: any WorkspaceDisk, git: any GitRunner,
        watches: FolderWatches, clock: any TimeSource
    ) {
        self.workspaces = workspaces
        self.disk = disk
        self.git = git
        self.watches = watches
        self.clock = clock
    }

    package func list(_ query: FileListQuery, by caller: Caller) async throws(FileFailure) -> FileListing {
        let root = try await workspace(query.workspace).path
        let page = try await read(root, query.directory, by: caller) { [disk] admits throws(FileObstacle) in
            try disk.page(
                of: query.directory, in: root, offset: query.offset, limit: query.limit, admits: admits)
        }
        return FileListing(page: page, git: await gitNames(of: page, in: query.directory, root))
    }

    /// nil where there is no repository, or git does not answer in time.
    private func gitNames(of page: DirectoryPage, in directory: WorkspacePath, _ root: String) async -> GitNames? {
        let names = page.directories.map(\.name) + page.files.map(\.name)
        guard !names.isEmpty else { return nil }
        return await clock.value(within: Self.gitPatience, else: nil) { [git] in
            try? await GitRepository.find(root, git).names(names, in: directory)
        }
    }

    package func content(_ query: FileQuery, by caller: Caller) async throws(FileFailure) -> FileContent {
        let root = try await workspace(query.workspace).path
        return try await read(root, query.path, by: caller) { [disk] admits throws(FileObstacle) in
            try disk.content(of: query.path, in: root, limit: query.limit, admits: admits)
        }
    }

    package func watch(
        _ folder: FolderQuery, seconds: Int, by client: String, of owner: String?
    ) async throws(FileFailure) -> FolderWatch {
        let workspace = try await workspace(folder.workspace)
        let place = WatchedFolder(workspaceID: workspace.id, root: workspace.path, directory: folder.directory)
        let isPolled = try await watches.begin(place, seconds: seconds, by: client, of: owner)
        // The end of a workspace ends the looks that have begun, and this one may have begun behind it.
        guard await workspaces.workspace(workspace.id) != nil else {
            _ = watches.end(place, by: client)
            throw .unknownWorkspace(id: workspace.id)
        }
        return FolderWatch(workspaceID: workspace.id, isPolled: isPolled)
    }

    package func unwatch(_ folder: FolderQuery, by client: String) async throws(FileFailure) -> Bool {
        let workspace = try await workspace(folder.workspace)
        return watches.end(
            WatchedFolder(workspaceID: workspace.id, root: workspace.path, directory: folder.directory), by: client)
    }

    private func workspace(_ choice: WorkspaceChoice) async throws(FileFailure) -> Workspace {
        switch choice {
        case .id(let id):
            guard let found = await workspaces.workspace(id) else { throw .unknownWorkspace(id: id) }
            return found
        case .only:
            let all = await workspaces.workspaces()
            guard let first = all.first else { throw .noWorkspaces }
            guard all.count == 1 else { throw .several(all) }
            return first
        }
    }

    private typealias Reading<Value> =
        @Sendable (_ admits: (WorkspacePath) -> Bool) throws(FileObstacle) -> Value?

    /// Reads beside the loop. Both the path and the place it leads to must not be sensitive, unless the caller may drive.
    private func read<Value: Sendable>(
        _ root: String, _ path: WorkspacePath, by caller: Caller, _ body: @escaping Reading<Value>
    ) async throws(FileFailure) -> Value {
        let mayAll = caller.may(.drive)
        if path.isSensitive, !mayAll { throw .sensitive(path: path.text) }
        let outcome = await waits.run(root: root, clock: clock) { () -> Result<Value, FileFailure> in
            var refused: WorkspacePath?
            do throws(FileObstacle) {
                let value = try body { place in
                    let isAdmitted = mayAll || !place.isSensitive
                    if !isAdmitted { refused = place }
                    return isAdmitted
                }
                guard let value else { return .failure(.sensitive(path: (refused ?? path).text)) }
                return .success(value)
            } catch {
                return .failure(.obstacle(error, path: path.text))
            }
        }
        guard let outcome else { throw .late }
        return try outcome.get()
    }
}

/// All workspaces, to choose from.
package protocol WorkspaceLister: Sendable {
    func workspaces() async -> [Workspace]
}
