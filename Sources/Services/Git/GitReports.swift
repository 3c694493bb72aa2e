package import Core

package struct GitStatusReport: Sendable, Hashable {
    package let status: GitStatus
    package let operation: GitOperation?
    package let root: String

    package init(status: GitStatus, operation: GitOperation?, root: String) {
        self.status = status
        self.operation = operation
        self.root = root
    }

    /// The name of the repository's directory.
    package var name: String { root.split(separator: "/").last.map(String.init) ?? root }
}

/// A difference, without the parts that the caller may not see.
package struct GitDiffReport: Sendable, Hashable {
    package let patch: [UInt8]
    /// True if it goes on.
    package let isCut: Bool
    /// True if all files in it are new.
    package let isNew: Bool
    /// The files that were left out because they are sensitive.
    package let hidden: [GitPath]

    package init(patch: [UInt8], isCut: Bool, isNew: Bool, hidden: [GitPath]) {
        self.patch = patch
        self.isCut = isCut
        self.isNew = isNew
        self.hidden = hidden
    }
}

package struct GitBranchReport: Sendable, Hashable {
    /// `nil` where no branch is checked out.
    package let current: String?
    package let branches: [GitBranch]
    package let ahead: Int
    package let behind: Int

    package init(current: String?, branches: [GitBranch], ahead: Int = 0, behind: Int = 0) {
        self.current = current
        self.branches = branches
        self.ahead = ahead
        self.behind = behind
    }

    package var upstream: String? { branches.first { $0.isCurrent }?.upstream }
}

package struct GitLogPage: Sendable, Hashable {
    package let commits: [GitCommit]
    package let hasMore: Bool

    package init(commits: [GitCommit], hasMore: Bool) {
        self.commits = commits
        self.hasMore = hasMore
    }
}

package struct GitCommitReport: Sendable, Hashable {
    package let commit: GitCommit
    package let files: [GitChangedFile]
    package let diff: GitDiffReport

    package init(commit: GitCommit, files: [GitChangedFile], diff: GitDiffReport) {
        self.commit = commit
        self.files = files
        self.diff = diff
    }
}

package struct GitDone: Sendable, Hashable {
    package let message: String
    package let output: String

    package init(message: String, output: String = "") {
        self.message = message
        self.output = output
    }
}

package struct GitDiscarded: Sendable, Hashable {
    /// Tracked files that are as they were staged or committed.
    package let restored: [GitPath]
    /// Untracked files that are gone.
    package let deleted: [GitPath]

    package init(restored: [GitPath], deleted: [GitPath]) {
        self.restored = restored
        self.deleted = deleted
    }
}

package struct GitCommitted: Sendable, Hashable {
    package let id: String
    package let files: Int
    /// What the hooks wrote.
    package let output: String
    /// `nil` if no push was wanted.
    package let push: Result<GitPushed, GitFailure>?

    package init(id: String, files: Int, output: String = "", push: Result<GitPushed, GitFailure>? = nil) {
        self.id = id
        self.files = files
        self.output = output
        self.push = push
    }
}

package struct GitPushed: Sendable, Hashable {
    /// `origin/main`
    package let target: String
    package let commits: Int
    /// True if the remote had everything already.
    package let isUpToDate: Bool
    package let output: String

    package init(target: String, commits: Int, isUpToDate: Bool = false, output: String = "") {
        self.target = target
        self.commits = commits
        self.isUpToDate = isUpToDate
        self.output = output
    }
}

package struct GitPulled: Sendable, Hashable {
    package let source: String
    package let isUpToDate: Bool
    package let output: String

    package init(source: String, isUpToDate: Bool, output: String = "") {
        self.source = source
        self.isUpToDate = isUpToDate
        self.output = output
    }
}

package struct GitCheckedOut: Sendable, Hashable {
    package let branch: String
    package let isNew: Bool
    package let output: String

    package init(branch: String, isNew: Bool, output: String = "") {
        self.branch = branch
        self.isNew = isNew
        self.output = output
    }
}
