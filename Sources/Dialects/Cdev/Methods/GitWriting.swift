import Core
import OrderedJSON
import Services
import Wire

extension GitMethods {
    var writing: [Method] { files + commits + exchange + branchChanges + stashChanges + repositories }

    // MARK: Files

    private var files: [Method] {
        let paths = Field<[GitPath]>.gitPaths(
            "relative to the workspace, as in git/status; a directory stands for all in it")
        return Self.named("stage") { name in
            write(name, "Stages files, deleted ones too.", paths, ["staged": .list(.string)]) {
                paths, workspace async throws(GitFailure) in
                try await git.stage(paths, in: workspace)
                return ["staged": .paths(paths)]
            }
        }
            + Self.named("unstage") { name in
                write(
                    name, "Takes files out of the next commit; they stay as they are.", paths,
                    ["unstaged": .list(.string)]
                ) {
                    paths, workspace async throws(GitFailure) in
                    try await git.unstage(paths, in: workspace)
                    return ["unstaged": .paths(paths)]
                }
            }
            + Self.named("discard") { name in
                write(
                    name,
                    "**Cannot be undone.** Tracked files become as they are staged, or as the last commit has them. An "
                        + "untracked file is deleted if it is named itself, never because of its directory.", paths,
                    [
                        "discarded": .list(.string).meaning("all of them"),
                        "deleted": .list(.string).meaning("those that were untracked"),
                    ]
                ) { paths, workspace async throws(GitFailure) in
                    let done = try await git.discard(paths, in: workspace)
                    return ["discarded": .paths(done.restored + done.deleted), "deleted": .paths(done.deleted)]
                }
            }
    }

    // MARK: Commits

    private var commits: [Method] {
        Self.named("commit") { name in
            Method(
                name, right: .drive, scheduling: .beside,
                summary: "Commits what is staged. The repository's hooks run, as at the terminal.",
                parameters: .required("message", "the whole message"),
                .boolean("push", default: false, "push afterwards; a push that fails leaves the commit"),
                Self.workspace,
                result: .gitOutcome([
                    "sha": .string, "message": .string, "files_committed": .count, "pushed": .boolean,
                    "output": .string.meaning("what git and the hooks wrote"),
                    "error": .string.optional.meaning("why the commit was not pushed"),
                ])
            ) { _, message, isPushed, workspace async throws(JSONRPCError) in
                try await answer { () async throws(GitFailure) in
                    let order = GitCommitOrder(message: message, isPushed: isPushed)
                    return GitBody.committed(try await git.commit(order, in: workspace))
                }
            }
        }
    }

    // MARK: Other machines

    private var exchange: [Method] { push + pull + fetch }

    private var push: [Method] {
        Self.named("push") { name in
            Method(
                name, right: .drive, scheduling: .beside,
                summary: "Pushes commits. The repository's hooks run; nobody is asked for a password.",
                parameters: .string("branch", "a branch of this repository; without it what is checked out"),
                .boolean(
                    "force", default: false,
                    "overwrite the remote branch, if it is as it was last fetched (`--force-with-lease`)"),
                .string("remote", "a name as in `git remote`"),
                .boolean("set_upstream", default: false, "remember the remote branch as the upstream"), Self.workspace,
                result: .gitOutcome(["message": .string, "commits_pushed": .count, "output": .string])
            ) { _, branch, isForced, remote, setsUpstream, workspace async throws(JSONRPCError) in
                try await answer { () async throws(GitFailure) in
                    let order = GitPushOrder(
                        isForced: isForced, setsUpstream: setsUpstream, remote: remote, branch: branch)
                    let pushed = try await git.push(order, in: workspace)
                    return [
                        "message": .string(pushed.message), "commits_pushed": .count(pushed.commits),
                        "output": .string(GitBody.cut(pushed.output)),
                    ]
                }
            }
        }
    }

    private var pull: [Method] {
        Self.named("pull") { name in
            write(
                name,
                "Fetches, and merges or rebases. With conflicts `success` is false, and the files wait for them to be "
                    + "resolved.",
                .optionalBoolean("rebase", "true: rebase, false: merge; without it as git's settings say"),
                ["message": .string, "output": .string]
            ) { rebase, workspace async throws(GitFailure) in
                let pulled = try await git.pull(rebase: rebase, in: workspace)
                return [
                    "message": .string(pulled.isUpToDate ? "Already up to date" : "Pulled from \(pulled.source)"),
                    "output": .string(GitBody.cut(pulled.output)),
                ]
            }
        }
    }

    private var fetch: [Method] {
        Self.named("fetch") { name in
            Method(
                name, right: .drive, scheduling: .beside, summary: "Fetches the commits of a remote; no file changes.",
                parameters: .boolean("prune", default: false, "forget branches that the remote has no more"),
                .string("remote", "a name as in `git remote`"), Self.workspace,
                result: .gitOutcome(["message": .string, "output": .string])
            ) { _, prunes, remote, workspace async throws(JSONRPCError) in
                try await answer { () async throws(GitFailure) in
                    try await git.fetch(GitFetchOrder(remote: remote, prunes: prunes), in: workspace).body
                }
            }
        }
    }

    // MARK: Branches

    private var branchChanges: [Method] {
        Self.named("checkout") { name in
            Method(
                name, right: .drive, scheduling: .beside,
                summary: "Checks out a branch. A remote's branch is checked out as the one here that follows it.",
                parameters: .required("branch", "its name, as in git/branches"),
                .boolean("create", default: false, "make it, from what is checked out"), Self.workspace,
                result: .gitOutcome(["branch": .string, "message": .string, "output": .string])
            ) { _, branch, create, workspace async throws(JSONRPCError) in
                try await answer { () async throws(GitFailure) in
                    let done = try await git.checkout(branch: branch, create: create, in: workspace)
                    return [
                        "branch": .string(done.branch),
                        "message": .string("Switched to \(done.isNew ? "a new " : "")branch '\(done.branch)'"),
                        "output": .string(GitBody.cut(done.output)),
                    ]
                }
            }
        }
            + Self.named("branch/delete") { name in
                Method(
                    name, right: .drive, scheduling: .beside, summary: "Deletes a branch of this repository.",
                    parameters: .required("branch", "its name"),
                    .boolean("force", default: false, "though it has commits that are nowhere else"), Self.workspace,
                    result: .gitOutcome(["message": .string, "output": .string])
                ) { _, branch, isForced, workspace async throws(JSONRPCError) in
                    try await answer { () async throws(GitFailure) in
                        try await git.deleteBranch(branch, force: isForced, in: workspace).body
                    }
                }
            }
    }

    // MARK: Stashes

    private var stashChanges: [Method] {
        let put = Self.named("stash/push") { name in
            Method(
                name, right: .drive, scheduling: .beside, summary: "Puts the changes aside.",
                parameters: .boolean("include_untracked", default: false, "untracked files too"),
                .string("message", "a name for it"), Self.workspace,
                result: .gitOutcome(["message": .string, "output": .string])
            ) { _, untracked, message, workspace async throws(JSONRPCError) in
                try await answer { () async throws(GitFailure) in
                    try await git.stash(.push(message: message, untracked: untracked), in: workspace).body
                }
            }
        }
        return put + take("stash/apply", "Applies a stash, and keeps it.", GitStashOrder.apply)
            + take("stash/drop", "**Cannot be undone.** Deletes a stash.", GitStashOrder.drop)
            + take("stash/pop", "Applies a stash, and deletes it if there were no conflicts.", GitStashOrder.pop)
    }

    private func take(
        _ name: String, _ summary: String, _ order: @escaping @Sendable (GitStashOrder.Target) -> GitStashOrder
    ) -> [Method] {
        Self.named(name) { name in
            Method(
                name, right: .drive, scheduling: .beside, summary: summary,
                parameters: .integer("index", in: 0...10_000, default: 0, "as in git/stash/list"),
                .string("sha", "its `sha`: nothing is done if the index means another one by now"), Self.workspace,
                result: .gitOutcome(["message": .string, "output": .string])
            ) { _, index, id, workspace async throws(JSONRPCError) in
                try await answer { () async throws(GitFailure) in
                    try await git.stash(order(GitStashOrder.Target(index: index, id: id)), in: workspace).body
                }
            }
        }
    }

    // MARK: Repositories

    private var repositories: [Method] {
        Self.named("merge/abort") { name in
            Method(
                name, right: .drive, scheduling: .beside,
                summary: "Ends a merge, rebase, cherry-pick or revert, and restores what was before it.",
                parameters: Self.workspace,
                result: .gitOutcome(["message": .string, "operation": .choice(GitOperation.allCases.map(\.rawValue))])
            ) { _, workspace async throws(JSONRPCError) in
                try await answer { () async throws(GitFailure) in
                    let ended = try await git.abort(in: workspace).rawValue
                    return ["message": .string("Ended the \(ended)"), "operation": .string(ended)]
                }
            }
        }
            + Self.named("init") { name in
                write(
                    name, "Makes a repository in the workspace's directory.",
                    .string("branch", "the name of its first branch"), ["message": .string, "output": .string]
                ) { branch, workspace async throws(GitFailure) in
                    try await git.initialize(branch: branch, in: workspace).body
                }
            }
    }

    // MARK: Answers

    /// A method with one parameter beside the workspace.
    private func write<Value: Sendable>(
        _ name: String, _ summary: String, _ field: Field<Value>, _ result: KeyValuePairs<String, Schema>,
        _ body: @escaping @Sendable (Value, String) async throws(GitFailure) -> JSONObject
    ) -> Method {
        let schema = Schema.gitOutcome(result)
        return Method(
            name, right: .drive, scheduling: .beside, summary: summary, parameters: field, Self.workspace,
            result: schema
        ) { _, value, workspace async throws(JSONRPCError) in
            try await answer { () async throws(GitFailure) in try await body(value, workspace) }
        }
    }

    /// `"success": true` and the members, or the form of a failure.
    private func answer(_ body: () async throws(GitFailure) -> JSONObject) async throws(JSONRPCError) -> JSON {
        do throws(GitFailure) {
            let members = try await body()
            return .object(JSONObject([("success", true)] + members.map { ($0.key, $0.value) }))
        } catch {
            guard let failed = GitBody.failed(error) else { throw error.rpcError }
            return failed
        }
    }
}

extension GitDone {
    fileprivate var body: JSONObject { ["message": .string(message), "output": .string(GitBody.cut(output))] }
}

extension GitPushed {
    var message: String { isUpToDate ? "Everything up-to-date" : "Pushed to \(target)" }
}

extension JSON {
    static func paths(_ paths: [GitPath]) -> JSON { .array(paths.map { .string($0.text) }) }
}
