import Core
import OrderedJSON
import Services
import Wire

/// Results of the methods about repositories.
enum GitBody {
    // MARK: Reading

    static func status(_ report: GitStatusReport, ceiling: Int) -> JSON {
        let status = report.status
        var room = Room(ceiling - 4096)
        // The longest list, and the least urgent, comes last.
        let staged = room.take(status.staged, make: entry)
        let conflicted = room.take(status.conflicted, make: entry)
        let unstaged = room.take(status.unstaged, make: entry)
        let untracked = room.take(status.untracked, make: entry)
        return [
            "branch": .string(status.branch ?? Self.detached), "upstream": .string(status.upstream ?? ""),
            "ahead": .count(status.ahead ?? 0), "behind": .count(status.behind ?? 0),
            "staged": staged, "unstaged": unstaged, "untracked": untracked, "conflicted": conflicted,
            "repo_name": .string(report.name), "repo_root": .string(report.root),
            "sha": .text(status.commit), "is_detached": .bool(status.branch == nil),
            "operation": .text(report.operation?.rawValue),
            "counts": [
                "staged": .count(status.staged.count), "unstaged": .count(status.unstaged.count),
                "untracked": .count(status.untracked.count), "conflicted": .count(status.conflicted.count),
            ],
            "truncated": .bool(room.isFull),
        ]
    }

    /// In place of a branch where none is checked out, as `git rev-parse --abbrev-ref` says it.
    static let detached = "HEAD"

    private static func entry(_ entry: GitStatus.Entry) -> JSON {
        var object: JSONObject = ["path": .string(entry.path.text), "status": .string(entry.status)]
        if let old = entry.oldPath { object["old_path"] = .string(old.text) }
        if let lines = entry.lines { lines.add(to: &object) }
        if entry.isSubmodule { object["is_submodule"] = true }
        return .object(object)
    }

    /// The members of a difference, cut so that they fit.
    static func diff(_ report: GitDiffReport, ceiling: Int) -> JSONObject {
        var bytes = report.patch[...]
        var text = JSON.string(String(decoding: bytes, as: UTF8.self))
        var isCut = report.isCut
        // Escapes take up to six bytes for one.
        while text.length > ceiling - 4096 - 64 * report.hidden.count, !bytes.isEmpty {
            isCut = true
            bytes = bytes.prefix(bytes.count / 2)
            if let end = bytes.lastIndex(of: 10) { bytes = bytes[...end] }
            text = .string(String(decoding: bytes, as: UTF8.self))
        }
        var body: JSONObject = [
            "diff": text, "is_new": .bool(report.isNew), "truncated": .bool(isCut),
            "is_sensitive": .bool(!report.hidden.isEmpty),
        ]
        if !report.hidden.isEmpty {
            body["hidden"] = .paths(Array(report.hidden.prefix(1000)))
            body["reason"] = .string(
                "these files may hold secrets: their content needs a device or token with drive rights "
                    + "(`cdev pair --rights drive`)")
        }
        return body
    }

    static func branches(_ report: GitBranchReport, ceiling: Int) -> JSON {
        var room = Room(ceiling - 4096)
        let branches = room.take(report.branches) { branch in
            var object: JSONObject = [
                "name": .string(branch.name), "is_current": .bool(branch.isCurrent),
                "is_remote": .bool(branch.isRemote),
            ]
            if let upstream = branch.upstream { object["upstream"] = .string(upstream) }
            object["sha"] = .string(branch.commit)
            return .object(object)
        }
        return [
            "current": .string(report.current ?? Self.detached), "upstream": .string(report.upstream ?? ""),
            "ahead": .count(report.ahead), "behind": .count(report.behind), "branches": branches,
            "truncated": .bool(room.isFull),
        ]
    }

    static func log(_ page: GitLogPage, ceiling: Int) -> JSON {
        var room = Room(ceiling - 4096)
        let commits = room.take(page.commits) { .object($0.members) }
        return ["commits": commits, "has_more": .bool(page.hasMore || room.isFull)]
    }

    static func commit(_ report: GitCommitReport, ceiling: Int) -> JSON {
        var room = Room(ceiling / 4)
        let files = room.take(report.files) { file in
            var object: JSONObject = ["path": .string(file.path.text), "status": .string(file.status)]
            if let old = file.oldPath { object["old_path"] = .string(old.text) }
            if let lines = file.lines { lines.add(to: &object) }
            return .object(object)
        }
        var body = report.commit.members
        body["files"] = files
        body["files_changed"] = .count(report.files.count)
        for (name, value) in diff(report.diff, ceiling: ceiling / 2) where name != "is_new" { body[name] = value }
        return .object(body)
    }

    static func stashes(_ stashes: [GitStash], ceiling: Int) -> JSON {
        var room = Room(ceiling - 4096)
        let listed = room.take(stashes) { stash in
            [
                "index": .count(stash.index), "ref": .string("stash@{\(stash.index)}"), "sha": .string(stash.id),
                "message": .string(cut(stash.message)), "created_at": .string(stash.createdAt),
            ]
        }
        return ["stashes": listed, "truncated": .bool(room.isFull)]
    }

    // MARK: Writing

    static func committed(_ commit: GitCommitted) -> JSONObject {
        var body: JSONObject = [
            "sha": .string(String(commit.id.prefix(Self.shortID))), "message": "Committed",
            "files_committed": .count(commit.files), "pushed": false, "output": .string(cut(commit.output)),
        ]
        switch commit.push {
        case nil: break
        case .success(let pushed):
            body["message"] = .string("Committed and pushed to \(pushed.target)")
            body["pushed"] = true
            body["output"] = .string(cut(commit.output + pushed.output))
        case .failure(let failure):
            body["message"] = "Committed, but not pushed"
            body["error"] = .string(failure.rpcError.message)
        }
        return body
    }

    private static let shortID = 7

    /// The form of a failure of git's in a writing call; `nil` for one that is an error of the call.
    static func failed(_ failure: GitFailure) -> JSON? {
        guard case .refused(let problem) = failure else {
            if case .late = failure { return ["success": false, "error": .string(failure.rpcError.message)] }
            return nil
        }
        switch problem.kind {
        case .bare, .notARepository, .owner: return nil
        default: break
        }
        var body: JSONObject = [
            "success": false, "error": .string(problem.message), "kind": .string(problem.kind.rawValue),
        ]
        if !problem.conflicted.isEmpty { body["conflicted_files"] = .paths(problem.conflicted) }
        if !problem.output.isEmpty { body["output"] = .string(cut(problem.output)) }
        return .object(body)
    }

    /// At most 16 KiB of a text, of a longer one its end.
    static func cut(_ text: String) -> String {
        let most = 16 << 10
        return text.utf8.count <= most ? text : "…" + String(decoding: text.utf8.suffix(most), as: UTF8.self)
    }
}

/// The bytes that lists of an answer share.
private struct Room {
    private var left: Int
    /// True if something did not fit.
    private(set) var isFull = false

    init(_ bytes: Int) {
        left = bytes
    }

    mutating func take<Element>(_ elements: [Element], make: (Element) -> JSON) -> JSON {
        var list: [JSON] = []
        for element in elements {
            let item = make(element)
            left -= item.length + 1
            guard left >= 0 else {
                isFull = true
                break
            }
            list.append(item)
        }
        return .array(list)
    }
}

extension GitLineCount {
    fileprivate func add(to object: inout JSONObject) {
        object["additions"] = .count(added)
        object["deletions"] = .count(deleted)
    }
}

extension GitCommit {
    fileprivate var members: JSONObject {
        [
            "sha": .string(id), "message": .string(GitBody.cut(subject)), "body": .string(GitBody.cut(body)),
            "author": .string(GitBody.cut(author)), "email": .string(GitBody.cut(email)), "date": .string(authoredAt),
            "committed_at": .string(committedAt), "parents": .array(parents.prefix(64).map(JSON.string)),
        ]
    }
}
