import Core
import Platform

/// Finds what is shown of the entries of one directory.
struct EntryFacts {
    /// Milliseconds for looking into the files of a page; the rest count as binary by their names.
    private static let probeTime: Int64 = 200

    private let path: WorkspacePath
    private let place: OpenPlace
    private let root: WorkspaceRoot
    private let end = SystemTime.awake + probeTime

    init(of path: WorkspacePath, at place: OpenPlace, in root: WorkspaceRoot) {
        self.path = path
        self.place = place
        self.root = root
    }

    func directories(_ names: some Collection<String>) -> [FoundDirectory] {
        var counter = BelowCount(in: root)
        return names.enumerated().map { index, name in
            let status = place.status(of: name)
            var found = FoundDirectory(name: name, modifiedAt: status?.modifiedAt ?? Self.unknown)
            found.isLink = status?.kind == .link
            if found.isLink {
                found.target = try? root.path(of: root.opening(path.appending(name)))
            } else {
                counter.count(path.appending(name), amongst: names.count - index, into: &found)
            }
            return found
        }
    }

    func files(_ names: some Sequence<String>) -> [FoundFile] { names.map(file) }

    private func file(_ name: String) -> FoundFile {
        guard let status = place.status(of: name) else {
            // It was removed meanwhile, or the name is not UTF-8.
            var found = FoundFile(name: name, modifiedAt: Self.unknown)
            found.obstacle = .missing
            return found
        }
        var found = FoundFile(name: name, modifiedAt: status.modifiedAt)
        do throws(FileObstacle) {
            switch status.kind {
            case .file:
                // Something else may have taken the name since.
                let held = try place.opening(name)
                try fill(&found, try held.status(), from: held)
            case .link:
                found.isLink = true
                let end = try root.opening(path.appending(name))
                found.target = try root.path(of: end)
                try fill(&found, try end.status(), from: end)
            case .special: throw .special
            // A directory has taken the file's place.
            case .directory: throw .directory
            }
        } catch {
            found.obstacle = found.isLink && error == .missing ? .leadsNowhere : error
        }
        return found
    }

    private func fill(
        _ found: inout FoundFile, _ status: FileStatus, from place: OpenPlace
    ) throws(FileObstacle) {
        guard status.kind == .file else { throw status.kind == .directory ? .directory : .special }
        found.size = status.size
        found.isBinary =
            SystemTime.awake < end
            ? try place.contents(size: FileContent.probe).contains(0) : BinaryNames.holds(found.name)
    }

    private static let unknown = Timestamp(milliseconds: 0)
}

/// Extensions of files that hold no text.
private enum BinaryNames {
    private static let extensions: Set<String> = [
        "7z", "a", "avif", "bin", "bmp", "bz2", "class", "db", "dll", "dylib", "eot", "exe", "gif", "gz", "ico", "jar",
        "jpeg", "jpg", "mov", "mp3", "mp4", "o", "ogg", "otf", "pdf", "png", "pyc", "so", "sqlite", "tar", "tgz",
        "ttf", "wasm", "wav", "webm", "webp", "woff", "woff2", "xz", "zip", "zst",
    ]

    static func holds(_ name: String) -> Bool {
        extensions.contains(WorkspacePath.fileExtension(of: name).lowercased())
    }
}
