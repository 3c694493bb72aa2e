import Core
import OrderedJSON
import Wire

extension Method {
    static let permissionRespond = Method(
        "permission/respond", right: .decide,
        summary: "Answers a question, or several. The first answer wins.",
        parameters: [
            Parameter("answers", objectSchema, "for AskUserQuestion: question text to answer text; for this call only"),
            Parameter("confirm", textSchema, "with an allow: `prompt` of the card's `confirm`, where it has one"),
            Parameter("decision", enumSchema(["allow", "ask", "deny"]), "`ask` hands it to Claude's own prompt"),
            Parameter("message", textSchema, "with a deny: read by Claude"),
            Parameter(
                "patterns", ["type": "array", "items": textSchema],
                "with scope `session`: which of the card's patterns to remember; none means once"),
            Parameter("request_id", textSchema, "the question, as in event/pty_permission"),
            Parameter(
                "responses", ["type": "array", "maxItems": 1000, "items": objectSchema],
                "several answers, each with these same parameters, scope `once` only and none with `confirm`"),
            Parameter("scope", enumSchema(["once", "session"]), "`session` remembers the question's patterns"),
            Parameter("tool_use_id", textSchema, "in place of request_id, where one open question has it"),
            Parameter(
                "updated_input", objectSchema, "with an allow: the whole input to run instead; for this call only"),
        ],
        result: "success, decision, scope (what was granted), request_id, rules (made by the answer), sent (the "
            + "terminal's dialog stands too; an event confirms). For a list: results, each of these or success false "
            + "with an error.",
        handler: respond)

    private static let mostResponses = 1000

    private static func respond(_ call: Call) async throws(JSONRPCError) -> JSON {
        guard let list = call.arguments.value("responses") else {
            let response = try PermissionResponse(call.arguments)
            let results = await call.services.permissions.respond([response], by: call.caller)
            guard let first = results.first else { throw .internalError("the answer was not taken; send it again") }
            switch first {
            case .success(let receipt): return receipt.json
            case .failure(let failure): throw failure.rpcError
            }
        }
        guard let members = list.arrayValue, (1...mostResponses).contains(members.count) else {
            throw .invalidParams("\"responses\" must be a list of 1 to \(mostResponses) answers")
        }
        var responses: [PermissionResponse] = []
        for (index, member) in members.enumerated() { responses.append(try listed(member, at: index)) }
        let results = await call.services.permissions.respond(responses, by: call.caller)
        return ["results": .array(results.map { $0.json })]
    }

    /// One faulty entry refuses the whole list, so that a list is never half understood.
    private static func listed(_ member: JSON, at index: Int) throws(JSONRPCError) -> PermissionResponse {
        guard let object = member.objectValue else {
            throw .invalidParams("responses[\(index)] must be an object")
        }
        do throws(JSONRPCError) {
            let response = try PermissionResponse(Arguments(object))
            guard response.scope == .once else {
                throw .invalidParams("in a list only \"scope\": \"once\" is possible")
            }
            guard response.confirm == nil else {
                throw .invalidParams("in a list nothing can be confirmed; send this answer by itself")
            }
            return response
        } catch {
            throw .invalidParams("responses[\(index)]: \(error.message)")
        }
    }
}

extension PermissionResponse {
    fileprivate init(_ arguments: Arguments) throws(JSONRPCError) {
        let updatedInput = try arguments.object("updated_input")
        let answers = try arguments.object("answers")
        for (question, answer) in answers ?? [:] where answer.stringValue == nil {
            throw .invalidParams("\"answers\" must hold strings; the one to \"\(question.prefix(80))\" is none")
        }
        guard let decision = try arguments.choice("decision", of: [Decision.allow, .ask, .deny]) else {
            throw .invalidParams(#""decision" is required: "allow", "ask" or "deny""#)
        }
        self.init(
            target: try Self.target(arguments), decision: decision,
            scope: try arguments.choice("scope", of: [Scope.once, .session]) ?? .once,
            patterns: try arguments.strings("patterns"), confirm: try arguments.string("confirm"),
            message: try arguments.string("message"), updatedInput: updatedInput.map(JSON.object),
            answers: answers.map(JSON.object))
    }

    private static func target(_ arguments: Arguments) throws(JSONRPCError) -> Target {
        if let id = try arguments.id("request_id"), !id.isEmpty { return .request(id: id) }
        if let id = try arguments.id("tool_use_id"), !id.isEmpty { return .toolUse(id: id) }
        throw .invalidParams(#"send "request_id" (or "tool_use_id"), as in event/pty_permission"#)
    }
}

extension PermissionReceipt {
    var json: JSON {
        [
            "success": true, "decision": .string(decision.rawValue), "scope": .string(scope.rawValue),
            "request_id": .string(requestID), "rules": .array(rules.map { .object($0.listing) }),
            "sent": .bool(isSent),
        ]
    }
}

extension Result<PermissionReceipt, ResponseFailure> {
    fileprivate var json: JSON {
        switch self {
        case .success(let receipt): receipt.json
        case .failure(let failure): ["success": false, "error": failure.rpcError.json]
        }
    }
}

extension ResponseFailure {
    var rpcError: JSONRPCError {
        switch self {
        case .ambiguousToolUse(let id, let count):
            .invalidParams("\(count) open questions have the tool_use_id \"\(id)\"; send request_id")
        case .decided(let resolution): resolution.lateAnswer
        case .invalid(let message): .invalidParams(message)
        case .notOpen(let id, let resolution): notOpen(id, resolution)
        case .refused(let message): .invalidRequest(message, data: ["refused": "decide"])
        case .unconfirmed(let message, let word): .invalidParams(message, data: ["confirm": ["prompt": .string(word)]])
        case .unknown(let id):
            .internalError("there is no question \"\(id.prefix(80))\"; it was never asked, or ended long ago")
        case .unrecorded(let message): .internalError(message)
        }
    }

    private func notOpen(_ id: String, _ resolution: Resolution?) -> JSONRPCError {
        let what = "no open question has the tool_use_id \"\(id.prefix(80))\""
        guard let resolution else { return .invalidParams("\(what); send request_id") }
        let end = "the last one ended with \(resolution.decision.rawValue) by \(resolution.resolver.spelling)"
        return .invalidParams("\(what): \(end); send request_id", data: resolution.brief)
    }
}

extension Resolution {
    fileprivate var lateAnswer: JSONRPCError {
        .internalError(
            "Request not found or already responded: it ended with \(decision.rawValue) by \(resolver.spelling)",
            data: brief)
    }

    fileprivate var brief: JSON {
        ["decision": .string(decision.rawValue), "resolved_by": .string(resolver.spelling), "at": .time(at)]
    }
}
