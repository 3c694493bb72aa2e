/// Texts of git's, in English, and what they mean.
struct GitComplaint {
    let kind: GitProblem.Kind
    let texts: [String]
    let message: String
    /// True if git's own line follows, for the names in it.
    var isQuoting = true
    /// True if other programs may write the same, so that only git's own lines count.
    var isCommon = false

    private init(
        _ kind: GitProblem.Kind, _ texts: [String], _ message: String, isQuoting: Bool = true, isCommon: Bool = false
    ) {
        self.kind = kind
        self.texts = texts
        self.message = message
        self.isQuoting = isQuoting
        self.isCommon = isCommon
    }

    /// The first that applies counts, so the more special ones come first.
    static let all: [GitComplaint] = [
        GitComplaint(
            .notARepository, ["not a git repository"],
            "the workspace is not in a git repository: nothing can be shown or committed there; run git init in it",
            isQuoting: false),
        GitComplaint(
            .owner, ["dubious ownership", "is owned by someone else"],
            "the repository belongs to another user, so git does not use it; if you trust it, run "
                + "git config --global --add safe.directory with its path at this machine"),
        GitComplaint(
            .bare, ["must be run in a work tree", "cannot use bare repository"],
            "the workspace is a repository without files, or the inside of one; add the directory with its files"),
        GitComplaint(
            .identity, ["Please tell me who you are", "auto-detect email address", "empty ident name"],
            "git does not know whose name a commit gets; run git config --global user.name and user.email at this "
                + "machine", isQuoting: false),
        GitComplaint(
            .locked, [".lock': File exists", "Another git process seems to be running", "cannot lock ref"],
            "another git process works in this repository, or one crashed and left its lock; try again, and if none "
                + "runs, delete the lock file"),
        GitComplaint(
            .authentication,
            [
                "could not read Username", "could not read Password", "terminal prompts disabled",
                "Authentication failed", "Permission denied (", "Host key verification failed", "HTTP 401",
                "requested URL returned error: 401", "requested URL returned error: 403",
                "unable to read askpass",
            ],
            "the other machine wants a password or a key, and from here nobody can be asked for one; set up a "
                + "credential helper or an ssh agent at this machine"),
        GitComplaint(
            .network,
            [
                "Could not resolve host", "Connection refused", "Connection timed out", "Network is unreachable",
                "Couldn't connect to server", "Failed to connect", "No route to host",
            ],
            "the other machine cannot be reached; look at the network and at git remote -v, then try again"),
        GitComplaint(
            .rejected, ["(stale info)", "stale info"],
            "the remote branch has commits that were never fetched here, so it was not overwritten; fetch, look at "
                + "them, and push again", isQuoting: false),
        GitComplaint(
            .rejected, ["(non-fast-forward)", "(fetch first)", "tip of your current branch is behind"],
            "the remote branch has commits that are not here, so it took nothing; pull first, or push with force",
            isQuoting: false),
        GitComplaint(
            .rejected, ["[remote rejected]"],
            "the other machine refused the push; its words are in \"output\"", isQuoting: false),
        GitComplaint(
            .noUpstream, ["has no upstream branch", "There is no tracking information", "no such ref was fetched"],
            "the branch has no upstream: git does not know with which remote branch it belongs; push with "
                + "\"set_upstream\": true", isQuoting: false),
        GitComplaint(
            .noRemote, ["No configured push destination", "does not appear to be a git repository", "No such remote"],
            "there is no such remote, or nothing is at its address; look at git remote -v at this machine"),
        GitComplaint(
            .diverged,
            ["divergent branches", "Not possible to fast-forward", "Need to specify how to reconcile"],
            "both the branch here and the remote one have new commits; say how to join them: \"rebase\": true or false",
            isQuoting: false),
        GitComplaint(
            .overwrites,
            ["would be overwritten by", "cannot pull with rebase", "cannot rebase: You have", "would be removed by"],
            "You have unstaged changes or files here that would be lost, so nothing was done; commit, stash or discard "
                + "them first", isQuoting: false),
        GitComplaint(
            .unfinished,
            [
                "you have unmerged files", "You have not concluded your merge", "resolve your current index first",
                "while merging", "while rebasing", "while cherry-picking", "in the middle of", "needs merge",
                "is unmerged", "unresolved conflict",
            ],
            "a merge or rebase with conflicts is not finished; resolve the conflicts and stage their files, or abort it"
        ),
        GitComplaint(
            .nothingToDo,
            ["nothing to commit", "nothing added to commit", "no changes added to commit"],
            "nothing is staged, so there is nothing to commit; stage files first", isQuoting: false),
        GitComplaint(
            .unborn, ["does not have any commits yet", "src refspec", "You do not have the initial commit yet"],
            "there is no commit yet to do this with; make the first one"),
        GitComplaint(
            .notMerged, ["is not fully merged"],
            "the branch has commits that are nowhere else, which would be lost; delete it with \"force\": true if they "
                + "are not needed", isQuoting: false),
        GitComplaint(
            .overwrites,
            ["Cannot delete branch", "cannot delete branch", "used by worktree", "already checked out at"],
            "the branch is checked out; check out another one there first"),
        GitComplaint(
            .branchExists, ["already exists"], "there is one of that name already; choose another name", isCommon: true),
        GitComplaint(
            .ignored, ["paths are ignored by one of your .gitignore"],
            "a path is ignored by .gitignore, so it was not staged; change .gitignore first", isQuoting: false),
        GitComplaint(
            .unknownName,
            [
                "did not match any file", "not a valid branch name", "invalid reference", "unknown revision",
                "is not a valid reference", "not found", "not a commit", "is not a stash reference",
                "no branch named", "log for 'stash' only has", "log for 'refs/stash' only has",
            ],
            "there is nothing of that name; ask for the list again", isCommon: true),
        GitComplaint(
            .disk, ["No space left on device", "Read-only file system", "Permission denied", "Disk quota exceeded"],
            "the disk is full, or these files may not be written; nothing more can be done from here", isCommon: true),
        GitComplaint(
            .hook, ["failed to push some refs"],
            "a hook here or the other machine refused the push; the words are in \"output\"", isQuoting: false),
    ]
}
