import Core
import OrderedJSON
import Services
import Wire

/// Parameters of the bridge.
enum BridgeFields {
    static let session = Field<String>.requiredID("session_id", "as session/new returned it")

    static let cwd = Field<String?>.string("cwd", "the absolute path of a directory").map {
        path throws(JSONRPCError) -> String? in
        guard let path else { return nil }
        return try ACPFields.directory(path)
    }

    static let servers = ACPServers.field("mcp_servers")

    /// What the app calls a mode is the agent that works.
    static let mode = Field<String?>.string("mode_id", "\"claude-code\" or \"default_mode\"").map {
        mode throws(JSONRPCError) -> String? in
        guard mode.map(["claude-code", "default_mode"].contains) ?? true else {
            throw .invalidParams("\"mode_id\" must be \"claude-code\": this daemon runs Claude Code and no other agent")
        }
        return mode
    }

    static let prompt = Field<[PromptBlock]>(
        "prompt", .oneOf(.string, .list(.anyObject)), "a text, or blocks of text, pictures, links and files",
        isRequired: true
    ) { arguments throws(JSONRPCError) in
        let value = arguments.value("prompt")
        guard let text = value?.stringValue else { return try ACPPrompt.blocks(value) }
        return try RunPrompt.checked([.text(text)])
    }

    static let title = Field<String>.required("title", "the new title")

    static func answering<Value>(
        for id: String = "", _ body: () async throws(TranscriptFailure) -> Value
    ) async throws(JSONRPCError) -> Value {
        do throws(TranscriptFailure) {
            return try await body()
        } catch {
            throw failure(error, of: id)
        }
    }

    static func failure(_ failure: TranscriptFailure, of id: String) -> JSONRPCError {
        if case .unknownSession = failure { return ACPFields.unknown(id) }
        return .internalError("the transcripts cannot be read: \(failure)")
    }
}
