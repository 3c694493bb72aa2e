import Core
import OrderedJSON
import Services
import Wire

/// The daemon's state, its figures, and the agents' sessions.
struct StatusMethods: MethodGroup {
    let sessions: any SessionService

    var methods: [Method] { [change, list, stats, get, health] }

    private var change: Method {
        Method(
            "config/change", right: .administer,
            summary: "Asks whether the caller may change the configuration; changes nothing. Commands that write it "
                + "ask first.",
            result: .done
        ) { _ in ["success": true] }
    }

    private var list: Method {
        Method(
            "hook/sessions", right: .read, scheduling: .beside,
            summary: "The agents' sessions we hear of, the latest active first.",
            parameters: .id("session_id", "only this one"),
            result: .listing("sessions", of: .session).with(
                .object(["bystanders": .list(.bystander).meaning("agents that run the hooks and are not held")]))
        ) { _, only in
            let views = await sessions.sessions()
                .filter { only == nil || $0.session.id == only }
                .sorted { ($1.session.lastActivity, $0.session.id) < ($0.session.lastActivity, $1.session.id) }
            var result = Listing(views.lazy.map(\.listing), ceiling: FrameCeiling.answer).object("sessions")
            let bystanders = await sessions.stats().bystanders
            result["bystanders"] = .array(bystanders.map { .object($0.listing) })
            return .object(result)
        }
    }

    private var stats: Method {
        Method(
            "permission/stats", right: .read, summary: "Figures: sessions, rules, open requests, approvers, refusals.",
            result: .stats
        ) { _ in
            .object(await sessions.stats().listing)
        }
    }

    private var get: Method {
        Method(
            "status/get", right: .read,
            summary: "The state of the daemon, its hooks, addresses and channels, and the figures of "
                + "`permission/stats`.",
            result: .status
        ) { _ in
            .object(await sessions.status().listing)
        }
    }

    private var health: Method {
        Method(
            "status/health", right: nil, summary: "Says that the daemon works.",
            result: .object(["status": Schema(["const": "ok"]), "uptime_seconds": .count])
        ) { _ in
            ["status": "ok", "uptime_seconds": .count(await sessions.status().uptime)]
        }
    }
}

extension Schema {
    fileprivate static let session = object([
        "session_id": .string, "agent": .agent, "cwd": .string, "root": .string,
        "state": .choice(["active", "ended", "permission_pending", "stale", "tool_running"]), "started_at": .time,
        "last_activity": .time, "ended_at": .time.orNull, "current_tool": .string.orNull, "pending_requests": .count,
        "permission_mode": .string,
        "mode_note": .string.orNull.meaning("what the mode means for requests; null where they are asked as usual"),
        "gate": .gate.meaning("in force"), "gate_own": .boolean.meaning("set for this session"),
        "title": .string.orNull, "last_prompt": .string.orNull.meaning("at most 500 characters"),
        "last_words": .string.orNull.meaning("the end of what the agent said before its last turn ended, likewise"),
        "turn_ended": .boolean.meaning("the agent has answered and waits for a prompt"),
        "transcript_path": .string, "attended": .boolean, "unverified": .boolean,
        "claude_pid": .integer.orNull, "tool_history": .list(toolRun).meaning("the oldest first"),
        "truncated": .truncated.optional,
    ]).named("Session")

    private static let toolRun = object([
        "tool_use_id": .string, "tool_name": .string, "kind": .toolKind, "members": .toolMembers,
        "tool_input": .any, "truncated": .truncated,
        "agent_id": .string.orNull, "started_at": .time, "ended_at": .time.orNull, "is_error": .boolean.orNull,
    ]).named("ToolRun")

    fileprivate static let bystander = object([
        "agent": .agent, "cwd": .string, "first_seen": .time, "last_seen": .time, "reason": .string,
    ]).named("Bystander")
}

extension SessionView {
    fileprivate var listing: JSONObject {
        [
            "session_id": .id(session.id), "agent": .string(session.agent.rawValue),
            "cwd": .string(session.cwd), "root": .string(session.root),
            "state": .string(state.rawValue), "started_at": .time(session.startedAt),
            "last_activity": .time(session.lastActivity), "ended_at": .time(session.endedAt),
            "current_tool": .text(currentTool?.toolName), "pending_requests": .count(pendingRequests),
            "permission_mode": .string(session.permissionMode.spelling), "mode_note": .text(modeNote),
            "gate": .string(gate.rawValue), "gate_own": .bool(session.gate != nil), "title": .text(session.title),
            "last_prompt": .text(session.lastPrompt), "last_words": .text(session.lastWords),
            "turn_ended": .bool(session.hasEndedTurn),
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
        var members: JSONObject = [
            "tool_use_id": .id(useID), "tool_name": .string(toolName), "tool_input": toolInput,
            "truncated": truncated, "agent_id": .id(agentID), "started_at": .time(startedAt),
            "ended_at": .time(endedAt),
            "is_error": isError.map(JSON.bool) ?? .null,
        ]
        for (key, value) in tool.listing { members[key] = value }
        return .object(members)
    }
}

extension ToolRun {
    /// As in cards: the path of the cut input, and its full length in bytes.
    var truncated: JSON { inputBytes.map { ["$.tool_input": .count($0)] } ?? [:] }
}
