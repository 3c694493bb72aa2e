package import Core
import OrderedJSON
import Wire

/// An event as approvers get it: `{"jsonrpc":"2.0","method":"event/<type>","params":{…}}`, at most
/// `FrameCeiling.bytes` long, parameters flat.
package enum EventEncoder {
    /// What surrounds the parameters, with room to spare.
    private static let envelope = 256

    package static func encode(_ event: Event) -> [UInt8] {
        var params = params(of: event)
        params["session_id"] = .id(event.sessionID)
        if params["agent"] == nil, !event.sessionID.isEmpty {
            params["agent"] = .string(Agent(sessionID: event.sessionID).rawValue)
        }
        params["workspace_id"] = ""
        params["timestamp"] = .time(event.at)
        params["sequence"] = .count(event.sequence)
        let fitted = Trimmer.fit(params, into: FrameCeiling.bytes - envelope)
        return JSONRPC.notification("event/" + event.body.wireName, .object(fitted))
    }

    /// Says every 30 s that the connection lives; it has no sequence and is not replayed.
    package static func heartbeat(at now: Timestamp, uptime: Int) -> [UInt8] {
        JSONRPC.notification(
            "event/heartbeat",
            [
                "server_time": .time(now), "uptime_seconds": .count(uptime), "session_id": "", "workspace_id": "",
                "timestamp": .time(now),
            ])
    }

    private static func params(of event: Event) -> JSONObject {
        switch event.body {
        case .agentNotHeld(let bystander): bystander.listing
        case .agentRefused(let method, let pid): refusal(method, pid)
        case .denyIgnored(let deny): ignored(deny)
        case .devicePaired(let id, let name, let rights):
            ["device_id": .string(id), "name": .string(name), "rights": .rights(rights)]
        case .deviceRevoked(let id, let name, let reason, let rules):
            [
                "device_id": .string(id), "name": .string(name), "reason": .string(reason),
                "rules_dropped": .array(rules.map { .object($0.listing) }),
            ]
        case .notification(let hook): told(hook, named: ["cwd", "message", "notification_type", "transcript_path"])
        case .pairingRequested(let request): request.listing
        case .permission(let request): PermissionCard.params(of: request, limit: nil)
        case .permissionResolved(let request, let resolution, let corrects):
            ResolutionBody.params(of: request, resolution, corrects: corrects)
        case .prompt(let hook): told(hook, named: ["cwd", "prompt", "transcript_path"])
        case .sessionEnd(_, let cwd, let reason): ["cwd": .string(cwd), "reason": .string(reason)]
        case .sessionStart(let hook): sessionStart(hook)
        case .stop(let hook): told(hook, named: ["cwd", "transcript_path"])
        case .toolEnd(let run, let response, let isError, let milliseconds):
            toolEnd(run, response, isError, milliseconds)
        case .toolStart(let hook): toolStart(hook)
        }
    }

    private static func refusal(_ method: String, _ pid: Int32) -> JSONObject {
        [
            "method": .string(method), "pid": .count(pid),
            "reason": "a process inside an agent tried to do what only its user may; it was refused",
        ]
    }

    private static func ignored(_ deny: IgnoredDeny) -> JSONObject {
        [
            "agent": .string(deny.agent.rawValue), "request_id": .string(deny.requestID),
            "tool_use_id": .id(deny.toolUseID), "tool_name": .string(deny.toolName), "cwd": .string(deny.cwd),
            "denied_by": .string(deny.deniedBy.spelling), "denied_at": .time(deny.deniedAt),
            "unverified": .bool(deny.isUnverified),
            "reason": .string(
                "\(deny.agent.name) ran a call of \(deny.toolName) though it was told that the call is denied: do not rely on "
                    + "denies there, and look at what the call did"),
        ]
    }

    /// The fields clients count on, present even where Claude sent none, then everything else it sent.
    private static func told(_ hook: AgentEvent, named names: [String]) -> JSONObject {
        let named = names + ["hook_event_name"]
        var everything = hook.everything
        for (name, id) in hook.ids where everything[name] != nil { everything[name] = .id(id) }
        var members = names.map { ($0, everything[$0] ?? ($0 == "tool_input" ? [:] : "")) }
        members.append(("hook_event_name", .string(hook.name.spelling)))
        for (key, value) in everything where !named.contains(where: key.hasSameBytes) {
            members.append((key, value))
        }
        return JSONObject(distinct: members)
    }

    private static func sessionStart(_ hook: AgentEvent) -> JSONObject {
        var params = told(hook, named: ["cwd", "transcript_path"])
        params["tool"] = hook.agent == .claude ? "claude_code" : .string(hook.agent.rawValue)
        // Claude's own `source` says why the session started; clients expect where we heard of it.
        params["start_source"] = hook.details.startSource
        params["source"] = "hook"
        return params
    }

    private static func toolStart(_ hook: AgentEvent) -> JSONObject {
        told(
            hook,
            named: ["cwd", "tool_name", "tool_input", "tool_use_id", "transcript_path", "permission_mode"])
    }

    private static func toolEnd(
        _ run: ToolRun, _ response: KeptJSON, _ isError: Bool, _ milliseconds: Int64?
    ) -> JSONObject {
        var params: JSONObject = [
            "cwd": .string(run.cwd), "tool_name": .string(run.toolName), "tool_input": run.toolInput,
            "tool_result": response.value, "tool_use_id": .id(run.useID),
            "transcript_path": .string(run.transcriptPath),
            "permission_mode": .string(run.permissionMode.spelling), "hook_event_name": "PostToolUse",
            "is_error": .bool(isError), "duration_ms": milliseconds.map { .count($0) } ?? .null,
            "started_at": .time(run.startedAt), "agent_id": .id(run.agentID),
        ]
        if run.inputBytes != nil { params["truncated"] = run.truncated }
        return params
    }
}

extension EventBody {
    /// The part of the method's name after `event/`.
    package var wireName: String {
        switch self {
        case .agentNotHeld: "agent_not_held"
        case .agentRefused: "agent_refused"
        case .denyIgnored: "deny_ignored"
        case .devicePaired: "device_paired"
        case .deviceRevoked: "device_revoked"
        case .notification: "claude_hook_permission"
        case .pairingRequested: "pairing_requested"
        case .permission: "pty_permission"
        case .permissionResolved: "pty_permission_resolved"
        case .prompt: "claude_hook_prompt"
        case .sessionEnd: "claude_hook_session_end"
        case .sessionStart: "claude_hook_session"
        case .stop: "claude_hook_stop"
        case .toolEnd: "claude_hook_tool_end"
        case .toolStart: "claude_hook_tool_start"
        }
    }

    /// Every name an event can have, sorted.
    package static let wireNames = [
        "agent_not_held", "agent_refused", "claude_hook_permission", "claude_hook_prompt", "claude_hook_session",
        "claude_hook_session_end", "claude_hook_stop", "claude_hook_tool_end", "claude_hook_tool_start",
        "deny_ignored", "device_paired", "device_revoked", "heartbeat", "pairing_requested", "pty_permission",
        "pty_permission_resolved",
    ]
}
