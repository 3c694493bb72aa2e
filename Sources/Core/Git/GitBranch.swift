/// A branch, of this repository or as a remote had it last.
package struct GitBranch: Sendable, Hashable {
    /// `main`, or `origin/main` of a remote.
    package let name: String
    /// `refs/…`
    package let reference: String
    package let commit: String
    package let isCurrent: Bool
    package var isRemote: Bool { reference.hasPrefix(Self.remotePrefix) }
    /// `origin/main`
    package let upstream: String?
    /// The time of its last commit, in seconds since 1970.
    package let committedAt: Int?

    package static let localPrefix = "refs/heads/"
    package static let remotePrefix = "refs/remotes/"

    /// The `--format` of `git for-each-ref` that `list(_:)` reads.
    package static let format =
        "%(refname)%00%(HEAD)%00%(upstream:short)%00%(symref)%00%(objectname)%00%(committerdate:unix)%00"
    private static let fields = 6

    /// Reads the output of `git for-each-ref`. References that stand for others (`origin/HEAD`) are left out.
    package static func list(_ output: [UInt8]) -> [GitBranch] {
        var fields = NULFields(output)
        var branches: [GitBranch] = []
        while let record = fields.record(of: Self.fields) {
            // Each record but the first begins with the line feed after the one before.
            let reference = record[0].hasPrefix("\n") ? String(record[0].dropFirst()) : record[0]
            guard record[3].isEmpty, let name = Self.name(of: reference) else { continue }
            branches.append(
                GitBranch(
                    name: name, reference: reference, commit: record[4], isCurrent: record[1] == "*",
                    upstream: record[2].isEmpty ? nil : record[2], committedAt: Int(record[5])))
        }
        return branches
    }

    private static func name(of reference: String) -> String? {
        for prefix in [localPrefix, remotePrefix] where reference.hasPrefix(prefix) {
            return String(reference.dropFirst(prefix.count))
        }
        return nil
    }
}

extension NULFields {
    /// The next fields as texts; `nil` where fewer are left.
    mutating func record(of count: Int) -> [String]? {
        var texts: [String] = []
        while texts.count < count {
            guard let field = next() else { return nil }
            texts.append(String(decoding: field, as: UTF8.self))
        }
        return texts
    }
}
