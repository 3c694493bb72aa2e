package import Core
import OrderedJSON
import Wire

/// Encodes events for our own clients: `{"jsonrpc":"2.0","method":"event/<type>","params":{…}}`, at most
/// `FrameCeiling.bytes` long. The parameters are one flat object.
package enum EventEncoder {
    /// Bytes reserved for the members around `params`; they take fewer.
    private static let envelope = 256

    package static func encode(_ event: PublishedEvent) -> [UInt8] {
        switch event {
        case .live(let event): notification(of: event).serialized()
        case .record(let record): notification(of: record, within: FrameCeiling.bytes).serialized()
        }
    }

    /// - Parameter limit: Bytes of the notification.
    static func notification(of record: EventRecord, within limit: Int) -> JSONRPCMessage {
        var params = params(of: record.body)
        params["session_id"] = .id(record.sessionID)
        if params["agent"] == nil, !record.sessionID.isEmpty {
            params["agent"] = .string(Agent(sessionID: record.sessionID).rawValue)
        }
        params["workspace_id"] = .string(record.workspaceID)
        params["timestamp"] = .time(record.at)
        params["sequence"] = .count(record.sequence)
        return message(record.kind, Trimmer.fit(params, into: limit - envelope))
    }

    /// A live event has no sequence number and is not replayed.
    private static func notification(of event: LiveEvent) -> JSONRPCMessage {
        var params: JSONObject =
            switch event.body {
            case .fileChanged(let change): change.listing
            case .gitBranchChanged(let from, let to): GitBody.branchChange(from: from, to: to)
            case .gitStatusChanged(let summary): GitBody.change(summary)
            case .heartbeat(let uptime): ["server_time": .time(event.at), "uptime_seconds": .count(uptime)]
            case .run(let event): RunEventBody.params(of: event)
            case .sessionJoined(let client, let others, let names):
                ViewerBody.joined(client, others, names)
            case .sessionLeft(let client, let remaining, let names):
                ViewerBody.left(client, remaining, names)
            case .workspaceAdded(let workspace), .workspaceRemoved(let workspace): workspace.listing
            case .sessionWatchChanged(let client, let isWatching):
                ["client_id": .string(client), "watching": .bool(isWatching)]
            case .transcriptMessage(let message): TranscriptBody.event(message)
            }
        params["session_id"] = .id(event.sessionID ?? "")
        params["workspace_id"] = .string(event.workspaceID ?? "")
        params["timestamp"] = .time(event.at)
        return message(event.body.kind, Trimmer.fit(params, into: FrameCeiling.bytes - envelope))
    }

    private static func message(_ kind: EventKind, _ params: JSONObject) -> JSONRPCMessage {
        JSONRPCMessage(method: "event/" + kind.wireName, params: .object(params))
    }

    private static func params(of body: EventBody) -> JSONObject {
        switch body {
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

    /// The fields that clients rely on, present even if the agent sent none, then every other member that it sent.
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
        // Claude's `source` says why the session started; clients expect the way in which we learned of the session.
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
