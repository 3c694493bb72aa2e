import Core
import OrderedJSON
package import Services
import Wire

/// The repositories of workspaces. Each method has two names: `workspace/git/…` and `git/…`.
package struct GitMethods: MethodGroup {
    let git: any GitService
    /// Called with the id of a workspace whose status was shown.
    let noteInterest: @Sendable (String) -> Void

    package init(git: any GitService, noteInterest: @escaping @Sendable (String) -> Void = { _ in }) {
        self.git = git
        self.noteInterest = noteInterest
    }

    package var methods: [Method] { (reading + writing).sorted { $0.name < $1.name } }

    static func named(_ names: String..., declare: (String) -> Method) -> [Method] {
        Method.named(names.flatMap { ["workspace/git/\($0)", "git/\($0)"] }, declare: declare)
    }

    static let workspace = Field<String>.requiredID("workspace_id", "as in workspace/list")
}

extension Field where Value == GitPath? {
    static func gitPath(_ summary: String) -> Field {
        Field<String?>.string("path", summary).map { text throws(JSONRPCError) in
            try text.map { text throws(JSONRPCError) in try GitPath(text, in: "path") }
        }
    }
}

extension Field where Value == [GitPath] {
    /// The most paths of one call.
    private static var most: Int { 100_000 }

    static func gitPaths(_ summary: String) -> Field {
        let schema = Schema.list(.string).setting("minItems", 1).setting("maxItems", .count(most))
        return Field("paths", schema, summary, isRequired: true) { arguments throws(JSONRPCError) in
            guard let texts = try arguments.strings("paths"), (1...most).contains(texts.count) else {
                throw .invalidParams("\"paths\" is required: a list of 1 to \(most) paths")
            }
            var paths: [GitPath] = []
            for (index, text) in texts.enumerated() { paths.append(try GitPath(text, in: "paths[\(index)]")) }
            return paths
        }
    }
}

extension Field where Value == Bool? {
    static func optionalBoolean(_ name: String, _ summary: String) -> Field {
        Field(name, .boolean, summary) { arguments throws(JSONRPCError) in try arguments.boolean(name) }
    }
}

extension GitPath {
    fileprivate init(_ text: String, in name: String) throws(JSONRPCError) {
        guard let path = GitPath(text: text) else {
            throw .invalidParams(
                "\(name) must be a path inside the workspace, relative to it and without \"..\"; one that begins with a "
                    + "double quote is in git's quoted form")
        }
        self = path
    }
}

extension Call {
    /// Bytes of an answer: a frame's, or what a client without frames can take.
    var room: Int { client.isFramed ? FrameCeiling.answer : 32 << 20 }
}

// MARK: - Failures

extension JSONRPCError {
    /// −32030: git said no, or could not be run.
    static func git(_ message: String, data: JSON? = nil) -> JSONRPCError {
        JSONRPCError(code: -32030, message: message, data: data)
    }

    /// −32031: the workspace is in no repository that git uses.
    static func noRepository(_ message: String, data: JSON? = nil) -> JSONRPCError {
        JSONRPCError(code: -32031, message: message, data: data)
    }
}

extension GitFailure {
    var rpcError: JSONRPCError {
        switch self {
        case .busy: .git("too many calls wait for this repository, so nothing was done; try again in a moment")
        case .cancelled: .git("the client left, so git was ended")
        case .invalid(let message): .invalidParams(message)
        case .late(let seconds):
            .git("git did not come to its end in \(seconds) s and was ended; the disk or the other machine is slow")
        case .noDirectory(let path, let reason):
            .noRepository("git cannot be run in \(path): \(reason); restore the directory or remove the workspace")
        case .noWorkspace(let id):
            .invalidParams("there is no workspace with the workspace_id \"\(id.prefix(80))\"; see workspace/list")
        case .notInstalled: .git("git is not installed, or not in PATH of the daemon; install git at this machine")
        case .refused(let problem): problem.rpcError
        case .revoked: .revoked
        case .tooManyFilters:
            .git(
                "the repository's settings name more than \(GitNeutral.mostDrivers) filters, or one with an unreadable name, "
                    + "so it is not read: they are programs; look at git config --list at this machine")
        case .tooOld: .git("git is older than 2.31, which cannot be kept from running programs; upgrade it")
        }
    }
}

extension GitProblem {
    fileprivate var rpcError: JSONRPCError {
        let data: JSON = ["kind": .string(kind.rawValue), "output": .string(GitBody.cut(output))]
        switch kind {
        case .bare, .notARepository, .owner: return .noRepository(message, data: data)
        default: return .git(message, data: data)
        }
    }
}
