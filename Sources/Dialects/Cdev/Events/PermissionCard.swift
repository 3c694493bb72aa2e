package import Core
package import OrderedJSON

/// A request as approvers get it: the parameters of `event/pty_permission` and the items of `permission/pending`.
package enum PermissionCard {
    /// - Parameter limit: Bytes; nil for the whole card.
    package static func params(of request: PermissionRequest, limit: Int?) -> JSONObject {
        // Read once: `toolInput` parses a large input each time.
        let value = request.toolInput
        let text = CardText(tool: request.tool, input: value)
        let input = value.objectValue ?? ["value": value]
        var params: JSONObject = [
            "tool_use_id": .id(request.toolUseID),
            "type": .string(text.kind.rawValue),
            "target": .string(HiddenCharacters.escaped(text.target)),
            "description": .string(HiddenCharacters.escaped(text.description)),
            "preview": .string(HiddenCharacters.escaped(text.preview)),
            "options": options(offersSession: !request.patterns.isEmpty),
            "request_id": .string(request.id),
            "tool_name": .string(request.toolName),
            "tool_input": value,
            "cwd": .string(request.cwd),
            "patterns": .array(request.patterns.map(JSON.string)),
            "deny_patterns": .array(request.denyPatterns.map(JSON.string)),
            "confirm": request.confirm.map { ["prompt": .string($0)] } ?? .null,
            "created_at": .time(request.createdAt),
            "deadline": .time(request.deadline),
        ]
        for (key, value) in request.tool.titledListing { params[key] = value }
        params["terminal_prompt"] = .bool(request.isTerminalPrompt)
        params["permission_mode"] = .string(request.permissionMode.spelling)
        params["agent_id"] = .id(request.agentID)
        params["agent_type"] = .text(request.agentType)
        params["hidden_characters"] = .array(HiddenCharacters.list(in: input, at: JSONPath.root.member("tool_input")))
        params["truncated"] = [:]
        params["unverified"] = .bool(request.isUnverified)
        params["opening"] = .count(request.opening)
        params["agent"] = .string(request.agent.rawValue)
        params["can_ask"] = .bool(request.agent.profile.asks)
        params["scope_words"] = .text(request.scopeWords)
        params["outside"] = request.isOutside.map { .bool($0) } ?? .null
        params["context"] = request.context.json
        params["rules_note"] = .text(rulesNote(request))
        params["session_id"] = .id(request.sessionID)
        params["workspace_id"] = ""
        guard let limit else { return params }
        return Trimmer.fit(params, into: limit)
    }

    /// The card with its whole input, whatever the size. Only `target` is cut: it repeats a command for people to read,
    /// and grows with each character that is escaped.
    static func whole(of request: PermissionRequest) -> JSONObject {
        var card = params(of: request, limit: nil)
        guard let target = card["target"]?.stringValue, let shown = target.cut(toEscapedLength: longestTarget) else {
            return card
        }
        card["target"] = .string(shown)
        card["truncated"] = ["$.target": .count(target.utf8.count)]
        return card
    }

    private static let longestTarget = 4 << 20

    /// One sentence on why no rule settles the call; nil if rules may.
    private static func rulesNote(_ request: PermissionRequest) -> String? {
        switch request.ruleLimit {
        case .noAnswer: "The disk did not answer in time, so no rule could be asked, and none is offered."
        case .tooLarge where request.patterns.isEmpty:
            "This call is too large to be settled by rules, so it is asked each time."
        case .tooLarge: "This call is too large to be settled by rules: only exactly this call can be remembered."
        case .uncertainInput:
            "\(request.agent.name) shows only the beginning of this input, names a part of it twice, or puts too many marks on "
                + "a letter: what runs may be more than is shown, or something else."
        case nil: nil
        }
    }

    private static func options(offersSession: Bool) -> JSON {
        let once = option("allow_once", "Allow Once", "Allow this one request")
        let session = option("allow_session", "Allow for Session", "Allow similar requests for this session")
        let deny = option("deny", "Deny", "Deny this request")
        return .array(offersSession ? [once, session, deny] : [once, deny])
    }

    private static func option(_ key: JSON, _ label: JSON, _ description: JSON) -> JSON {
        ["key": key, "label": label, "description": description, "selected": false]
    }
}

extension CallContext {
    fileprivate var json: JSON {
        ["title": .text(title), "prompt": .text(prompt), "last_words": .text(lastWords)]
    }
}

extension Schema {
    static let card = cardMembers.named("Card")

    static let cardMembers = object([
        "tool_use_id": .string, "type": .cardKind, "target": .string, "description": .string, "preview": .string,
        "options": .list(option), "request_id": .string, "tool_name": .string, "tool_input": .any, "cwd": .string,
        "kind": .toolKind, "members": .toolMembers, "title": .string.meaning("of the tool, for people"),
        "patterns": .list(.string), "deny_patterns": .list(.string), "confirm": object(["prompt": .string]).orNull,
        "created_at": .time, "deadline": .time, "terminal_prompt": .boolean, "permission_mode": .string,
        "agent_id": .string.orNull, "agent_type": .string.orNull, "hidden_characters": .list(hidden),
        "truncated": .truncated, "unverified": .boolean, "opening": .count, "agent": .agent, "can_ask": .boolean,
        "scope_words": .string.orNull.meaning("what \"allow for session\" covers, for people"),
        "outside": .boolean.orNull.meaning("a file outside the project would change; null: nobody can tell"),
        "context": context.meaning("why the call is made"),
        "rules_note": .string.orNull, "session_id": .string, "workspace_id": .string,
    ])

    private static let context = object([
        "title": .string.orNull.meaning("of the session"), "prompt": .string.orNull.meaning("what the user asked last"),
        "last_words": .string.orNull.meaning("of the agent, before the call"),
    ])

    private static let option = object([
        "key": .choice(["allow_once", "allow_session", "deny"]), "label": .string, "description": .string,
        "selected": .boolean,
    ])

    private static let hidden = oneOf(
        object(["path": .string, "offset": .count, "character": .string]),
        object(["more": .count.meaning("there are, which are not listed")]))
}
