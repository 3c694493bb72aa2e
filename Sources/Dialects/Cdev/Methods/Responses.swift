import Core
import OrderedJSON
import Wire

/// The parameters of `permission/respond`: an answer, or a list of them.
enum ResponseShape {
    static let oneOrSeveral = Shape.either(several, or: one(isListed: false))

    private static let mostResponses = 1000

    private static var several: Field<[PermissionResponse]?> {
        let listed = one(isListed: true).map { response throws(JSONRPCError) in
            guard response.scope == .once else {
                throw .invalidParams("in a list only \"scope\": \"once\" is possible")
            }
            guard response.confirm == nil else {
                throw .invalidParams("in a list nothing can be confirmed; send this answer by itself")
            }
            return response
        }
        return .list(
            "responses", of: "answers", listed, named: "Answer", count: 1...mostResponses,
            "in place of all others: several answers, each with these same parameters, scope `once` only and none with "
                + "`confirm`")
    }

    /// - Parameter isListed: True for an element of `responses`: its schema says that `decision` is required. Outside
    ///   of a list it is not, because `responses` may be sent in its place.
    private static func one(isListed: Bool) -> Shape<PermissionResponse> {
        let decision = Field.choice(
            "decision", of: [Decision.allow, .ask, .deny], "required; `ask` hands it to Claude's own prompt")
        return Shape(
            answers, confirm, isListed ? decision.requiredBySchema : decision,
            .string("message", "with a deny: read by Claude; with another decision it is refused"),
            patterns, .id("request_id", "the request, as in event/pty_permission"),
            .choice(
                "scope", of: [Scope.once, .session], default: .once,
                "`session` remembers the patterns until the session ends; `once` is all there is with `answers` or "
                    + "`updated_input`"),
            .id(
                "tool_use_id",
                "in place of `request_id`, where one open request has it, and no other call had it lately"),
            .object("updated_input", "with an allow: the whole input to run instead; for this call only"),
            make: response)
    }

    private static var confirm: Field<String?> {
        .string(
            "confirm",
            "with an allow: `prompt` of the card's `confirm`, where it has one. Without it, or with another word, −32602 "
                + "with `data.confirm`, in the same form as the card's")
    }

    private static var patterns: Field<[String]?> {
        .strings(
            "patterns",
            "with scope `session`: which of the card's patterns to remember (of `deny_patterns`, with a deny); another "
                + "one is refused, an empty list means once. Name those you showed: a card that is opened again may offer "
                + "others")
    }

    private static var answers: Field<JSONObject?> {
        .object("answers", "for AskUserQuestion: question text to answer text; for this call only")
            .schema("additionalProperties", Schema.string.json)
            .map { answers throws(JSONRPCError) in
                for (question, answer) in answers ?? [:] where answer.stringValue == nil {
                    throw .invalidParams(
                        "\"answers\" must hold strings; the one to \"\(question.prefix(80))\" is none")
                }
                return answers
            }
    }

    private static func response(
        _ answers: JSONObject?, _ confirm: String?, _ decision: Decision?, _ message: String?, _ patterns: [String]?,
        _ requestID: String?, _ scope: Scope, _ toolUseID: String?, _ updatedInput: JSONObject?
    ) throws(JSONRPCError) -> PermissionResponse {
        guard let decision else { throw .invalidParams(#""decision" is required: "allow", "ask" or "deny""#) }
        return PermissionResponse(
            target: try target(requestID, toolUseID), decision: decision, scope: scope, patterns: patterns,
            confirm: confirm, message: message, updatedInput: updatedInput.map(JSON.object),
            answers: answers.map(JSON.object))
    }

    private static func target(
        _ requestID: String?, _ toolUseID: String?
    ) throws(JSONRPCError) -> PermissionResponse.Target {
        if let requestID, !requestID.isEmpty { return .request(id: requestID) }
        if let toolUseID, !toolUseID.isEmpty { return .toolUse(id: toolUseID) }
        throw .invalidParams(#"send "request_id" (or "tool_use_id"), as in event/pty_permission"#)
    }
}

extension Schema {
    static let receipt = object([
        "success": .success, "decision": .decision, "scope": .scope.meaning("what was granted"), "request_id": .string,
        "rules": .list(.rule).meaning("made by the answer"),
        "sent": .boolean.meaning("nobody has taken the answer yet; an event confirms"),
    ]).named("Receipt")

    static let failedResponse = object([
        "success": Schema(["const": false]),
        "error": object(["code": .integer, "message": .string, "data": .anyObject.optional]),
    ]).named("FailedResponse")
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
    var json: JSON {
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
            .invalidParams("\(count) open requests have the tool_use_id \"\(id)\"; send request_id")
        case .decided(let resolution): resolution.lateAnswer
        case .invalid(let message): .invalidParams(message)
        case .notOpen(let id, let resolution): notOpen(id, resolution)
        case .refused(let message): .invalidRequest(message, data: ["refused": "decide"])
        case .unconfirmed(let message, let word): .invalidParams(message, data: ["confirm": ["prompt": .string(word)]])
        case .unknown(let id):
            .internalError("there is no request \"\(id.prefix(80))\"; it was never asked, or ended long ago")
        case .unrecorded(let message): .internalError(message)
        }
    }

    private func notOpen(_ id: String, _ resolution: Resolution?) -> JSONRPCError {
        let what = "no open request has the tool_use_id \"\(id.prefix(80))\""
        guard let resolution else { return .invalidParams("\(what); send request_id") }
        return .invalidParams("\(what): the last one was \(resolution.words); send request_id", data: resolution.brief)
    }
}

extension Resolution {
    fileprivate var lateAnswer: JSONRPCError {
        .internalError(
            "Request not found or already responded: it was \(words)", data: brief)
    }

    fileprivate var words: String { OutcomeWords.text(decision.rawValue, by: resolver.spelling) }

    fileprivate var brief: JSON {
        ["decision": .string(decision.rawValue), "resolved_by": .string(resolver.spelling), "at": .time(at)]
    }
}
