import Core
import Host
import TestSupport

/// A workspace with its surroundings on a real disk, in which a canary lies that nobody may read.
final class WorkspaceStage: Sendable {
    static let canary = "canary: outside"

    let directory: TemporaryDirectory
    var root: String { directory("work") }

    init(_ script: String = ":") throws {
        directory = try TemporaryDirectory()
        run("mkdir work out && echo '\(Self.canary)' | tee out/f > out/secret")
        run("cd work && { \(script); }")
    }

    func run(_ script: String) { _ = shell("cd '\(directory.path)' && { \(script); } 2>&1") }

    func names(_ path: String = "", _ disk: WorkspaceTree = WorkspaceTree()) throws -> [String] {
        let page = try page(path, disk)
        return page.directories.map { $0.name + "/" } + page.files.map(\.name)
    }

    func page(
        _ path: String = "", _ disk: WorkspaceTree = WorkspaceTree(), offset: Int = 0, limit: Int = 500
    ) throws -> DirectoryPage {
        let page = try disk.page(of: WorkspacePath(path), in: root, offset: offset, limit: limit) { _ in true }
        return page ?? DirectoryPage(directories: [], files: [], totalDirectories: 0, totalFiles: 0, isPartial: true)
    }

    func text(_ path: String, _ disk: WorkspaceTree = WorkspaceTree()) throws -> String? {
        let content = try disk.content(of: WorkspacePath(path), in: root, limit: 1000) { _ in true }
        return content.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
}
