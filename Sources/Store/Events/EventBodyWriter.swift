import Core
import OrderedJSON

/// Writes the bodies of events for the database: JSON objects of the present version. A later version of cdev may add
/// members; an existing member keeps its name and meaning. Any other change needs a new version, and `EventBodyReader`
/// keeps reading the earlier ones.
enum EventBodyWriter {
    /// Version 1 was the whole JSON-RPC notification, as clients were sent it.
    static let version: Int64 = 2

    static func text(of body: EventBody) -> String {
        switch body {
        case .agentNotHeld(let bystander): joined(bystander.members)
        case .agentRefused(let method, let pid): joined(["method": .string(method), "pid": .integer(pid)])
        case .denyIgnored(let deny): joined(deny.members)
        case .devicePaired(let id, let name, let rights):
            joined(["id": .string(id), "name": .string(name), "rights": .strings(rights.map(\.rawValue).sorted())])
        case .deviceRevoked(let id, let name, let reason, let rules):
            joined([
                "id": .string(id), "name": .string(name), "reason": .string(reason),
                "rules": .array(rules.map { .object($0.members) }),
            ])
        case .notification(let hook), .prompt(let hook), .sessionStart(let hook), .stop(let hook), .toolStart(let hook):
            joined(hook.members, ("input", hook.everythingText))
        case .pairingRequested(let request): joined(request.members)
        case .permission(let request): joined(request.members, ("input", request.input.text))
        case .permissionResolved(let request, let resolution, let corrects):
            ended(request, resolution, corrects)
        case .sessionEnd(_, let cwd, let reason): joined(["cwd": .string(cwd), "reason": .string(reason)])
        case .toolEnd(let run, let response, let isError, let milliseconds):
            joined(
                ["run": .object(run.members), "failed": .bool(isError), "duration_ms": .integer(milliseconds)],
                ("input", run.input.text), ("response", response.text))
        }
    }

    private static func ended(_ request: PermissionRequest, _ resolution: Resolution, _ corrects: Bool) -> String {
        let members: JSONObject = [
            "request": .object(request.members), "resolution": .object(resolution.members), "corrects": .bool(corrects),
        ]
        guard let update = resolution.update else { return joined(members, ("input", request.input.text)) }
        return joined(members, ("input", request.input.text), ("updated_input", update.text))
    }

    /// Appends members that are JSON text already: inputs may have megabytes, and are not parsed here.
    private static func joined(_ members: JSONObject, _ written: (name: String, text: String)...) -> String {
        var text = JSON.object(members).serialized()
        for (name, value) in written {
            text.removeLast()
            text += ",\"\(name)\":\(value)}"
        }
        return text
    }
}

// The members of each value, without its inputs. Times are milliseconds since 1970; ids are texts as `JSON.idValue`
// makes them, so that half a surrogate pair is preserved.

extension Bystander {
    fileprivate var members: JSONObject {
        [
            "agent": .string(agent.rawValue), "session_id": .string(sessionID), "cwd": .string(cwd),
            "first_seen": .time(firstSeen), "last_seen": .time(lastSeen),
        ]
    }
}

extension AgentEvent {
    fileprivate var members: JSONObject {
        var members: JSONObject = [
            "event": .string(name.spelling), "cwd": .string(cwd), "prompt_id": .text(promptID),
            "permission_mode": .string(permissionMode.spelling), "agent_id": .text(agentID),
            "agent_type": .text(agentType), "tool_name": .text(tool?.name), "tool_use_id": .text(tool?.useID),
        ]
        if details.startSource != "" { members["start_source"] = details.startSource }
        return members
    }
}

extension IgnoredDeny {
    fileprivate var members: JSONObject {
        [
            "request_id": .string(requestID), "tool_use_id": .string(toolUseID), "tool_name": .string(toolName),
            "cwd": .string(cwd), "denied_by": .string(deniedBy.spelling), "denied_at": .time(deniedAt),
            "is_unverified": .bool(isUnverified),
        ]
    }
}

extension PairingRequest {
    fileprivate var members: JSONObject {
        [
            "id": .string(id), "offer": .string(offer), "name": .string(name), "platform": .string(platform),
            "address": .string(address), "level": .string(level.rawValue), "created_at": .time(createdAt),
            "expires_at": .time(expiresAt),
        ]
    }
}

extension PermissionRequest {
    /// The values that a card shows. The relay's values and the resolution are not part of an event.
    fileprivate var members: JSONObject {
        var members: JSONObject = [
            "id": .string(id), "tool_use_id": .string(toolUseID), "event": .string(event.spelling),
            "tool_name": .string(toolName), "cwd": .string(cwd), "prompt_id": .text(promptID),
            "permission_mode": .string(permissionMode.spelling), "agent_id": .text(agentID),
            "agent_type": .text(agentType),
            "patterns": .strings(patterns), "deny_patterns": .strings(denyPatterns), "confirm": .text(confirm),
            "rule_limit": .text(ruleLimit?.spelling), "created_at": .time(createdAt), "deadline": .time(deadline),
            "is_terminal_prompt": .bool(isTerminalPrompt), "is_unverified": .bool(isUnverified),
            "opening": .integer(opening),
        ]
        if !root.isEmpty { members["root"] = .string(root) }
        if isOutside != false { members["is_outside"] = isOutside.map { .bool($0) } ?? .null }
        if let title = context.title { members["title"] = .string(title) }
        if let prompt = context.prompt { members["prompt"] = .string(prompt) }
        if let words = context.lastWords { members["last_words"] = .string(words) }
        return members
    }
}

extension Resolution {
    fileprivate var members: JSONObject {
        [
            "decision": .string(decision.rawValue), "scope": .text(scope?.rawValue),
            "resolver": .string(resolver.spelling), "reason": .string(reason), "at": .time(at),
            "message": .text(message), "is_delivered": .bool(isDelivered), "is_confirmed": .bool(isConfirmed),
        ]
    }
}

extension SessionRule {
    fileprivate var members: JSONObject {
        [
            "id": .string(id), "session_id": .string(sessionID), "effect": .string(effect.rawValue),
            "pattern": .string(pattern), "created_at": .time(createdAt), "granted_by": .string(grantedBy),
            "device_id": .text(deviceID), "request_id": .string(requestID), "last_match": .time(lastMatch),
        ]
    }
}

extension ToolRun {
    fileprivate var members: JSONObject {
        [
            "tool_use_id": .string(useID), "tool_name": .string(toolName), "input_bytes": .integer(inputBytes),
            "cwd": .string(cwd), "agent_id": .text(agentID), "transcript_path": .string(transcriptPath),
            "permission_mode": .string(permissionMode.spelling), "started_at": .time(startedAt),
            "ended_at": endedAt.map(JSON.time) ?? .null, "is_error": isError.map(JSON.bool) ?? .null,
        ]
    }
}

extension RuleLimit {
    fileprivate var spelling: String {
        switch self {
        case .noAnswer: "no_answer"
        case .tooLarge: "too_large"
        case .uncertainInput: "uncertain_input"
        }
    }
}

extension JSON {
    fileprivate static func integer(_ value: some BinaryInteger) -> JSON { .number(JSONNumber(Int(clamping: value))) }

    fileprivate static func integer(_ value: (some BinaryInteger)?) -> JSON { value.map { .integer($0) } ?? .null }

    fileprivate static func strings(_ values: [String]) -> JSON { .array(values.map(JSON.string)) }

    fileprivate static func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }

    fileprivate static func time(_ time: Timestamp) -> JSON { .integer(time.milliseconds) }
}
