/// Subscribers are told this of a repository: as much as a badge shows.
package struct GitSummary: Sendable, Hashable {
    /// `nil` where no branch is checked out.
    package let branch: String?
    package let commit: String?
    package let ahead: Int
    package let behind: Int
    package let staged: Int
    package let unstaged: Int
    package let untracked: Int
    package let conflicted: Int
    package let operation: GitOperation?
    /// At most `mostPaths` of the changed paths, each once.
    package let paths: [GitPath]
    /// Number of changed paths.
    package let changed: Int
    /// A digest of the whole list, so that a change beyond the first paths shows.
    private let digest: Int

    /// An event is for a badge; whoever wants all asks for the status.
    package static let mostPaths = 500

    package init(_ status: GitStatus, operation: GitOperation?) {
        branch = status.branch
        commit = status.commit
        ahead = status.ahead ?? 0
        behind = status.behind ?? 0
        staged = status.staged.count
        unstaged = status.unstaged.count
        untracked = status.untracked.count
        conflicted = status.conflicted.count
        self.operation = operation
        let entries = [status.staged, status.unstaged, status.untracked, status.conflicted]
        var seen: Set<GitPath> = []
        var first: [GitPath] = []
        for entry in entries.joined() where seen.insert(entry.path).inserted && first.count < Self.mostPaths {
            first.append(entry.path)
        }
        paths = first
        changed = seen.count
        digest = entries.hashValue
    }
}

/// When to look at a repository whose files changed, and what to tell. It knows no clock and no file.
package struct GitChangeWatch: Sendable {
    package enum Effect: Sendable, Hashable {
        /// Ask git for the state, and give it to `looked`.
        case look
        case tellBranch(from: String?, to: String?)
        case tellStatus(GitSummary)
        /// Call `woke` then.
        case wake(Uptime)
    }

    /// Seconds after the first of several changes: git writes several files for one command.
    package static let debounce: Double = 0.5
    /// Seconds between two looks, and so between two events.
    package static let interval: Double = 1

    private var last: GitSummary?
    private var lookedAt: Uptime?
    private var due: Uptime?
    private var isLooking = false
    private var hasChanged = false
    /// True if somebody wrote in the work tree since the last look began.
    private var isWritten = false
    /// True if the present look is told also where it finds what the last one found.
    private var isToldAnyway = false

    package init() {}

    /// Somebody wrote in the work tree. A file that had changed before may have changed again, which no list of changes
    /// shows.
    package mutating func written(at now: Uptime) -> [Effect] {
        isWritten = true
        return changed(at: now)
    }

    /// The files of the repository changed, or are watched from now on.
    package mutating func changed(at now: Uptime) -> [Effect] {
        guard !isLooking else {
            hasChanged = true
            return []
        }
        guard due == nil else { return [] }
        return [wake(at: now)]
    }

    private mutating func wake(at now: Uptime) -> Effect {
        var time = now + Self.debounce
        if let lookedAt, time < lookedAt + Self.interval { time = lookedAt + Self.interval }
        due = time
        return .wake(time)
    }

    package mutating func woke(at now: Uptime) -> [Effect] {
        guard let due, due <= now, !isLooking else { return [] }
        self.due = nil
        isLooking = true
        isToldAnyway = isWritten
        isWritten = false
        return [.look]
    }

    /// - Parameter summary: `nil` if git could not say.
    package mutating func looked(_ summary: GitSummary?, at now: Uptime) -> [Effect] {
        isLooking = false
        lookedAt = now
        var effects: [Effect] = []
        if let summary {
            // The first look is told too: it comes after the answer to whoever asked, and may be of a change since.
            if last != summary || isToldAnyway {
                if let last, last.branch != summary.branch {
                    effects.append(.tellBranch(from: last.branch, to: summary.branch))
                }
                effects.append(.tellStatus(summary))
            }
            last = summary
        }
        if hasChanged {
            hasChanged = false
            effects.append(wake(at: now))
        }
        return effects
    }
}
