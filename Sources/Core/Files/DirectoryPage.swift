/// A part of a directory's entries as the disk has them: the directories first, each kind sorted by name.
package struct DirectoryPage: Sendable, Hashable {
    package var directories: [FoundDirectory]
    package var files: [FoundFile]
    /// These count the whole directory.
    package var totalDirectories: Int
    package var totalFiles: Int
    /// True if the directory has more names than are read.
    package var isPartial: Bool

    package init(
        directories: [FoundDirectory], files: [FoundFile], totalDirectories: Int, totalFiles: Int, isPartial: Bool
    ) {
        self.directories = directories
        self.files = files
        self.totalDirectories = totalDirectories
        self.totalFiles = totalFiles
        self.isPartial = isPartial
    }
}

/// A directory in a directory, or a link to one in the workspace.
package struct FoundDirectory: Sendable, Hashable {
    package var name: String
    /// The files below it, at any depth, and their bytes; links are not followed.
    package var fileCount = 0
    package var totalSize: Int64 = 0
    /// True if there is more below it than was counted.
    package var isCountPartial = false
    package var modifiedAt: Timestamp
    package var isLink = false
    /// The place that a link leads to.
    package var target: WorkspacePath?

    package init(name: String, modifiedAt: Timestamp) {
        self.name = name
        self.modifiedAt = modifiedAt
    }
}

/// Anything else in a directory.
package struct FoundFile: Sendable, Hashable {
    package var name: String
    /// Bytes; of a link those of the file it leads to.
    package var size: Int64 = 0
    package var modifiedAt: Timestamp
    package var isBinary = false
    package var isLink = false
    /// The place that a link leads to.
    package var target: WorkspacePath?
    /// Why its content cannot be read.
    package var obstacle: FileObstacle?

    package init(name: String, modifiedAt: Timestamp) {
        self.name = name
        self.modifiedAt = modifiedAt
    }
}

/// Says what keeps a name in a workspace from being read.
package enum FileObstacle: Error, Sendable, Hashable {
    /// It is a directory, where a file was wanted.
    case directory
    /// A link on the way leads out of the workspace.
    case leaves
    /// Links lead in a circle, or to nothing.
    case leadsNowhere
    case missing
    /// It is no directory, where one was wanted.
    case notDirectory
    /// A device, a pipe or a socket.
    case special
    /// The workspace's directory is gone, or a link has taken its place.
    case workspaceMoved
    /// The system's words.
    case unreadable(String)

    /// The rest of a sentence about the path.
    package var words: String {
        switch self {
        case .directory: "it is a directory"
        case .leaves: "a link leads out of the workspace"
        case .leadsNowhere: "a link leads nowhere"
        case .missing: "there is no such file or directory, or its name is not UTF-8"
        case .notDirectory: "it is no directory"
        case .special: "it is a device, a pipe or a socket"
        case .unreadable(let reason): reason
        case .workspaceMoved: "the workspace's directory is gone, or a link has taken its place"
        }
    }
}
