package import Core
import OrderedJSON

extension EventKind {
    /// All events, sorted by their names.
    package static var notifications: [ServerNotification] {
        allCases.map(\.notification).sorted { $0.name < $1.name }
    }

    package var notification: ServerNotification {
        ServerNotification("event/" + wireName, summary: summary, parameters: parameters)
    }

    private var summary: String {
        switch self {
        case .agentNotHeld:
            "An agent whose calls cdev does not hold runs these hooks. Once a session, at most 10 a minute."
        case .agentRefused:
            "A process inside an agent tried to answer, to pair or revoke a device, or to change the configuration; or "
                + "something else than the daemon wrote to the agent of a session, which is ended. At most 30 a minute; "
                + "`permission/stats` counts all."
        case .denyIgnored:
            "**An alarm.** A call ran though its hook had been told to deny it, whoever the agent is. Once for each call, "
                + "at most 30 a minute; `permission/stats` counts all. Not for a deny that its hook never took, nor for "
                + "one that came too late for the terminal's dialog (`corrects`)."
        case .devicePaired: "A device was paired, or a token was made."
        case .deviceRevoked: "A device or token was revoked or has expired."
        case .fileChanged:
            "A name was made, written, renamed or removed in a folder that a client watches (`workspace/files/watch`). While "
                + "session/start's process runs, also in its workspace's directory and in the folders of the files that its "
                + "tools named last, at most 8 in all. More than 50 changes at a time are one of the folder itself: list it "
                + "again. It is not recorded."
        case .gitBranchChanged: "Another branch is checked out in a workspace. Not recorded."
        case .gitStatusChanged:
            "Files were staged, commits made or fetched, branches switched, in whatever program, or a tool of a session that "
                + "writes files has ended, also where the counts are the same as before. At most one a second for a "
                + "workspace, while somebody is subscribed to it or asked about it in the last 10 minutes; the first "
                + "says what there is. Not recorded."
        case .heartbeat: "Every 30 s, to connected clients; it is not recorded."
        case .notification: "Claude shows a notification of type `permission_prompt`."
        case .pairingRequested: "A device typed its code and waits for the user at the machine."
        case .permission: "**A request.** Answer with `permission/respond`."
        case .permissionResolved: "A request has ended."
        case .prompt: "The user sent a prompt."
        case .runCall:
            "The agent begins to write a call of a tool, to those who called `session/watch`. The call follows whole, with its "
                + "input, in an event/claude_message; one that is broken off does not."
        case .runChildEnd:
            "A session that the daemon runs has no process more: it is parked, or has ended. Not recorded, as all of these."
        case .runChildStart: "The process of a session that the daemon runs takes prompts."
        case .runDelta:
            "A piece of a message that the agent writes at this moment, to those who called `session/watch`. The whole "
                + "message follows as event/claude_message, in place of its pieces."
        case .runInfo: "The conversation, model, effort or mode of a session that the daemon runs is another now."
        case .runLine:
            "A line of the agent's own output, with its members, to those who called `session/watch` with `log`. "
                + "Its answers to what the daemon asked are left out."
        case .runPermission:
            "A session that the daemon runs asks for permission. The same request comes as event/pty_permission; answer "
                + "either, with `session/respond` or `permission/respond`."
        case .runPromptEnd: "A prompt of a session that the daemon runs has ended. Each does once."
        case .runQuestion:
            "A session that the daemon runs has a question, or a plan to be read. The same request comes as "
                + "event/pty_permission."
        case .runStatus: "A session that the daemon runs began to do something else."
        case .runStopped: "A session that the daemon ran has ended for good."
        case .runTasks: "Other tasks run behind the turns of a session that the daemon runs: all of them."
        case .runUsage: "A turn of a session that the daemon runs has ended."
        case .sessionEnd:
            "A session ended, and its rules with it. After `/clear` the rules go on in the session that the same process "
                + "starts at once."
        case .sessionJoined:
            "Another client looks at the session that this one looks at, as both said by `client/session/focus`. Not "
                + "recorded."
        case .sessionLeft: "A client looks at this session no more, or is gone. Not recorded."
        case .sessionStart: "A session began."
        case .sessionWatchChanged: "A client began or ended to watch a session; it is not recorded."
        case .stop: "Claude finished a turn."
        case .toolEnd:
            "A tool's run ended. Every start gets such an event, denied calls too; if Claude did not report the end, "
                + "`tool_input` is shortened and `truncated` says so, as in the `tool_history` of `hook/sessions`."
        case .toolStart: "Claude is about to call a tool; nobody has been asked yet."
        case .workspaceAdded:
            "A workspace was added, or a person added one that a session had made. Not recorded; sent whatever the client "
                + "subscribed to."
        case .workspaceRemoved:
            "A workspace was removed or has ended. Not recorded; sent whatever the client subscribed to."
        case .transcriptMessage:
            "A message was added to the session that this connection watches (`workspace/session/watch`), or, with the id "
                + "of a session that the daemon runs, to that one. It is not recorded. One message has one `uuid` in both."
        }
    }

    private var parameters: Schema {
        switch self {
        case .agentNotHeld: .object(["cwd": .string, "first_seen": .time, "last_seen": .time, "reason": .string]).event
        case .agentRefused:
            .object(["method": .string.meaning("or the path"), "pid": .count, "reason": .string]).event
        case .denyIgnored:
            .object([
                "request_id": .string, "tool_use_id": .string, "tool_name": .string, "cwd": .string,
                "denied_by": .string, "denied_at": .time, "unverified": .boolean, "reason": .string,
            ]).event
        case .devicePaired: .object(["device_id": .string, "name": .string, "rights": .list(.right)]).event
        case .deviceRevoked:
            .object([
                "device_id": .string, "name": .string, "reason": .string,
                "rules_dropped": .list(.rule).meaning("the session rules it had granted"),
            ]).event
        case .fileChanged: Schema.fileChange
        case .gitBranchChanged: GitBody.branchChangeSchema
        case .gitStatusChanged: GitBody.changeSchema
        case .heartbeat: .object(["server_time": .time, "uptime_seconds": .count]).liveEvent
        case .notification: .hook(["cwd": .any, "message": .any, "notification_type": .any, "transcript_path": .any])
        case .pairingRequested: Schema.pairingRequestMembers.event
        case .permission: Schema.cardMembers.with(.object(["timestamp": .time, "sequence": .count]))
        case .permissionResolved: Schema.ending.event
        case .prompt: .hook(["cwd": .any, "prompt": .any, "transcript_path": .any])
        case .runCall: .runCall
        case .runChildEnd, .runChildStart: .runChild
        case .runDelta: .runDelta
        case .runInfo: .runInfo
        case .runLine: .runLine
        case .runPermission, .runQuestion: .runAsked
        case .runPromptEnd: .runPromptEnd
        case .runStatus: .runStatus
        case .runStopped: .runStopped
        case .runTasks: .runTasks
        case .runUsage: .runUsage
        case .sessionEnd: .object(["cwd": .string, "reason": .string]).event
        case .sessionJoined:
            .object([
                "joining_client_id": .string, "other_viewers": .list(.string),
                "viewer_count": .count.meaning("with the client that joined"), "viewer_names": .viewerNames,
            ]).liveEvent
        case .sessionLeft:
            .object([
                "leaving_client_id": .string, "remaining_viewers": .list(.string), "viewer_count": .count,
                "viewer_names": .viewerNames,
            ]).liveEvent
        case .sessionStart:
            .hook([
                "cwd": .any, "transcript_path": .any,
                "tool": .string.meaning("`claude_code`, or the name of another agent"),
                "source": Schema(["const": "hook"]), "start_source": .any.meaning("why it began, as the agent says"),
            ])
        case .sessionWatchChanged:
            .object([
                "client_id": .string, "watching": .boolean, "session_id": .string, "workspace_id": .string,
                "timestamp": .time,
            ])
        case .stop: .hook(["cwd": .any, "transcript_path": .any])
        case .toolEnd: Schema.toolEnd.event
        case .toolStart:
            .hook([
                "cwd": .any, "tool_name": .any, "tool_input": .any, "tool_use_id": .any, "transcript_path": .any,
                "permission_mode": .any,
            ])
        case .workspaceAdded, .workspaceRemoved: Schema.workspaceMembers.liveEvent
        case .transcriptMessage: .transcriptEvent
        }
    }
}

extension Schema {
    /// The members of a hook's event: those named, `""` if the agent sent none, and any other member that it sent.
    fileprivate static func hook(_ members: KeyValuePairs<String, Schema>) -> Schema {
        object(members).with(object(["hook_event_name": .string])).event.setting("additionalProperties", true)
    }

    /// These members, and those that every recorded event has.
    fileprivate var event: Schema {
        with(
            .object([
                "agent": .agent.optional, "session_id": .string, "workspace_id": .string, "timestamp": .time,
                "sequence": .count, "truncated": .truncated.optional,
            ]))
    }

    /// These members, and those of every live event.
    fileprivate var liveEvent: Schema {
        with(.object(["session_id": .string, "workspace_id": .string, "timestamp": .time]))
    }

    fileprivate static let ending = object([
        "tool_use_id": .string, "request_id": .string, "opening": .count, "type": .cardKind, "tool_name": .string,
        "target": .string, "terminal_prompt": .boolean, "input": decision.meaning("the same, for older clients"),
        "corrects": .boolean.meaning("an earlier event of this opening said otherwise"),
    ]).with(resolution)

    fileprivate static let toolEnd = object([
        "cwd": .string, "tool_name": .string, "tool_input": .any, "tool_result": .any, "tool_use_id": .string,
        "transcript_path": .string, "permission_mode": .string, "hook_event_name": Schema(["const": "PostToolUse"]),
        "is_error": .boolean, "duration_ms": .integer.orNull, "started_at": .time, "agent_id": .string.orNull,
    ])
}
