import Core
import OrderedJSON
import Services
import Wire

/// The parameters that name a workspace: `workspace_id`, or `id` as other clients spell it.
enum WorkspaceFields {
    static var id: Field<String?> { .id("id", "the same as `workspace_id`") }
    static var workspaceID: Field<String?> { .id("workspace_id", "as in workspace/list") }

    static var either: Shape<String> {
        Shape(id, workspaceID) { id, workspaceID throws(JSONRPCError) in try one(id, workspaceID) }
    }

    static func one(_ id: String?, _ workspaceID: String?) throws(JSONRPCError) -> String {
        guard let named = workspaceID ?? id, !named.isEmpty else {
            throw .invalidParams("\"workspace_id\" is required: as in workspace/list")
        }
        if let id, id != named { throw .invalidParams("\"id\" and \"workspace_id\" name two workspaces; send one") }
        return named
    }
}

extension WorkspaceFailure {
    var rpcError: JSONRPCError {
        switch self {
        case .busy: .internalError("too many changes of workspaces wait; try again in a moment")
        case .directory(let problem, let path): .invalidParams(problem.message(about: path))
        case .refused(.full(let limit)):
            .internalError("there are \(limit) workspaces, and more are not kept; remove some first")
        case .refused(.name):
            .invalidParams("a workspace's name has 1 to 64 visible characters, without spaces at its ends")
        case .refused(.unknown(let id)): .unknownWorkspace(id)
        case .revoked: .revoked
        case .slow(let path, let seconds):
            .internalError(
                "the disk of \(HiddenCharacters.escaped(String(path.prefix(200)))) did not answer in \(seconds) s, or "
                    + "too many calls wait for it; nothing was changed. Try again once it answers")
        case .store(let message): .internalError(message)
        }
    }
}

extension JSONRPCError {
    /// - Parameter id: As `JSON.idValue` makes it of what was sent.
    static func unknownWorkspace(_ id: String) -> JSONRPCError {
        let sent = HiddenCharacters.escaped(String((JSON.id(id).stringValue ?? id).prefix(80)))
        return .invalidParams("there is no workspace \"\(sent)\"; workspace/list has them")
    }
}

extension DirectoryProblem {
    fileprivate func message(about path: String) -> String {
        let shown = HiddenCharacters.escaped(String(path.prefix(200)))
        return switch self {
        case .aboveHome:
            "\(shown) holds home directories and the system: as a workspace it would show nearly the whole machine. Add "
                + "the project's own directory"
        case .missing:
            "there is no directory \(shown); with \"create_if_missing\": true it is made, at a terminal with --create"
        case .missingParent: "\(shown) cannot be made, for the directory that should hold it is missing too"
        case .notDirectory: "\(shown) is no directory"
        case .notText: "the resolved path of \(shown) is no UTF-8, so it cannot be sent"
        case .own: "\(shown) belongs to cdev itself: its keys, tokens and decisions are shown to no device"
        case .spelling: "\"path\" must be absolute: it begins with a slash"
        case .unreadable(let why): "\(shown) cannot be read: \(why)"
        }
    }
}
