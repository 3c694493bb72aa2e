import Core
import Platform

/// Counts the files below directories, as far as a number of entries and a time allow.
struct BelowCount {
    /// Entries and milliseconds for all directories of one page.
    static let mostEntries = 20_000
    static let mostTime: Int64 = 100

    private let root: WorkspaceRoot
    private let end: Int64
    private var entriesLeft: Int

    init(in root: WorkspaceRoot, entries: Int = mostEntries, milliseconds: Int64 = mostTime) {
        self.root = root
        entriesLeft = entries
        end = SystemTime.awake + milliseconds
    }

    /// - Parameter directories: How many are still to be counted, this one too: each gets its share of the entries.
    mutating func count(_ path: WorkspacePath, amongst directories: Int, into found: inout FoundDirectory) {
        var share = entriesLeft / max(1, directories)
        let given = share
        var waiting = [path]
        while let next = waiting.popLast(), !found.isCountPartial {
            guard let place = try? root.opening(next) else { continue }
            do throws(FileObstacle) {
                try place.eachName { name, _ in
                    guard share > 0, SystemTime.awake < end else {
                        found.isCountPartial = true
                        return false
                    }
                    share -= 1
                    guard let status = place.status(of: name) else { return true }
                    if status.kind == .directory {
                        waiting.append(next.appending(name))
                    } else {
                        found.fileCount += 1
                        found.totalSize.addClamped(status.kind == .file ? status.size : 0)
                    }
                    return true
                }
            } catch {
                found.isCountPartial = true
            }
        }
        entriesLeft -= given - share
    }
}
