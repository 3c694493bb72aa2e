/// A failure that git reported, in words for people.
package struct GitProblem: Error, Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The other machine wants a password or key, and nobody can be asked.
        case authentication
        case branchExists = "branch_exists"
        /// The working directory belongs to a repository without files.
        case bare
        case conflict
        /// The local and the remote branch both went on.
        case diverged
        case hook
        case identity
        case ignored
        /// Another git process is at work, or one crashed.
        case locked
        case network
        case noRemote = "no_remote"
        case noUpstream = "no_upstream"
        case notARepository = "not_a_repository"
        /// A branch has commits that no other has.
        case notMerged = "not_merged"
        case nothingToDo = "nothing_to_do"
        case other
        /// A file of this machine is in the way: it has changes that would be lost.
        case overwrites
        case owner
        /// The disk is full, or may not be written.
        case disk
        case rejected
        case unborn
        case unknownName = "unknown_name"
        /// A merge or rebase has to be ended first.
        case unfinished
    }

    package let kind: Kind
    /// Says what happened, what it means and what to do.
    package let message: String
    /// Holds what git and the repository's hooks wrote.
    package var output: String = ""
    package var conflicted: [GitPath] = []

    package init(_ kind: Kind, _ message: String, output: String = "", conflicted: [GitPath] = []) {
        self.kind = kind
        self.message = message
        self.output = output
        self.conflicted = conflicted
    }

    /// The problem behind an exit status other than 0.
    package init(_ output: GitOutput) {
        let text = GitText.plain(output.errors + output.output)
        let own = GitText.ownLines(of: text)
        let known = GitComplaint.all.first { complaint in
            let place = complaint.isCommon ? own : text
            return complaint.texts.contains { place.holds($0) }
        }
        let line = GitText.complaint(in: text)
        guard let known else {
            self.init(.other, line.isEmpty ? "git ended with status \(output.status)" : line, output: text)
            return
        }
        let detail = known.isQuoting && !line.isEmpty ? " (git: \(line))" : ""
        self.init(known.kind, known.message + detail, output: text)
    }

    /// True if git itself complained, and not only a program that it ran.
    package var isGitsOwn: Bool { !GitText.ownLines(of: output).isEmpty }
}
