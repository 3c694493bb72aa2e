import Core
import OrderedJSON

/// Parses the bodies of events of version 2. A body that no version of cdev wrote is damage.
struct EventBodyReader {
    private let members: BodyMembers
    private let sessionID: String
    private let tools: any ToolCatalog

    static func body(
        _ kind: EventKind, _ text: String, sessionID: String, _ tools: any ToolCatalog
    ) throws(StoreError) -> EventBody {
        // Deeper than any input may be, so that every stored body can be read.
        guard let object = (try? JSON(parsing: text, depth: 1000))?.objectValue else {
            throw StoreError(.corrupt, "the body of an event does not parse")
        }
        return try EventBodyReader(members: BodyMembers(object), sessionID: sessionID, tools: tools).body(kind)
    }

    private func body(_ kind: EventKind) throws(StoreError) -> EventBody {
        switch kind {
        case .agentNotHeld: .agentNotHeld(try bystander())
        case .agentRefused:
            .agentRefused(method: try members.text("method"), pid: Int32(clamping: try members.integer("pid")))
        case .denyIgnored: .denyIgnored(try ignoredDeny())
        case .devicePaired:
            .devicePaired(
                id: try members.text("id"), name: try members.text("name"),
                rights: Set(members.strings("rights").compactMap(Right.init(rawValue:))))
        case .deviceRevoked:
            .deviceRevoked(
                id: try members.text("id"), name: try members.text("name"), reason: try members.text("reason"),
                rules: try rules())
        case .fileChanged, .gitBranchChanged, .gitStatusChanged, .heartbeat, .runCall, .runChildEnd,
            .runChildStart, .runDelta, .runInfo, .runLine, .runPermission, .runPromptEnd, .runQuestion, .runStatus,
            .runStopped, .runTasks,
            .runUsage, .sessionJoined, .sessionLeft, .sessionWatchChanged, .transcriptMessage, .workspaceAdded,
            .workspaceRemoved:
            throw StoreError(.corrupt, "a \(kind.rawValue) is never recorded")
        case .notification: .notification(try hook())
        case .pairingRequested: .pairingRequested(try pairingRequest())
        case .permission: .permission(try request(members))
        case .permissionResolved:
            .permissionResolved(
                try request(try members.object("request")), try resolution(), corrects: try members.bool("corrects"))
        case .prompt: .prompt(try hook())
        case .sessionEnd:
            .sessionEnd(sessionID: sessionID, cwd: try members.text("cwd"), reason: try members.text("reason"))
        case .sessionStart: .sessionStart(try hook())
        case .stop: .stop(try hook())
        case .toolEnd:
            .toolEnd(
                try run(), response: members.kept("response"), isError: try members.bool("failed"),
                durationMilliseconds: members.optionalInteger("duration_ms").map(Int64.init))
        case .toolStart: .toolStart(try hook())
        }
    }

    private func bystander() throws(StoreError) -> Bystander {
        Bystander(
            agent: try members.spelled("agent", Agent.init(rawValue:)), sessionID: try members.text("session_id"),
            cwd: try members.text("cwd"), firstSeen: try members.time("first_seen"),
            lastSeen: try members.time("last_seen"))
    }

    private func tool(named name: String) -> Tool { tools.tool(named: name, of: Agent(sessionID: sessionID)) }

    private func hook() throws(StoreError) -> AgentEvent {
        let sent = members.object["input"]?.objectValue ?? [:]
        let tool = members.optionalText("tool_name").map { name in
            ToolCall(
                tool: self.tool(named: name), input: sent["tool_input"] ?? [:],
                useID: members.optionalText("tool_use_id"))
        }
        var details = AgentEvent.Details()
        details.startSource = members.object["start_source"] ?? ""
        return AgentEvent(
            name: HookEventName(try members.text("event")), sessionID: sessionID, cwd: try members.text("cwd"),
            promptID: members.optionalText("prompt_id"),
            permissionMode: PermissionMode(try members.text("permission_mode")),
            agentID: members.optionalText("agent_id"), agentType: members.optionalText("agent_type"), tool: tool,
            details: details, sent: sent)
    }

    private func ignoredDeny() throws(StoreError) -> IgnoredDeny {
        IgnoredDeny(
            requestID: try members.text("request_id"), toolUseID: try members.text("tool_use_id"),
            toolName: try members.text("tool_name"), sessionID: sessionID, cwd: try members.text("cwd"),
            deniedBy: try members.spelled("denied_by") { Resolver($0) }, deniedAt: try members.time("denied_at"),
            isUnverified: try members.bool("is_unverified"))
    }

    private func pairingRequest() throws(StoreError) -> PairingRequest {
        PairingRequest(
            id: try members.text("id"), offer: try members.text("offer"), name: try members.text("name"),
            platform: try members.text("platform"), address: try members.text("address"),
            level: try members.spelled("level", AccessLevel.init(rawValue:)),
            createdAt: try members.time("created_at"), expiresAt: try members.time("expires_at"))
    }

    /// - Parameter asked: The request's members without its input, which is a member of the body itself.
    private func request(_ asked: BodyMembers) throws(StoreError) -> PermissionRequest {
        var request = PermissionRequest(
            id: try asked.text("id"), toolUseID: try asked.text("tool_use_id"), sessionID: sessionID,
            event: HookEventName(try asked.text("event")), tool: tool(named: try asked.text("tool_name")),
            input: members.kept("input"), cwd: try asked.text("cwd"), promptID: asked.optionalText("prompt_id"),
            permissionMode: PermissionMode(try asked.text("permission_mode")), agentID: asked.optionalText("agent_id"),
            agentType: asked.optionalText("agent_type"), patterns: asked.strings("patterns"),
            denyPatterns: asked.strings("deny_patterns"), confirm: asked.optionalText("confirm"),
            createdAt: try asked.time("created_at"), deadline: try asked.time("deadline"),
            isTerminalPrompt: try asked.bool("is_terminal_prompt"), isUnverified: try asked.bool("is_unverified"),
            opening: try asked.integer("opening"))
        request.root = asked.optionalText("root") ?? ""
        request.isOutside = (asked.object["is_outside"] ?? false).boolValue
        request.context = CallContext(
            title: asked.optionalText("title"), prompt: asked.optionalText("prompt"),
            lastWords: asked.optionalText("last_words"))
        request.ruleLimit = asked.optionalText("rule_limit").flatMap(RuleLimit.init(spelling:))
        return request
    }

    private func resolution() throws(StoreError) -> Resolution {
        let ending = try members.object("resolution")
        return Resolution(
            decision: try ending.spelled("decision", Decision.init(rawValue:)),
            scope: ending.optionalText("scope").flatMap(Scope.init(rawValue:)),
            resolver: try ending.spelled("resolver") { Resolver($0) }, reason: try ending.text("reason"),
            at: try ending.time("at"), message: ending.optionalText("message"),
            update: members.object["updated_input"].map { KeptJSON($0) }, isDelivered: try ending.bool("is_delivered"),
            isConfirmed: try ending.bool("is_confirmed"))
    }

    private func rules() throws(StoreError) -> [SessionRule] {
        var rules: [SessionRule] = []
        for value in members.object["rules"]?.arrayValue ?? [] {
            let rule = BodyMembers(value.objectValue ?? [:])
            rules.append(
                SessionRule(
                    id: try rule.text("id"), sessionID: try rule.text("session_id"),
                    effect: try rule.spelled("effect", SessionRule.Effect.init(rawValue:)),
                    pattern: try rule.text("pattern"), createdAt: try rule.time("created_at"),
                    grantedBy: try rule.text("granted_by"), deviceID: rule.optionalText("device_id"),
                    requestID: try rule.text("request_id"), lastMatch: try rule.time("last_match")))
        }
        return rules
    }

    private func run() throws(StoreError) -> ToolRun {
        let run = try members.object("run")
        return ToolRun(
            useID: try run.text("tool_use_id"), tool: tool(named: try run.text("tool_name")),
            toolInput: members.object["input"] ?? .null, inputBytes: run.optionalInteger("input_bytes"),
            sessionID: sessionID, cwd: try run.text("cwd"), agentID: run.optionalText("agent_id"),
            transcriptPath: try run.text("transcript_path"),
            permissionMode: PermissionMode(try run.text("permission_mode")),
            startedAt: try run.time("started_at"), endedAt: run.optionalTime("ended_at"),
            isError: run.object["is_error"]?.boolValue)
    }
}

extension RuleLimit {
    fileprivate init?(spelling: String) {
        switch spelling {
        case "no_answer": self = .noAnswer
        case "too_large": self = .tooLarge
        case "uncertain_input": self = .uncertainInput
        default: return nil
        }
    }
}
