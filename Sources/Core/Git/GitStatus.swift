/// The state of a work tree.
package struct GitStatus: Sendable, Hashable {
    /// A path that differs.
    package struct Entry: Sendable, Hashable {
        package let path: GitPath
        /// Git's letter: `M`, `A`, `D`, `R`, `C`, `T`, `?`; of a conflict both letters, such as `UU`.
        package let status: String
        /// The path before it was renamed or copied.
        package var oldPath: GitPath?
        package var isSubmodule = false
        /// `nil` for a binary file, and where nobody counted.
        package var lines: GitLineCount?

        package init(_ path: GitPath, _ status: String, oldPath: GitPath? = nil, isSubmodule: Bool = false) {
            self.path = path
            self.status = status
            self.oldPath = oldPath
            self.isSubmodule = isSubmodule
        }
    }

    /// `nil` where no branch is checked out.
    package var branch: String?
    /// The commit that is checked out; `nil` where there is none yet.
    package var commit: String?
    package var upstream: String?
    /// `nil` where the upstream has no commit, or there is none.
    package var ahead: Int?
    package var behind: Int?
    package var staged: [Entry] = []
    package var unstaged: [Entry] = []
    package var untracked: [Entry] = []
    package var conflicted: [Entry] = []

    package init() {}

    package var isClean: Bool { staged.isEmpty && unstaged.isEmpty && untracked.isEmpty && conflicted.isEmpty }
}

package struct GitLineCount: Sendable, Hashable {
    package let added: Int
    package let deleted: Int

    package init(added: Int, deleted: Int) {
        self.added = added
        self.deleted = deleted
    }
}

extension GitStatus {
    /// Reads `git status --porcelain=v2 -z --branch`.
    /// - Parameter prefix: The workspace's directory in the repository, with `/` at its end; paths elsewhere are left out.
    package init(porcelain output: [UInt8], prefix: [UInt8] = []) {
        var fields = NULFields(output)
        while let field = fields.next() {
            switch field.first {
            case UInt8(ascii: "#"): header(String(decoding: field, as: UTF8.self))
            case UInt8(ascii: "1"): changed(field, before: 8, old: nil, prefix)
            case UInt8(ascii: "2"): changed(field, before: 9, old: fields.next().map { GitPath($0) }, prefix)
            case UInt8(ascii: "u"): conflict(field, prefix)
            case UInt8(ascii: "?"):
                if let path = GitPath(field.dropFirst(2)).below(prefix) { untracked.append(Entry(path, "?")) }
            default: break
            }
        }
    }

    private mutating func header(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3 else { return }
        switch words[1] {
        case "branch.oid": commit = words[2] == "(initial)" ? nil : String(words[2])
        case "branch.head": branch = words[2] == "(detached)" ? nil : String(words[2])
        case "branch.upstream": upstream = String(words[2])
        case "branch.ab":
            let counts = words[2].split(separator: " ").compactMap { Int($0.dropFirst()) }
            if counts.count == 2 { (ahead, behind) = (counts[0], counts[1]) }
        default: break
        }
    }

    /// `1 XY sub …` or `2 XY sub …`: a path follows after so many fields.
    private mutating func changed(_ field: ArraySlice<UInt8>, before: Int, old: GitPath?, _ prefix: [UInt8]) {
        let parts = field.split(separator: 32, maxSplits: before, omittingEmptySubsequences: false)
        guard parts.count == before + 1, parts[1].count == 2, let path = GitPath(parts[before]).below(prefix) else {
            return
        }
        let (index, tree) = (parts[1].first ?? 0, parts[1].last ?? 0)
        func entry(_ letter: UInt8) -> Entry {
            let isRenamed = letter == UInt8(ascii: "R") || letter == UInt8(ascii: "C")
            return Entry(
                path, String(UnicodeScalar(letter)), oldPath: isRenamed ? old?.below(prefix) : nil,
                isSubmodule: parts[2].first == UInt8(ascii: "S"))
        }
        if index != UInt8(ascii: ".") { staged.append(entry(index)) }
        if tree != UInt8(ascii: ".") { unstaged.append(entry(tree)) }
    }

    private mutating func conflict(_ field: ArraySlice<UInt8>, _ prefix: [UInt8]) {
        let parts = field.split(separator: 32, maxSplits: 10, omittingEmptySubsequences: false)
        guard parts.count == 11, let path = GitPath(parts[10]).below(prefix) else { return }
        conflicted.append(Entry(path, String(decoding: parts[1], as: UTF8.self)))
    }
}

/// The fields of an output in which each ends with a NUL.
struct NULFields: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var start = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard start < bytes.count else { return nil }
        let end = bytes[start...].firstIndex(of: 0) ?? bytes.count
        defer { start = end + 1 }
        return bytes[start..<end]
    }
}
