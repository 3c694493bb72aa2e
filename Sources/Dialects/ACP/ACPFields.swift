import Core
import OrderedJSON
import Services
import Wire

/// Parameters and errors of the Agent Client Protocol.
enum ACPFields {
    static let cwd = Field<String>.required("cwd", "the absolute path of a directory").map {
        path throws(JSONRPCError) in try directory(path)
    }

    static func directory(_ path: String) throws(JSONRPCError) -> String {
        guard path.hasPrefix("/") else { throw .invalidParams("\"cwd\" must be an absolute path") }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    static let session = Field<String>.requiredID("sessionId", "as session/new returned it")

    static let requestID = Field<JSONRPCID>("requestId", .any, "the id of a request", isRequired: true) {
        arguments throws(JSONRPCError) in
        guard let id = arguments.value("requestId").flatMap(JSONRPCID.init) else {
            throw .invalidParams("\"requestId\" must be the id of a request")
        }
        return id
    }

    static func client(of call: Call) throws(JSONRPCError) -> ACPClient {
        guard let client = call.client as? ACPClient else { throw .internalError("this is no editor's connection") }
        guard client.isGreeted else { throw .invalidRequest("call \"initialize\" first") }
        return client
    }

    static func open(_ id: String, for call: Call) throws(JSONRPCError) -> ACPSession {
        guard let session = try client(of: call).session(id) else { throw unknown(id) }
        return session
    }

    /// −32002
    static func unknown(_ id: String) -> JSONRPCError {
        JSONRPCError(
            code: -32002,
            message:
                "no session \"\(HiddenCharacters.escaped(String(id.prefix(80))))\" is open here; session/list lists "
                + "them, session/load opens one")
    }

    /// −32000
    static let notLoggedIn = JSONRPCError(
        code: -32000,
        message: "Claude Code is not logged in: run `claude` in a terminal of this machine and type /login")

    /// −32800
    static let cancelled = JSONRPCError(code: -32800, message: "the request was cancelled")

    /// Runs `body` for a session of the editor, which may have ended meanwhile.
    static func answering<Value>(
        for id: String, _ body: () async throws(RunSessionFailure) -> Value
    ) async throws(JSONRPCError) -> Value {
        do throws(RunSessionFailure) {
            return try await body()
        } catch .refused(.ended, _), .refused(.notRunning, _), .refused(.unknownSession, _) {
            throw unknown(id)
        } catch {
            throw error.rpcError
        }
    }
}
