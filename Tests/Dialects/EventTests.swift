import Agents
import Core
import Dialects
import OrderedJSON
import TestSupport
import Testing

@Suite struct EventTests {
    private func encode(_ body: EventBody, sequence: Int64 = 12) throws -> JSON {
        let event = EventRecord(sequence: sequence, at: moment(1.9), sessionID: "s1", body: body)
        let notification = try JSON(parsing: EventEncoder.encode(.record(event)))
        let complaints = SchemaCheck.complaints(
            about: try #require(notification["params"]), body.kind.notification.parameters)
        #expect(complaints == [], "\(body.kind)")
        return notification
    }

    private func hook(_ raw: JSONObject) throws -> AgentEvent {
        try AgentEvent(hookInput: .object(raw))
    }

    @Test func asksAsTheGuideShows() throws {
        var request = heldRequest(patterns: ["Bash(npm test:*)"])
        request.root = "/p"
        let expected = #"""
            {"jsonrpc":"2.0","method":"event/pty_permission","params":{"tool_use_id":"toolu_1","type":"bash_command",
            "target":"npm test","description":"npm test","preview":"","options":[
            {"key":"allow_once","label":"Allow Once","description":"Allow this one request","selected":false},
            {"key":"allow_session","label":"Allow for Session","description":"Allow similar requests for this session","selected":false},
            {"key":"deny","label":"Deny","description":"Deny this request","selected":false}],
            "request_id":"r_1","tool_name":"Bash","tool_input":{"command":"npm test"},"cwd":"/p",
            "patterns":["Bash(npm test:*)"],"deny_patterns":[],"confirm":null,"created_at":"2026-11-20T10:30:00Z","deadline":"2026-11-20T10:31:00Z",
            "kind":"shell_command","members":{"command":"command","note":"description","timeout":"timeout"},"title":"Run a command",
            "terminal_prompt":false,"permission_mode":"default","agent_id":null,"agent_type":null,
            "hidden_characters":[],"truncated":{},"unverified":false,"opening":1,"agent":"claude","can_ask":true,"scope_words":"any `npm test …` in p, until the session ends or you revoke it","outside":false,"context":{"title":null,"prompt":null,"last_words":null},"rules_note":null,"session_id":"s1","workspace_id":"",
            "timestamp":"2026-11-20T10:30:01Z","sequence":12}}
            """#
        #expect(try encode(.permission(request)) == JSON(parsing: expected))
    }

    @Test func offersASessionOnlyWithAPattern() throws {
        let options = try encode(.permission(heldRequest()))["params"]?["options"]?.arrayValue
        #expect(options?.map { $0["key"] } == ["allow_once", "deny"])
    }

    @Test(arguments: [
        (RuleLimit.tooLarge, ["Bash(npm test)"], "only exactly this call"), (.tooLarge, [], "asked each time"),
        (.noAnswer, [], "disk did not answer"),
    ])
    func saysWhyRulesHaveNoSay(limit: RuleLimit, patterns: [String], part: String) throws {
        var request = heldRequest(patterns: patterns)
        request.ruleLimit = limit
        #expect(try encode(.permission(request))["params"]?["rules_note"]?.stringValue?.contains(part) == true)
    }

    @Test func tellsHowARequestEnded() throws {
        let resolution = Resolution(
            decision: .deny, scope: .once, resolver: .device(name: "phone"), reason: "denied by phone", at: moment(1))
        let params = try #require(try encode(.permissionResolved(heldRequest(), resolution, corrects: true))["params"])
        #expect(params["request_id"] == "r_1" && params["tool_use_id"] == "toolu_1" && params["opening"] == 1)
        #expect(params["decision"] == "deny" && params["input"] == "deny" && params["scope"] == "once")
        #expect(params["resolved_by"] == "device phone" && params["reason"] == "denied by phone")
        #expect(params["target"] == "npm test" && params["type"] == "bash_command")
        #expect(params["corrects"] == true && params["session_id"] == "s1" && params["workspace_id"] == "")
        let quiet = Resolution(decision: .pass, resolver: .timeout, reason: "nobody answered", at: moment(1))
        let other = try encode(.permissionResolved(heldRequest(), quiet, corrects: false))["params"]
        #expect(other?["scope"] == JSON.null && other?["corrects"] == false)
    }

    @Test func forwardsWhatClaudeTold() throws {
        let raw: JSONObject = [
            "session_id": "s1", "hook_event_name": "SessionStart", "source": "resume", "model": "m", "sequence": 99,
        ]
        let params = try encode(.sessionStart(hook(raw)))["params"]
        #expect(params?["tool"] == "claude_code" && params?["source"] == "hook" && params?["start_source"] == "resume")
        #expect(params?["cwd"] == "" && params?["transcript_path"] == "" && params?["model"] == "m")
        #expect(params?["sequence"] == 12 && params?["timestamp"] == "2026-11-20T10:30:01Z")
    }

    /// Events that are not recorded.
    @Test func namesEveryEvent() throws {
        let told = try hook(["session_id": "s1", "hook_event_name": "PreToolUse", "tool_name": "Bash", "prompt": "hi"])
        let run = ToolRun(
            useID: "t", tool: .claude("Bash"), toolInput: [:], sessionID: "s1", cwd: "/p", agentID: nil,
            transcriptPath: "/t",
            permissionMode: .default, startedAt: moment(0))
        let resolution = Resolution(decision: .allow, resolver: .local, reason: "r", at: moment(0))
        let seen = Bystander(
            agent: .cursor, sessionID: "cursor:c1", cwd: "/p", firstSeen: moment(0), lastSeen: moment(0))
        let bodies: [EventBody] = [
            .agentNotHeld(seen),
            .agentRefused(method: "permission/respond", pid: 9), .notification(told), .prompt(told),
            .sessionStart(told), .sessionEnd(sessionID: "s1", cwd: "/p", reason: "other"), .stop(told),
            .toolEnd(run, response: KeptJSON(["stdout": "x"]), isError: false, durationMilliseconds: 20),
            .toolStart(told),
            .denyIgnored(IgnoredDeny(heldRequest(), resolution)),
            .devicePaired(id: "d_1", name: "phone", rights: .viewer),
            .deviceRevoked(id: "d_1", name: "phone", reason: "r", rules: [sessionRule()]),
            .pairingRequested(try pairingRequest()), .permission(heldRequest()),
            .permissionResolved(heldRequest(), resolution, corrects: false),
        ]
        let names = try bodies.map { try encode($0)["method"]?.stringValue?.dropFirst(6) }
        let recorded = Set(EventKind.allCases).subtracting(EventKind.live).map(\.wireName).sorted()
        #expect(names.map { $0.map(String.init) } == recorded)
        let end = try encode(bodies[7])["params"]
        #expect(end?["tool_result"] == ["stdout": "x"] && end?["is_error"] == false && end?["duration_ms"] == 20)
        #expect(end?["hook_event_name"] == "PostToolUse" && end?["tool_use_id"] == "t")
        let start = try encode(bodies[8])["params"]
        #expect(start?["tool_input"] == [:] && start?["tool_use_id"] == "" && start?["permission_mode"] == "")
    }

    @Test func tellsOfDevices() throws {
        let paired = try encode(.devicePaired(id: "d_1", name: "phone", rights: .approver))["params"]
        #expect(paired?["device_id"] == "d_1" && paired?["name"] == "phone")
        #expect(paired?["rights"] == ["decide", "read", "report"])
        let revoked = try encode(.deviceRevoked(id: "d_1", name: "phone", reason: "why", rules: [sessionRule()]))
        #expect(revoked["params"]?["reason"] == "why")
        #expect(revoked["params"]?["rules_dropped"]?.arrayValue?.first?["pattern"] == "Bash(ls:*)")
        let asked = try encode(.pairingRequested(try pairingRequest()))["params"]
        #expect(asked?["request_id"] == "preq_1" && asked?["name"] == "phone" && asked?["address"] == "192.0.2.7")
        #expect(asked?["expires_at"] == "2026-11-20T10:32:00Z")
    }

    private func sessionRule() -> SessionRule {
        SessionRule(
            id: "rule_1", sessionID: "s1", effect: .allow, pattern: "Bash(ls:*)", createdAt: moment(0),
            grantedBy: "device phone", requestID: "r_1")
    }

    private func pairingRequest() throws -> PairingRequest {
        var book = PairingBook()
        _ = book.offer(id: "pair_1", token: [1], code: [2], name: nil, level: .view, at: instant(0))
        _ = book.type(code: [2], ticket: [3], at: instant(0))
        let phone = PairingCandidate(name: "phone", platform: "iOS", address: "192.0.2.7")
        guard
            case .waiting(let request, isNew: true) = book.exchange(
                token: [3], by: phone, requestID: "preq_1", at: instant(0))
        else { throw FakeDaemon.Broken() }
        return request
    }

    @Test func tellsOfRepositories() throws {
        var status = GitStatus()
        status.branch = "main"
        status.staged = [GitStatus.Entry(GitPath("a".utf8), "M")]
        status.unstaged = [GitStatus.Entry(GitPath("a".utf8), "M"), GitStatus.Entry(GitPath([0xFF]), "M")]
        let bodies: [LiveEvent.Body] = [
            .gitStatusChanged(GitSummary(status, operation: .merge)), .gitBranchChanged(from: nil, to: "main"),
        ]
        let sent = try bodies.map {
            try JSON(
                parsing: EventEncoder.encode(
                    .live(LiveEvent(at: moment(0), workspaceID: "ws-1", sessionID: "", body: $0))))
        }
        for (body, event) in zip(bodies, sent) {
            let schema = body.kind.notification.parameters
            #expect(SchemaCheck.complaints(about: try #require(event["params"]), schema) == [])
            #expect(event["params"]?["workspace_id"] == "ws-1")
        }
        #expect(sent.map { $0["method"] } == ["event/git_status_changed", "event/git_branch_changed"])
        let params = sent[0]["params"]
        #expect(params?["branch"] == "main" && params?["staged_count"] == 1 && params?["unstaged_count"] == 2)
        #expect(params?["untracked_count"] == 0 && params?["changed_files"] == ["a", #""\377""#])
        #expect(sent[1]["params"]?["from_branch"] == "HEAD" && sent[1]["params"]?["to_branch"] == "main")
    }

    @Test func beatsWithoutASequence() throws {
        let beat = try JSON(parsing: EventEncoder.encode(.live(LiveEvent(at: moment(0), body: .heartbeat(uptime: 30)))))
        let schema = EventKind.heartbeat.notification.parameters
        #expect(SchemaCheck.complaints(about: try #require(beat["params"]), schema) == [])
        #expect(beat["method"] == "event/heartbeat" && beat["params"]?["uptime_seconds"] == 30)
        #expect(beat["params"]?["server_time"] == "2026-11-20T10:30:00Z" && beat["params"]?["sequence"] == nil)
    }
}
