import Rules

/// The place of a file or directory in a workspace: names below the workspace's directory, none for that directory itself.
/// The disk may still hold a link on the way that leads out.
package struct WorkspacePath: Sendable, Hashable {
    /// Without `.` and `..`, none empty.
    package let names: [String]

    /// Bytes of a path that Linux takes, and names of one. Trees are not so deep.
    private static let longest = 4095
    private static let mostNames = 255

    package static let root = WorkspacePath(names: [])

    private init(names: [String]) { self.names = names }

    /// Parses `src/main.ts`; empty parts and `.` count for nothing.
    package init(_ text: String) throws(WorkspacePathFault) {
        if text.utf8.first == UInt8(ascii: "/") { throw .absolute }
        guard text.utf8.count <= Self.longest else { throw .long(bytes: Self.longest) }
        guard !text.utf8.contains(0) else { throw .holdsNUL }
        // By bytes: a character may begin with a slash and a combining mark.
        let names = text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
        if names.contains("..") { throw .leaves }
        guard names.count <= Self.mostNames else { throw .deep(names: Self.mostNames) }
        self.init(names: names)
    }

    package var text: String { names.joined(separator: "/") }
    package var isRoot: Bool { names.isEmpty }
    /// Empty for the workspace's directory.
    package var name: String { names.last ?? "" }
    package var directory: WorkspacePath { WorkspacePath(names: names.dropLast()) }

    package func appending(_ name: String) -> WorkspacePath { WorkspacePath(names: names + [name]) }

    /// True if a name on the way is that of a secret or of a file that configures an agent or this program.
    package var isSensitive: Bool { SensitivePaths.holds(text) }

    /// The part of the name behind its last dot: `md` of `README.md`; empty without one, as for `.profile`.
    package static func fileExtension(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.utf8.startIndex else { return "" }
        return String(name[name.utf8.index(after: dot)...])
    }
}

/// The reason why a text is no path in a workspace.
package enum WorkspacePathFault: Error, Sendable, Hashable {
    case absolute, holdsNUL, leaves
    case deep(names: Int)
    case long(bytes: Int)
}
