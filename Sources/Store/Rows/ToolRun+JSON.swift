import Core
import OrderedJSON

/// One entry of a session's tool history in the form of the column `tools`.
extension ToolRun {
    var json: JSON {
        var object = JSONObject()
        object["use_id"] = .string(useID)
        object["tool_name"] = .string(toolName)
        object["tool_input"] = toolInput
        object["input_bytes"] = inputBytes.map { .number(JSONNumber($0)) }
        object["session_id"] = .string(sessionID)
        object["cwd"] = .string(cwd)
        object["agent_id"] = agentID.map { .string($0) }
        object["transcript_path"] = .string(transcriptPath)
        object["permission_mode"] = .string(permissionMode.spelling)
        object["started_at"] = .time(startedAt)
        object["ended_at"] = endedAt.map { .time($0) }
        object["is_error"] = isError.map { .bool($0) }
        return .object(object)
    }

    init?(_ json: JSON, _ tools: any ToolCatalog) {
        guard let useID = json["use_id"]?.stringValue, let toolName = json["tool_name"]?.stringValue,
            let toolInput = json["tool_input"], let sessionID = json["session_id"]?.stringValue,
            let cwd = json["cwd"]?.stringValue, let transcriptPath = json["transcript_path"]?.stringValue,
            let mode = json["permission_mode"]?.stringValue, let startedAt = json["started_at"]?.timeValue
        else { return nil }
        self.init(
            useID: useID, tool: tools.tool(named: toolName, of: Agent(sessionID: sessionID)), toolInput: toolInput,
            inputBytes: json["input_bytes"]?.intValue,
            sessionID: sessionID, cwd: cwd, agentID: json["agent_id"]?.stringValue, transcriptPath: transcriptPath,
            permissionMode: PermissionMode(mode), startedAt: startedAt, endedAt: json["ended_at"]?.timeValue,
            isError: json["is_error"]?.boolValue)
    }
}

extension JSON {
    fileprivate static func time(_ time: Timestamp) -> JSON {
        .number(JSONNumber(Int(time.milliseconds)))
    }

    fileprivate var timeValue: Timestamp? {
        intValue.map { Timestamp(milliseconds: Int64($0)) }
    }
}
