import Core
import Services
import Wire

// The parameters of the methods for files.

extension FileMethods {
    static var workspace: Field<WorkspaceChoice> {
        Field<String>.requiredID("workspace_id", "as in workspace/list").map { .id($0) }
    }

    /// Not needed by a method's older name where there is one workspace.
    static func workspace(for name: String) -> Field<WorkspaceChoice> {
        if name.hasPrefix("workspace/") { return workspace }
        return Field<String?>.id("workspace_id", "as in workspace/list; not needed where there is one workspace").map {
            WorkspaceChoice($0)
        }
    }

    static var directory: Field<WorkspacePath> {
        .path("directory", "below the workspace's directory; empty for that itself")
    }

    static func listShape(_ workspace: Field<WorkspaceChoice>) -> Shape<FileListQuery> {
        Shape(
            directory, .integer("limit", in: 1...500, default: 100, "entries of one answer"),
            .integer("offset", in: 0...10_000_000, default: 0, "entries to leave out"), workspace
        ) { FileListQuery(workspace: $3, directory: $0, limit: $1, offset: $2) }
    }

    static func getShape(_ workspace: Field<WorkspaceChoice>) -> Shape<FileQuery> {
        Shape(
            .integer(
                "max_size_kb", in: 1...10_000, default: 500,
                "KiB of content; over a WebSocket at most what a frame of 1 MiB holds"),
            .filePath("path", "below the workspace's directory"), workspace
        ) { FileQuery(workspace: $2, path: $1, limit: $0 << 10) }
    }
}

extension Field where Value == WorkspacePath {
    fileprivate static func path(_ name: String, _ summary: String) -> Field {
        Field<String?>.string(name, summary).map { text throws(JSONRPCError) in
            try parse(text ?? "", name)
        }
    }

    fileprivate static func filePath(_ name: String, _ summary: String) -> Field {
        Field<String>.required(name, summary).map { text throws(JSONRPCError) in
            let path = try parse(text, name)
            guard !path.isRoot else { throw .invalidParams("\"\(name)\" must name a file in the workspace") }
            return path
        }
    }

    private static func parse(_ text: String, _ name: String) throws(JSONRPCError) -> WorkspacePath {
        do throws(WorkspacePathFault) {
            return try WorkspacePath(text)
        } catch {
            throw .invalidParams("\"\(name)\" \(error.words)")
        }
    }
}

extension WorkspacePathFault {
    fileprivate var words: String {
        switch self {
        case .absolute: "must be a path below the workspace's directory, without a slash at its start"
        case .deep(let names): "has more than \(names) names"
        case .holdsNUL: "holds a NUL character, which no path can"
        case .leaves: "holds \"..\": it would leave the workspace"
        case .long(let bytes): "has more than \(bytes) bytes"
        }
    }
}
