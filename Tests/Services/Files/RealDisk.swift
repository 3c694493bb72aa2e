import Core
import Host
import Platform
import Services
import TestSupport

/// The machine's disk, as the daemon fills the port.
struct RealDisk: WorkspaceDisk {
    private let directories = WorkspaceTree()

    func page(
        of directory: WorkspacePath, in root: String, offset: Int, limit: Int, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> DirectoryPage? {
        try directories.page(of: directory, in: root, offset: offset, limit: limit, admits: admits)
    }

    func content(
        of file: WorkspacePath, in root: String, limit: Int, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> FileContent? {
        try directories.content(of: file, in: root, limit: limit, admits: admits)
    }

    func snapshot(
        of directory: WorkspacePath, in root: String, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> FolderSnapshot? {
        try directories.snapshot(of: directory, in: root, admits: admits)
    }
}

/// A disk that answers when the test says so.
final class HungDisk: WorkspaceDisk {
    private let lock = Lock()
    private let answered = Condition()
    private let mayAnswer = Locked(false)
    private let asked = Events<Void>()

    func isAsked() async { try? await asked.next() }

    func answer() {
        lock.withLock {
            mayAnswer.withLock { $0 = true }
            answered.signal()
        }
    }

    private func hang() throws(FileObstacle) {
        asked.add(())
        lock.withLock {
            while !mayAnswer.withLock({ $0 }) { answered.wait(lock) }
        }
        throw .missing
    }

    func page(
        of directory: WorkspacePath, in root: String, offset: Int, limit: Int, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> DirectoryPage? {
        try hang()
        return nil
    }

    func content(
        of file: WorkspacePath, in root: String, limit: Int, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> FileContent? {
        try hang()
        return nil
    }

    func snapshot(
        of directory: WorkspacePath, in root: String, admits: (WorkspacePath) -> Bool
    ) throws(FileObstacle) -> FolderSnapshot? {
        try hang()
        return nil
    }
}
