import Core
import OrderedJSON
import Services
import Wire

extension FileFailure {
    var rpcError: JSONRPCError {
        switch self {
        case .late:
            .init(code: FileErrorCode.late, message: "the disk has not answered in time; ask again in a moment")
        case .noWorkspaces: .invalidParams("there is no workspace yet; add one with workspace/add")
        case .obstacle(let obstacle, let path):
            .init(code: obstacle.code, message: "\"\(path.shown)\" cannot be read: \(obstacle.words)")
        case .sensitive(let path):
            .invalidRequest(
                "\"\(path.shown)\" is sensitive: its content is shown only to a device or token with drive rights "
                    + "(`cdev pair --rights drive`), never to a process inside an agent",
                data: ["refused": .string(Right.drive.rawValue)])
        case .several(let workspaces):
            .invalidParams(
                "there are \(workspaces.count) workspaces: send \"workspace_id\", one of "
                    + workspaces.prefix(20).map { "\($0.id) (\($0.name.shown))" }.joined(separator: ", "),
                data: ["workspaces": .array(workspaces.prefix(20).map { .string($0.id) })])
        case .tooManyWatches(let limit):
            .init(
                code: FileErrorCode.late,
                message: "\(limit) directories are watched already; end one with workspace/files/unwatch")
        case .unknownWorkspace(let id):
            .invalidParams("no workspace has the workspace_id \"\(id.shown)\"; workspace/list shows all")
        case .unwatchable(let path):
            .invalidParams("\"\(path.shown)\" is sensitive, and changes there are told nobody")
        }
    }
}

/// The codes of errors about files, beside those of JSON-RPC.
enum FileErrorCode {
    static let missing = -32020
    static let unreadable = -32021
    static let leaves = -32022
    static let late = -32023
}

extension FileObstacle {
    fileprivate var code: Int {
        switch self {
        case .missing, .workspaceMoved: FileErrorCode.missing
        case .leaves: FileErrorCode.leaves
        case .directory, .leadsNowhere, .notDirectory, .special, .unreadable: FileErrorCode.unreadable
        }
    }
}

extension String {
    /// At most 200 characters, for a message.
    fileprivate var shown: String { utf8.count <= 200 ? self : String(prefix(200)) + "…" }
}
