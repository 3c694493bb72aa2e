import Core
import OrderedJSON
import Store
import TestSupport
import Testing

/// What is recorded today can be read by every later version. Where `isWrittenAsItWas` fails, either undo the change, or
/// write a new version and keep these samples as those of version 2.
struct EventRecordTests {
    private static let at = Timestamp(milliseconds: 1_000_000_000)
    /// The text of an id that is half a surrogate pair.
    private static let half = "\u{10FFFF}\u{E000}"

    struct Sample: Sendable, CustomTestStringConvertible {
        let body: EventBody
        /// What version 2 wrote.
        let text: String

        var testDescription: String { body.kind.rawValue }
    }

    @Test func thereIsASampleOfEachKind() {
        #expect(Set(Self.samples.map(\.body.kind)) == Set(EventKind.allCases).subtracting(EventKind.live))
    }

    @Test(arguments: samples) func isWrittenAsItWas(_ sample: Sample) async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit([.event(Self.record(sample.body))], .normal)
        let rows = try OtherConnection(directory.database).run(
            "SELECT sequence, at, workspace_id, session_id, kind, version, text, bytes FROM events")
        #expect(
            rows == [
                [
                    "41", "1000000000", "w1", "s1", sample.body.kind.rawValue, "2", sample.text,
                    "\(sample.text.utf8.count)",
                ]
            ])
        #expect(try await store.events(from: 41, limit: 1).events == [.record(Self.record(sample.body))])
    }

    @Test(arguments: samples) func isReadAsItWas(_ sample: Sample) async throws {
        let (store, _directory) = try await store(kind: sample.body.kind.rawValue, text: sample.text)
        #expect(try await store.events(from: 41, limit: 1).events == [.record(Self.record(sample.body))])
        _ = _directory
    }

    /// A later version of 2 may have more members.
    @Test(arguments: samples) func membersOfLaterVersionsAreLeftAlone(_ sample: Sample) async throws {
        let text = sample.text.dropLast() + #","later":{"x":1}}"#
        let (store, _directory) = try await store(kind: sample.body.kind.rawValue, text: String(text))
        #expect(try await store.events(from: 41, limit: 1).events == [.record(Self.record(sample.body))])
        _ = _directory
    }

    @Test(arguments: [
        ("prompt", 2, "{}"), ("prompt", 2, "no JSON"), ("prompt", 9, "{}"), ("dance", 2, "{}"), ("heartbeat", 2, "{}"),
    ])
    func whatCannotBeReadIsAGap(_ kind: String, _ version: Int, _ text: String) async throws {
        let (store, _directory) = try await store(kind: kind, version: version, text: text)
        try await store.commit([Samples.event(42)], .normal)
        #expect(try await store.events(from: 41, limit: 9) == page([42], next: 43, gap: true))
        _ = _directory
    }

    /// With it anybody who can read the replay could take the relay's place.
    @Test func theTokenOfARelayIsNotRecorded() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        let request = Samples.request(resolution: Samples.resolution())
        let end = EventBody.permissionResolved(request, Samples.resolution(), corrects: false)
        try await store.commit([.event(Self.record(.permission(request)))], .normal)
        try await store.commit(
            [.event(EventRecord(sequence: 42, at: Self.at, sessionID: "s1", body: end))], .normal)
        let texts = try OtherConnection(directory.database).run("SELECT text FROM events").map { $0[0] }
        #expect(texts.count == 2 && texts.allSatisfy { $0.contains("r_1") && !$0.contains("token") })
    }

    private static func record(_ body: EventBody) -> EventRecord {
        EventRecord(sequence: 41, at: at, workspaceID: "w1", sessionID: "s1", body: body)
    }

    private func store(kind: String, version: Int = 2, text: String) async throws -> (Store, StoreDirectory) {
        let directory = try StoreDirectory()
        let (first, _) = try await directory.open()
        try await first.close(nextSequence: 42)
        let written = text.replacing("'", with: "''")
        try OtherConnection(directory.database).script(
            """
            INSERT INTO events (sequence, at, bytes, total, text, version, workspace_id, session_id, kind)
            VALUES (41, 1000000000, 1, 1, '\(written)', \(version), 'w1', 's1', '\(kind)')
            """)
        return (try await directory.open().store, directory)
    }

    // MARK: Samples

    private static let hookText = """
        "cwd":"/p","prompt_id":"p1","permission_mode":"plan","agent_id":"\(half)","agent_type":"explore",\
        "tool_name":"Bash","tool_use_id":"t1","input":{"session_id":"s1","tool_name":"Bash",\
        "tool_input":{"command":"touch x","n":1.50}}}
        """

    private static func hook(_ name: HookEventName) -> AgentEvent {
        let input: JSON = ["command": "touch x", "n": .number(JSONNumber(spelling: "1.50")!)]
        return AgentEvent(
            name: name, sessionID: "s1", cwd: "/p", promptID: "p1", permissionMode: .plan, agentID: half,
            agentType: "explore", tool: ToolCall(tool: .claude("Bash"), input: input, useID: "t1"), details: .init(),
            sent: ["session_id": "s1", "tool_name": "Bash", "tool_input": input])
    }

    private static let start: AgentEvent = {
        var details = AgentEvent.Details()
        details.startSource = "resume"
        return AgentEvent(
            name: .sessionStart, sessionID: "s1", cwd: "/p", promptID: nil, permissionMode: .default, agentID: nil,
            agentType: nil, tool: nil, details: details, sent: ["session_id": "s1", "source": "resume"])
    }()

    private static let request: PermissionRequest = {
        var request = PermissionRequest(
            id: "r_1", toolUseID: "t1", sessionID: "s1", event: .preToolUse, tool: .claude("Bash"),
            input: KeptJSON(["command": "touch x"]), cwd: "/p", promptID: "p1", permissionMode: .unknown("later"),
            agentID: "a1", agentType: "explore", patterns: ["Bash(touch:*)"], denyPatterns: ["Bash(touch x)"],
            confirm: "touch", createdAt: at, deadline: at + 60, isTerminalPrompt: true, isUnverified: true, opening: 2)
        request.ruleLimit = .tooLarge
        return request
    }()

    private static let explained: PermissionRequest = {
        var request = Self.request
        request.context = CallContext(title: "t", prompt: "p", lastWords: "w")
        (request.root, request.isOutside) = ("/p", true)
        return request
    }()

    private static let untold: PermissionRequest = {
        var request = Self.request
        request.isOutside = nil
        return request
    }()

    private static let requestText = """
        {"id":"r_1","tool_use_id":"t1","event":"PreToolUse","tool_name":"Bash","cwd":"/p","prompt_id":"p1",\
        "permission_mode":"later","agent_id":"a1","agent_type":"explore","patterns":["Bash(touch:*)"],\
        "deny_patterns":["Bash(touch x)"],"confirm":"touch","rule_limit":"too_large","created_at":1000000000,\
        "deadline":1000060000,"is_terminal_prompt":true,"is_unverified":true,"opening":2
        """

    private static let resolution = Resolution(
        decision: .allow, scope: .session, resolver: .device(name: "phone"), reason: "because", at: at,
        message: "go on", updatedInput: ["command": "touch y"], isDelivered: true, isConfirmed: false)

    private static let run = ToolRun(
        useID: "t1", tool: .claude("Bash"), toolInput: ["command": "touch x"], inputBytes: 9000, sessionID: "s1",
        cwd: "/p",
        agentID: "a1", transcriptPath: "/t", permissionMode: .default, startedAt: at, endedAt: at + 1, isError: true)

    static let samples: [Sample] = [
        Sample(
            body: .agentNotHeld(
                Bystander(agent: .cursor, sessionID: "cursor:c", cwd: "/p", firstSeen: at, lastSeen: at + 1)),
            text: """
                {"agent":"cursor","session_id":"cursor:c","cwd":"/p","first_seen":1000000000,"last_seen":1000001000}
                """),
        Sample(
            body: .agentRefused(method: "permission/respond", pid: 9),
            text: #"{"method":"permission/respond","pid":9}"#),
        Sample(
            body: .denyIgnored(
                IgnoredDeny(
                    requestID: "r_1", toolUseID: half, toolName: "Bash", sessionID: "s1", cwd: "/p",
                    deniedBy: .link(channel: "ntfy"), deniedAt: at, isUnverified: true)),
            text: """
                {"request_id":"r_1","tool_use_id":"\(half)","tool_name":"Bash","cwd":"/p","denied_by":"link ntfy",\
                "denied_at":1000000000,"is_unverified":true}
                """),
        Sample(
            body: .devicePaired(id: "d_1", name: "phone", rights: .approver),
            text: #"{"id":"d_1","name":"phone","rights":["decide","read","report"]}"#),
        Sample(
            body: .deviceRevoked(id: "d_1", name: "phone", reason: "lost", rules: [Samples.rule()]),
            text: """
                {"id":"d_1","name":"phone","reason":"lost","rules":[{"id":"rule_1","session_id":"s1","effect":"allow",\
                "pattern":"Bash(touch:*)","created_at":1000000000,"granted_by":"device phone","device_id":"t_1",\
                "request_id":"r_1","last_match":1000000000}]}
                """),
        Sample(body: .notification(hook(.notification)), text: #"{"event":"Notification","# + hookText),
        Sample(
            body: .pairingRequested(
                PairingRequest(
                    id: "preq_1", offer: "pair_1", name: "phone", platform: "iOS", address: "192.0.2.7", level: .view,
                    createdAt: at, expiresAt: at + 120)),
            text: """
                {"id":"preq_1","offer":"pair_1","name":"phone","platform":"iOS","address":"192.0.2.7","level":"view",\
                "created_at":1000000000,"expires_at":1000120000}
                """),
        Sample(body: .permission(request), text: requestText + #","input":{"command":"touch x"}}"#),
        Sample(
            body: .permission(explained),
            text: requestText
                + #","root":"/p","is_outside":true,"title":"t","prompt":"p","last_words":"w","input":{"command":"touch x"}}"#
        ),
        Sample(
            body: .permission(untold), text: requestText + #","is_outside":null,"input":{"command":"touch x"}}"#),
        Sample(
            body: .permissionResolved(request, resolution, corrects: true),
            text: #"{"request":\#(requestText)},"# + """
                "resolution":{"decision":"allow","scope":"session","resolver":"device phone","reason":"because",\
                "at":1000000000,"message":"go on","is_delivered":true,"is_confirmed":false},"corrects":true,\
                "input":{"command":"touch x"},"updated_input":{"command":"touch y"}}
                """),
        Sample(
            body: .permissionResolved(
                request, Resolution(decision: .pass, resolver: .timeout, reason: "late", at: at), corrects: false),
            text: #"{"request":\#(requestText)},"# + """
                "resolution":{"decision":"pass","scope":null,"resolver":"timeout","reason":"late","at":1000000000,\
                "message":null,"is_delivered":false,"is_confirmed":true},"corrects":false,\
                "input":{"command":"touch x"}}
                """),
        Sample(body: .prompt(hook(.userPromptSubmit)), text: #"{"event":"UserPromptSubmit","# + hookText),
        Sample(
            body: .prompt(
                AgentEvent(
                    name: .other("Later"), sessionID: "s1", cwd: "", promptID: nil, permissionMode: .unknown(""),
                    agentID: nil, agentType: nil, tool: nil, details: .init(), sent: [:])),
            text: """
                {"event":"Later","cwd":"","prompt_id":null,"permission_mode":"","agent_id":null,"agent_type":null,\
                "tool_name":null,"tool_use_id":null,"input":{}}
                """),
        Sample(
            body: .sessionEnd(sessionID: "s1", cwd: "/p", reason: "clear"), text: #"{"cwd":"/p","reason":"clear"}"#),
        Sample(body: .sessionStart(hook(.sessionStart)), text: #"{"event":"SessionStart","# + hookText),
        Sample(
            body: .sessionStart(start),
            text: """
                {"event":"SessionStart","cwd":"/p","prompt_id":null,"permission_mode":"default","agent_id":null,\
                "agent_type":null,"tool_name":null,"tool_use_id":null,"start_source":"resume",\
                "input":{"session_id":"s1","source":"resume"}}
                """),
        Sample(body: .stop(hook(.stop)), text: #"{"event":"Stop","# + hookText),
        Sample(
            body: .toolEnd(run, response: KeptJSON(["stdout": "made"]), isError: true, durationMilliseconds: 20),
            text: """
                {"run":{"tool_use_id":"t1","tool_name":"Bash","input_bytes":9000,"cwd":"/p","agent_id":"a1",\
                "transcript_path":"/t","permission_mode":"default","started_at":1000000000,"ended_at":1000001000,\
                "is_error":true},"failed":true,"duration_ms":20,"input":{"command":"touch x"},\
                "response":{"stdout":"made"}}
                """),
        Sample(body: .toolStart(hook(.preToolUse)), text: #"{"event":"PreToolUse","# + hookText),
    ]
}
