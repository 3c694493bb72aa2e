import Core
import OrderedJSON

// The events of repositories. They are not recorded, so they have no `sequence`.

extension GitBody {
    static func change(_ summary: GitSummary) -> JSONObject {
        [
            "branch": .string(summary.branch ?? detached), "staged_count": .count(summary.staged),
            "unstaged_count": .count(summary.unstaged), "untracked_count": .count(summary.untracked),
            "conflicted_count": .count(summary.conflicted), "changed_files": .paths(summary.paths),
            "changed_count": .count(summary.changed), "ahead": .count(summary.ahead), "behind": .count(summary.behind),
            "sha": .text(summary.commit), "operation": .text(summary.operation?.rawValue),
        ]
    }

    static func branchChange(from: String?, to: String?) -> JSONObject {
        ["from_branch": .string(from ?? detached), "to_branch": .string(to ?? detached)]
    }

    static var changeSchema: Schema {
        Schema.object([
            "branch": .string.meaning("`HEAD` where none is checked out"), "staged_count": .count,
            "unstaged_count": .count, "untracked_count": .count, "conflicted_count": .count,
            "changed_files": .list(.string).meaning("at most \(GitSummary.mostPaths)"), "changed_count": .count,
            "ahead": .count, "behind": .count, "sha": .string.orNull,
            "operation": .choice(GitOperation.allCases.map(\.rawValue)).orNull,
        ]).with(.liveEvent)
    }

    static var branchChangeSchema: Schema {
        Schema.object(["from_branch": .string, "to_branch": .string]).with(.liveEvent)
    }
}

extension Schema {
    fileprivate static var liveEvent: Schema {
        .object(["session_id": .string, "workspace_id": .string, "timestamp": .time])
    }
}
