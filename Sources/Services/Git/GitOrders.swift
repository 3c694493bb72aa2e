package import Core

// MARK: - Questions

package struct GitDiffQuery: Sendable, Hashable {
    /// `nil` for all paths.
    package let path: GitPath?
    package let isStaged: Bool
    /// True if the caller may see sensitive files.
    package let showsSensitive: Bool
    /// Bytes of the answer.
    package let limit: Int

    package init(path: GitPath?, isStaged: Bool, showsSensitive: Bool, limit: Int) {
        self.path = path
        self.isStaged = isStaged
        self.showsSensitive = showsSensitive
        self.limit = limit
    }
}

package struct GitLogQuery: Sendable, Hashable {
    /// A branch, tag or commit; `nil` for what is checked out.
    package let revision: String?
    /// Only commits that change it.
    package let path: GitPath?
    package let offset: Int
    package let limit: Int

    package init(revision: String? = nil, path: GitPath? = nil, offset: Int = 0, limit: Int) {
        self.revision = revision
        self.path = path
        self.offset = offset
        self.limit = limit
    }
}

package struct GitShowQuery: Sendable, Hashable {
    package let revision: String
    package let showsSensitive: Bool
    /// Bytes of the difference.
    package let limit: Int

    package init(revision: String, showsSensitive: Bool, limit: Int) {
        self.revision = revision
        self.showsSensitive = showsSensitive
        self.limit = limit
    }
}

// MARK: - Orders

package struct GitCommitOrder: Sendable, Hashable {
    package let message: String
    package let isPushed: Bool

    package init(message: String, isPushed: Bool) {
        self.message = message
        self.isPushed = isPushed
    }
}

package struct GitPushOrder: Sendable, Hashable {
    /// Overwrites the remote branch if it is as it was last seen here.
    package var isForced = false
    package var setsUpstream = false
    package var remote: String?
    package var branch: String?

    package init(isForced: Bool = false, setsUpstream: Bool = false, remote: String? = nil, branch: String? = nil) {
        self.isForced = isForced
        self.setsUpstream = setsUpstream
        self.remote = remote
        self.branch = branch
    }
}

package struct GitFetchOrder: Sendable, Hashable {
    /// `nil` for the one that git chooses.
    package let remote: String?
    /// Forgets branches that the remote does not have any more.
    package let prunes: Bool

    package init(remote: String? = nil, prunes: Bool = false) {
        self.remote = remote
        self.prunes = prunes
    }
}

package enum GitStashOrder: Sendable, Hashable {
    /// The stash with the number `index`, which must be the commit `id` where that is given.
    package struct Target: Sendable, Hashable {
        package let index: Int
        package let id: String?

        package init(index: Int, id: String? = nil) {
            self.index = index
            self.id = id
        }
    }

    case apply(Target)
    case drop(Target)
    case pop(Target)
    case push(message: String?, untracked: Bool)
}
