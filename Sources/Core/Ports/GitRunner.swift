/// Runs git.
package protocol GitRunner: Sendable {
    func run(_ invocation: GitInvocation) async throws(GitRunFailure) -> GitOutput
}

/// Looks at files of a repository that git has no command for.
package protocol GitFiles: Sendable {
    /// The operation that the repository is in the middle of.
    /// - Parameter directory: git's directory of the work tree.
    func operation(in directory: String) async -> GitOperation?
    /// A file below a directory; symbolic links are not followed, nor one in the place of the directory.
    func file(_ path: GitPath, below directory: String, limit: Int) async -> GitFileContent?
}

/// An operation that waits for conflicts to be resolved, or to be ended.
package enum GitOperation: String, Sendable, Hashable, CaseIterable {
    case bisect
    case cherryPick = "cherry-pick"
    case merge
    case rebase
    case revert
}

/// A file of a work tree.
package struct GitFileContent: Sendable, Hashable {
    package let bytes: [UInt8]
    /// True if the file is longer.
    package let isCut: Bool
    package let isExecutable: Bool
    /// True if `bytes` are the target of a symbolic link.
    package let isLink: Bool

    package init(bytes: [UInt8], isCut: Bool = false, isExecutable: Bool = false, isLink: Bool = false) {
        self.bytes = bytes
        self.isCut = isCut
        self.isExecutable = isExecutable
        self.isLink = isLink
    }
}
