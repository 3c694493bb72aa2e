/// A commit.
package struct GitCommit: Sendable, Hashable {
    package let id: String
    package let parents: [String]
    package let author: String
    package let email: String
    /// RFC 3339, with the zone it was written in.
    package let authoredAt: String
    package let committedAt: String
    /// The first line of the message.
    package let subject: String
    package let body: String

    /// The `--format` of `git log -z` that `list(_:)` reads.
    package static let format = "%H%x00%P%x00%an%x00%ae%x00%aI%x00%cI%x00%s%x00%b"
    private static let fields = 8

    package static func list(_ output: [UInt8]) -> [GitCommit] {
        var fields = NULFields(output)
        var commits: [GitCommit] = []
        while let record = fields.record(of: Self.fields) {
            commits.append(
                GitCommit(
                    id: record[0], parents: record[1].split(separator: " ").map(String.init), author: record[2],
                    email: record[3], authoredAt: record[4], committedAt: record[5], subject: record[6],
                    body: record[7]))
        }
        return commits
    }
}

/// Changes that were put aside.
package struct GitStash: Sendable, Hashable {
    /// 0 is the latest; the number changes when another is made or dropped, `id` does not.
    package let index: Int
    package let id: String
    package let message: String
    /// RFC 3339
    package let createdAt: String

    /// The `--format` of `git log -g -z` that `list(_:)` reads.
    package static let format = "%H%x00%gs%x00%cI"
    private static let fields = 3

    package static func list(_ output: [UInt8]) -> [GitStash] {
        var fields = NULFields(output)
        var stashes: [GitStash] = []
        while let record = fields.record(of: Self.fields) {
            stashes.append(
                GitStash(index: stashes.count, id: record[0], message: record[1], createdAt: record[2]))
        }
        return stashes
    }
}

/// A file that a commit changed.
package struct GitChangedFile: Sendable, Hashable {
    package let path: GitPath
    package let oldPath: GitPath?
    /// Git's letter.
    package let status: String
    package var lines: GitLineCount?

    /// Reads `--name-status -z`.
    package static func list(_ output: [UInt8]) -> [GitChangedFile] {
        var fields = NULFields(output)
        var files: [GitChangedFile] = []
        while let letter = fields.next() {
            guard let first = letter.first, let path = fields.next() else { continue }
            let status = String(UnicodeScalar(first))
            let isRenamed = status == "R" || status == "C"
            guard let new = isRenamed ? fields.next() : path else { continue }
            files.append(GitChangedFile(path: GitPath(new), oldPath: isRenamed ? GitPath(path) : nil, status: status))
        }
        return files
    }
}
