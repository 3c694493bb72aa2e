import Core
import OrderedJSON
import Services
import Wire

extension Method {
    static let hookSessions = Method(
        "hook/sessions", right: .read, isSlow: true,
        summary: "The agents' sessions we hear of, the latest active first.",
        parameters: [Parameter("session_id", textSchema, "only this one")],
        result: "sessions (state is active, tool_running, permission_pending, stale or ended; tool_history the oldest "
            + "first), count, more, bystanders (agents that run the hooks and are not held)",
        handler: sessions)

    static let statusGet = Method(
        "status/get", right: .read, summary: "How the daemon is.",
        result:
            "version, pid, started_at, uptime_seconds, home, socket, socket_restored_at, socket_problem, address, log, "
            + "gate, pending_requests, approvers, active_sessions, total_patterns, agent_refusals, "
            + "last_agent_refusal, denies_ignored, store_failure, hooks, base_url, "
            + "beyond_loopback, insecure, public_url, tls (mode, names, pin, problem, valid_until), "
            + "notify (channel, answers, reachable, delivered, failed, last_delivery, failure, failed_at)"
    ) { call in .object(await call.services.sessions.status().listing) }

    static let statusHealth = Method(
        "status/health", right: nil, summary: "Whether the daemon works.", result: "status (`ok`), uptime_seconds"
    ) { call in
        let status = await call.services.sessions.status()
        return ["status": "ok", "uptime_seconds": .count(status.uptime)]
    }

    private static func sessions(_ call: Call) async throws(JSONRPCError) -> JSON {
        let only = try call.arguments.id("session_id")
        let views = await call.services.sessions.sessions()
            .filter { only == nil || $0.session.id == only }
            .sorted { ($1.session.lastActivity, $0.session.id) < ($0.session.lastActivity, $1.session.id) }
        var result = Listing(views.lazy.map(\.listing), ceiling: FrameCeiling.answer).object("sessions")
        let bystanders = await call.services.sessions.stats().bystanders
        result["bystanders"] = .array(bystanders.map { .object($0.listing) })
        return .object(result)
    }
}

extension SessionView {
    fileprivate var listing: JSONObject {
        [
            "session_id": .id(session.id), "agent": .string(session.agent.rawValue),
            "cwd": .string(session.cwd), "root": .string(session.root),
            "state": .string(state.rawValue), "started_at": .time(session.startedAt),
            "last_activity": .time(session.lastActivity), "ended_at": .time(session.endedAt),
            "current_tool": .text(currentTool?.toolName), "pending_requests": .count(pendingRequests),
            "permission_mode": .string(session.permissionMode.spelling),
            "transcript_path": .string(session.transcriptPath), "attended": .bool(session.isAttended),
            "unverified": .bool(session.isUnverified), "claude_pid": session.claudePID.map { .count($0) } ?? .null,
            "tool_history": .array(session.tools.map(\.listing)),
        ]
    }
}

extension Bystander {
    var listing: JSONObject {
        [
            "agent": .string(agent.rawValue), "cwd": .string(cwd), "first_seen": .time(firstSeen),
            "last_seen": .time(lastSeen), "reason": .string(reason),
        ]
    }
}

extension ToolRun {
    fileprivate var listing: JSON {
        [
            "tool_use_id": .id(useID), "tool_name": .string(toolName), "tool_input": toolInput,
            "truncated": truncated, "agent_id": .id(agentID), "started_at": .time(startedAt),
            "ended_at": .time(endedAt),
            "is_error": isError.map(JSON.bool) ?? .null,
        ]
    }
}

extension ToolRun {
    /// As cards have it: the path of what was cut, and how long it was.
    var truncated: JSON { inputBytes.map { ["$.tool_input": .count($0)] } ?? [:] }
}

extension DaemonStatus {
    var listing: JSONObject {
        var members: JSONObject = [
            "version": .string(version), "pid": .count(pid), "started_at": .time(startedAt.wall),
            "uptime_seconds": .count(uptime), "home": .string(home), "socket": .string(socket),
            "socket_restored_at": .time(socketRestoredAt), "socket_problem": .text(socketProblem),
            "address": .text(address), "log": .string(log), "gate": .string(gate.rawValue),
        ]
        for (key, value) in stats.listing { members[key] = value }
        members["hooks"] = hooks
        for (key, value) in reach { members[key] = value }
        members["notify"] = notify
        return members
    }
}
