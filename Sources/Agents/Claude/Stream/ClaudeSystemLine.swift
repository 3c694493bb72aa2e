import Core
import OrderedJSON

/// Lines of the type `system`.
enum ClaudeSystemLine {
    static func event(_ line: JSON) -> ChildEvent {
        switch line["subtype"]?.stringValue {
        case "background_tasks_changed": .backgroundTasks(tasks(line["tasks"]))
        case "init": turn(line)
        case "session_state_changed": state(line["state"])
        case "session_title_changed":
            line["title"]?.stringValue.flatMap(CallContext.beginning).map { .title($0) } ?? .other
        case "status": line["permissionMode"]?.stringValue.map { .mode(PermissionMode($0)) } ?? .other
        case "task_notification": ClaudeStream.id(line["task_id"]).map { .taskEnded($0) } ?? .other
        case "task_started": ClaudeStream.id(line["task_id"]).map { .taskStarted($0) } ?? .other
        case "task_updated": update(line)
        default: .other
        }
    }

    private static func turn(_ line: JSON) -> ChildEvent {
        guard let id = ClaudeStream.id(line["session_id"]) else { return .other }
        return .turn(
            TurnFacts(
                agentID: id, mode: PermissionMode(line["permissionMode"]?.stringValue ?? "default"),
                model: ClaudeStream.id(line["model"])))
    }

    private static func state(_ value: JSON?) -> ChildEvent {
        switch value?.stringValue {
        case "idle": .state(.idle)
        case "requires_action": .state(.asking)
        case "running": .state(.running)
        default: .other
        }
    }

    private static func tasks(_ list: JSON?) -> Set<String> {
        Set(
            (list?.arrayValue ?? []).prefix(RunSession.mostTasks).compactMap {
                ClaudeStream.id($0["task_id"] ?? $0["id"])
            })
    }

    private static func update(_ line: JSON) -> ChildEvent {
        let status = (line["status"] ?? line["patch"]?["status"])?.stringValue
        guard let task = ClaudeStream.id(line["task_id"]), let status else { return .other }
        return ["completed", "failed", "killed", "stopped"].contains(status) ? .taskEnded(task) : .other
    }
}
