/// Numbers of changed lines.
package enum GitNumstat {
    /// Reads `git diff --numstat -z`. Binary files have no numbers.
    package static func counts(_ output: [UInt8]) -> [GitPath: GitLineCount] {
        var counts: [GitPath: GitLineCount] = [:]
        var fields = NULFields(output)
        while let field = fields.next() {
            let parts = field.split(separator: 9, maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            // A rename has an empty path, after which the old and the new one follow.
            let path: ArraySlice<UInt8>
            if parts[2].isEmpty {
                _ = fields.next()
                path = fields.next() ?? []
            } else {
                path = parts[2]
            }
            guard let added = number(parts[0]), let deleted = number(parts[1]) else { continue }
            counts[GitPath(path)] = GitLineCount(added: added, deleted: deleted)
        }
        return counts
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? { Int(String(decoding: bytes, as: UTF8.self)) }
}

extension GitStatus {
    /// Adds the numbers of changed lines.
    package mutating func count(staged: [GitPath: GitLineCount], unstaged: [GitPath: GitLineCount]) {
        for index in self.staged.indices { self.staged[index].lines = staged[self.staged[index].path] }
        for index in self.unstaged.indices { self.unstaged[index].lines = unstaged[self.unstaged[index].path] }
    }
}
