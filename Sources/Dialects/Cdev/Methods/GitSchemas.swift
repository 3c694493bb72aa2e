import Core
import OrderedJSON

/// Results of the methods about repositories.
extension Schema {
    static var gitStatus: Schema {
        .object([
            "branch": .string.meaning("`HEAD` where none is checked out"),
            "upstream": .string.meaning("empty if there is none"), "ahead": .count, "behind": .count,
            "staged": .list(.gitEntry), "unstaged": .list(.gitEntry), "untracked": .list(.gitEntry),
            "conflicted": .list(.gitEntry), "repo_name": .string, "repo_root": .string,
            "sha": .string.orNull.meaning("null before the first commit"), "is_detached": .boolean,
            "operation": .choice(GitOperation.allCases.map(\.rawValue)).orNull.meaning(
                "what the repository is amid of"),
            "counts": .object(["staged": .count, "unstaged": .count, "untracked": .count, "conflicted": .count])
                .meaning("of all, though `truncated` lists have less"),
            "truncated": .boolean.meaning("the lists did not fit"),
        ])
    }

    private static let gitEntry = object([
        "path": .string.meaning("relative to the workspace; in git's quoted form if it begins with a double quote"),
        "status": .string.meaning("git's letter: `M`, `A`, `D`, `R`, `C`, `T`, `?`; two letters of a conflict"),
        "old_path": .string.optional, "additions": .count.optional, "deletions": .count.optional,
        "is_submodule": .boolean.optional,
    ]).named("GitEntry")

    private static var gitPatch: Schema {
        .object([
            "diff": .string.meaning("unified; bytes that are not UTF-8 are U+FFFD"), "truncated": .boolean,
            "is_sensitive": .boolean.meaning("files were left out"), "hidden": .list(.string).optional,
            "reason": .string.optional,
        ])
    }

    static var gitDiff: Schema {
        Schema.object(["path": .string, "is_staged": .boolean, "is_new": .boolean]).with(.gitPatch)
    }

    static var gitBranches: Schema {
        .object([
            "current": .string.meaning("`HEAD` where none is checked out"), "upstream": .string, "ahead": .count,
            "behind": .count,
            "branches": .list(
                .object([
                    "name": .string, "is_current": .boolean, "is_remote": .boolean, "upstream": .string.optional,
                    "sha": .string,
                ])), "truncated": .boolean,
        ])
    }

    private static var gitCommitMembers: Schema {
        .object([
            "sha": .string, "message": .string.meaning("its first line"), "body": .string, "author": .string,
            "email": .string, "date": .string, "committed_at": .string, "parents": .list(.string),
        ])
    }

    static var gitLog: Schema {
        .object(["commits": .list(gitCommitMembers.named("GitCommit")), "has_more": .boolean])
    }

    static var gitCommit: Schema {
        gitCommitMembers.with(.object(["files": .list(.gitEntry), "files_changed": .count])).with(.gitPatch)
    }

    static var gitStashes: Schema {
        .object([
            "stashes": .list(
                .object([
                    "index": .count, "ref": .string, "sha": .string, "message": .string, "created_at": .string,
                ])), "truncated": .boolean,
        ])
    }

    /// The result of a writing call: these members, or why there are none.
    static func gitOutcome(_ members: KeyValuePairs<String, Schema>) -> Schema {
        oneOf(Schema.object(["success": .success]).with(.object(members)), gitFailure)
    }

    private static let gitFailure = object([
        "success": Schema(["const": false]), "error": .string.meaning("what happened, what it means, what to do"),
        "kind": .choice(GitProblem.Kind.allCases.map(\.rawValue)).optional,
        "conflicted_files": .list(.string).optional, "output": .string.optional,
    ]).named("GitFailure")
}
