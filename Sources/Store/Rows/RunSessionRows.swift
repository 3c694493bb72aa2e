import Core
import OrderedJSON

extension Database {
    /// - Parameter boot: the start of the machine in which the session's process was started.
    func write(_ session: RunSession, boot: String) throws(StoreError) {
        let life = LifeColumns(session.life)
        try run(
            """
            INSERT OR REPLACE INTO run_sessions (
                id, workspace_id, directory, started_at, last_activity, agent_id, mode, model, title, life, end_reason,
                end_text, end_step, run, pid, start_time, boot, has_conversation, is_busy, tells_state, tasks, prompts,
                requests, read_to, servers, wished_mode, wish_request, effort, project_settings)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(session.id), .text(session.workspaceID), .text(session.directory),
                SQLValue(session.startedAt), SQLValue(session.clocks.lastActivity), .text(session.agentID),
                .text(session.mode.spelling), SQLValue(session.model), SQLValue(session.title), .text(life.life),
                SQLValue(life.reason), SQLValue(life.text), SQLValue(life.step), SQLValue(session.run),
                SQLValue(session.process?.pid), SQLValue(session.process?.startTime), .text(boot),
                SQLValue(session.hasConversation), SQLValue(session.isBusy), SQLValue(session.tellsState),
                SQLValue(session.tasks.sorted()), SQLValue(JSON.array(session.prompts.map(\.row))),
                SQLValue(JSON.array(session.requests.map(\.row))), .integer(session.clocks.readTo),
                SQLValue(JSON.array(session.servers.map(\.row))),
                SQLValue(session.wish?.mode.spelling), SQLValue(session.wish?.request),
                SQLValue(session.effort), SQLValue(session.projectSettings?.rawValue),
            ])
    }

    func deleteRunSession(id: String) throws(StoreError) {
        try run("DELETE FROM run_sessions WHERE id = ?", [.text(id)])
    }

    /// Oldest first. Processes of another start of the machine are gone.
    func runSessions(boot: String) throws(StoreError) -> [RunSession] {
        try query(
            """
            SELECT id, workspace_id, directory, started_at, last_activity, agent_id, mode, model, title, life,
                end_reason, end_text, end_step, run, pid, start_time, boot, has_conversation, is_busy, tells_state,
                tasks, prompts, requests, read_to, servers, wished_mode, wish_request, effort,
                project_settings
            FROM run_sessions ORDER BY started_at, id
            """, []
        ) { (row: inout Row) throws(StoreError) in try RunSession(&row, boot: boot) }
    }
}

extension RunSession {
    fileprivate init(_ row: inout Row, boot: String) throws(StoreError) {
        let (id, workspaceID, directory) = (row.text(), row.text(), row.text())
        let (startedAt, lastActivity) = (row.time(), row.time())
        let (agentID, mode) = (row.text(), PermissionMode(row.text()))
        let (model, title) = (try row.optional { $0.text() }, try row.optional { $0.text() })
        let life = try LifeColumns(&row).value()
        let run = Int(row.integer())
        let (pid, startTime) = (try row.optional { $0.integer() }, try row.optional { $0.integer() })
        let isOfThisBoot = row.text() == boot
        let process = pid.flatMap { pid in
            startTime.map { ProcessIdentity(pid: Int32(truncatingIfNeeded: pid), startTime: UInt64(bitPattern: $0)) }
        }
        let (hasConversation, isBusy, tellsState) = (row.bool(), row.bool(), row.bool())
        let tasks = Set(try row.strings())
        let prompts = (try row.json().arrayValue ?? []).compactMap(SessionPrompt.init(row:))
        let requests = (try row.json().arrayValue ?? []).compactMap(OpenChildRequest.init(row:))
        let readTo = row.integer()
        let servers = (try row.json().arrayValue ?? []).compactMap(ToolServer.init(row:))
        let wish = try ModeWish(&row)
        let effort = try row.optional { $0.text() }
        let settings = try row.optional { $0.text() }.flatMap(ProjectSettings.init(rawValue:))
        self.init(
            id: id, workspaceID: workspaceID, directory: directory, startedAt: startedAt, agentID: agentID, mode: mode,
            wish: wish, model: model, effort: effort, title: title, projectSettings: settings, life: life, run: run,
            process: isOfThisBoot ? process : nil,
            hasConversation: hasConversation, isBusy: isBusy, tellsState: tellsState, tasks: tasks, prompts: prompts,
            requests: requests, clocks: RunClocks(lastActivity: lastActivity, readTo: readTo), servers: servers)
    }
}

extension ModeWish {
    fileprivate init?(_ row: inout Row) throws(StoreError) {
        let (mode, request) = (try row.optional { $0.text() }, try row.optional { $0.text() })
        guard let mode, let request else { return nil }
        self.init(mode: PermissionMode(mode), request: request)
    }
}

/// The progress of a process, as four columns.
private struct LifeColumns {
    var life: String
    var reason: String?
    var text: String?
    var step: String?

    init(_ value: RunLife) {
        switch value {
        case .ended(let end):
            life = "ended"
            note(end)
        case .ending(let ending):
            life = "ending"
            step = ending.step.rawValue
            if case .end(let end) = ending.purpose { note(end) } else { reason = "park" }
        case .parked: life = "parked"
        case .ready: life = "ready"
        case .starting: life = "starting"
        }
    }

    init(_ row: inout Row) throws(StoreError) {
        life = row.text()
        reason = try row.optional { $0.text() }
        text = try row.optional { $0.text() }
        step = try row.optional { $0.text() }
    }

    private mutating func note(_ end: RunEnd) {
        switch end {
        case .forgotten: reason = "forgotten"
        case .intruded: reason = "intruded"
        case .neverStarted(let words): (reason, text) = ("never_started", words)
        case .outputTooLong: reason = "output_too_long"
        case .stopped: reason = "stopped"
        }
    }

    func value() throws(StoreError) -> RunLife {
        switch life {
        case "ended": return .ended(try end())
        case "ending":
            guard let step = RunEnding.Step(rawValue: step ?? "") else { break }
            return .ending(RunEnding(reason == "park" ? .park : .end(try end()), step: step))
        case "parked": return .parked
        case "ready": return .ready
        case "starting": return .starting
        default: break
        }
        throw StoreError(.corrupt, "no life of a run session is spelled \(life)")
    }

    private func end() throws(StoreError) -> RunEnd {
        switch reason {
        case "forgotten": return .forgotten
        case "intruded": return .intruded
        case "never_started": return .neverStarted(text ?? "")
        case "output_too_long": return .outputTooLong
        case "stopped": return .stopped
        default: throw StoreError(.corrupt, "no end of a run session is spelled \(reason ?? "")")
        }
    }
}

extension SessionPrompt {
    fileprivate var row: JSON {
        [
            .string(id), .string(state.rawValue), .bool(isFollowed), .array(blocks.map(\.row)), .bool(isRepeated),
            sender.map(JSON.string) ?? .null,
        ]
    }

    fileprivate init?(row: JSON) {
        guard let values = row.arrayValue, values.count >= 5, let id = values[0].stringValue,
            let state = State(rawValue: values[1].stringValue ?? "")
        else { return nil }
        let blocks = (values[3].arrayValue ?? []).compactMap(PromptBlock.init(row:))
        self.init(
            id: id, blocks: blocks, state: state, isFollowed: values[2] == true, isRepeated: values[4] == true,
            sender: values.count > 5 ? values[5].stringValue : nil)
    }
}

extension PromptBlock {
    /// A text, or a picture's type and data.
    fileprivate var row: JSON {
        switch self {
        case .image(let mediaType, let data): [.string(mediaType), .string(data)]
        case .text(let text): .string(text)
        }
    }

    fileprivate init?(row: JSON) {
        if let text = row.stringValue {
            self = .text(text)
        } else if let values = row.arrayValue, values.count == 2, let type = values[0].stringValue,
            let data = values[1].stringValue
        {
            self = .image(mediaType: type, data: data)
        } else {
            return nil
        }
    }
}

extension ToolServer {
    /// Its name, how it is reached, and what that needs.
    fileprivate var row: JSON {
        switch reach {
        case .http(let url, let headers): [.string(name), "http", .string(url), [], Self.row(headers)]
        case .process(let command, let arguments, let environment):
            [.string(name), "process", .string(command), .array(arguments.map(JSON.string)), Self.row(environment)]
        case .sse(let url, let headers): [.string(name), "sse", .string(url), [], Self.row(headers)]
        }
    }

    private static func row(_ settings: [Setting]) -> JSON {
        .array(settings.map { [.string($0.name), .string($0.value)] })
    }

    fileprivate init?(row: JSON) {
        guard let values = row.arrayValue, values.count >= 5, let name = values[0].stringValue,
            let target = values[2].stringValue
        else { return nil }
        let settings = (values[4].arrayValue ?? []).compactMap { pair -> Setting? in
            guard let pair = pair.arrayValue, pair.count == 2 else { return nil }
            return Setting(name: pair[0].stringValue ?? "", value: pair[1].stringValue ?? "")
        }
        switch values[1] {
        case "http": self.init(name: name, reach: .http(url: target, headers: settings))
        case "process":
            let arguments = (values[3].arrayValue ?? []).compactMap(\.stringValue)
            self.init(
                name: name, reach: .process(command: target, arguments: arguments, environment: settings))
        case "sse": self.init(name: name, reach: .sse(url: target, headers: settings))
        default: return nil
        }
    }
}

extension OpenChildRequest {
    fileprivate var row: JSON {
        [
            .string(id), .string(kind.rawValue), .number(JSONNumber(Int(place.offset))),
            .number(JSONNumber(place.length)), .string(directory),
        ]
    }

    fileprivate init?(row: JSON) {
        guard let values = row.arrayValue, values.count >= 4, let id = values[0].stringValue,
            let kind = ChildRequest.Kind(rawValue: values[1].stringValue ?? ""), let offset = values[2].intValue,
            let length = values[3].intValue
        else { return nil }
        self.init(
            id: id, kind: kind, place: SpoolPlace(offset: Int64(offset), length: length),
            directory: values.count > 4 ? values[4].stringValue ?? "" : "")
    }
}
