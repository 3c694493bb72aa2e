import Core
import OrderedJSON
import Services
import Wire

extension GitMethods {
    var reading: [Method] { status + diff + branches + log + show + stashes }

    private var status: [Method] {
        Self.named("status", "get_status") { name in
            Method(
                name, right: .read, scheduling: .beside, takesTurns: true,
                summary: "The branch, and the files that are staged, changed, untracked or in conflict.",
                parameters: Self.workspace, result: .gitStatus
            ) { call, workspace async throws(JSONRPCError) in
                try await read { () async throws(GitFailure) in
                    let report = try await git.status(in: workspace)
                    noteInterest(workspace)
                    return GitBody.status(report, ceiling: call.room)
                }
            }
        }
    }

    private var diff: [Method] {
        Self.named("diff") { name in
            Method(
                name, right: .read, scheduling: .beside, takesTurns: true,
                summary:
                    "The difference of a file, or of all. Sensitive files are left out without the right to drive.",
                parameters: .gitPath("a file or directory, relative to the workspace; without it all"),
                .boolean("staged", default: false, "between the last commit and what is staged"), Self.workspace,
                result: .gitDiff
            ) { call, path, isStaged, workspace async throws(JSONRPCError) in
                try await read { () async throws(GitFailure) in
                    let query = GitDiffQuery(
                        path: path, isStaged: isStaged, showsSensitive: call.caller.may(.drive), limit: call.room)
                    var body = GitBody.diff(try await git.diff(query, in: workspace), ceiling: call.room)
                    body["path"] = .string(path?.text ?? "")
                    body["is_staged"] = .bool(isStaged)
                    return .object(body)
                }
            }
        }
    }

    private var branches: [Method] {
        Self.named("branches") { name in
            Method(
                name, right: .read, scheduling: .beside, takesTurns: true,
                summary: "The branches of the repository, and those of its remotes as they were fetched last.",
                parameters: Self.workspace, result: .gitBranches
            ) { call, workspace async throws(JSONRPCError) in
                try await read { () async throws(GitFailure) in
                    GitBody.branches(try await git.branches(in: workspace), ceiling: call.room)
                }
            }
        }
    }

    private var log: [Method] {
        Self.named("log") { name in
            Method(
                name, right: .read, scheduling: .beside, takesTurns: true,
                summary: "The commits of a branch, the newest first.",
                parameters: .string("branch", "a branch, tag or commit; without it what is checked out"),
                .integer("limit", in: 1...500, default: 50, "commits of one answer"),
                .integer("offset", in: 0...1_000_000, default: 0, "commits to leave out from the start"),
                .gitPath("only commits that change it"), Self.workspace, result: .gitLog
            ) { call, branch, limit, offset, path, workspace async throws(JSONRPCError) in
                try await read { () async throws(GitFailure) in
                    let query = GitLogQuery(revision: branch, path: path, offset: offset, limit: limit)
                    return GitBody.log(try await git.log(query, in: workspace), ceiling: call.room)
                }
            }
        }
    }

    private var show: [Method] {
        Self.named("show") { name in
            Method(
                name, right: .read, scheduling: .beside, takesTurns: true,
                summary: "A commit, its files and its difference, of a merge that with its first parent.",
                parameters: .required("sha", "a commit, a branch or a tag"), Self.workspace, result: .gitCommit
            ) { call, revision, workspace async throws(JSONRPCError) in
                try await read { () async throws(GitFailure) in
                    let query = GitShowQuery(
                        revision: revision, showsSensitive: call.caller.may(.drive), limit: call.room)
                    return GitBody.commit(try await git.show(query, in: workspace), ceiling: call.room)
                }
            }
        }
    }

    private var stashes: [Method] {
        Self.named("stash/list") { name in
            Method(
                name, right: .read, scheduling: .beside, takesTurns: true, summary: "The stashes, the latest first.",
                parameters: Self.workspace, result: .gitStashes
            ) { call, workspace async throws(JSONRPCError) in
                try await read { () async throws(GitFailure) in
                    GitBody.stashes(try await git.stashes(in: workspace), ceiling: call.room)
                }
            }
        }
    }

    private func read(_ body: () async throws(GitFailure) -> JSON) async throws(JSONRPCError) -> JSON {
        do throws(GitFailure) { return try await body() } catch { throw error.rpcError }
    }
}
