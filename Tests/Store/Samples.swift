import Core
import OrderedJSON
import TestSupport

/// Values with something in every field.
enum Samples {
    static func request(
        _ id: String = "r_1", session: String = "s1", input: JSON = ["command": "touch x"], at: Int64 = 1_000_000_000,
        opening: Int = 1, resolution: Resolution? = nil
    ) -> PermissionRequest {
        PermissionRequest(
            id: id, toolUseID: "toolu_" + id, sessionID: session, event: .preToolUse, tool: .claude("Bash"),
            input: KeptJSON(input), cwd: "/home/u/work", promptID: "p1", permissionMode: .default, agentID: "a1",
            agentType: "explore", patterns: ["Bash(touch:*)"], denyPatterns: ["Bash(touch x)"],
            createdAt: Timestamp(milliseconds: at), deadline: Timestamp(milliseconds: at + 60_000), opening: opening,
            relayToken: "token", bodyDigest: [1, 2, 0, 255], resolution: resolution)
    }

    /// A request that was settled when it came, so that nobody was asked: by a rule, or because nobody could be asked.
    static func settled(_ id: String, at: Int64) -> PermissionRequest {
        var request = request(id, at: at, resolution: resolution(by: .rule(id: "rule_1"), at: at))
        request.deadline = request.createdAt
        return request
    }

    static func resolution(
        _ decision: Decision = .allow, by resolver: Resolver = .local, at: Int64 = 1_000_000_500
    ) -> Resolution {
        Resolution(decision: decision, resolver: resolver, reason: "because", at: Timestamp(milliseconds: at))
    }

    static func rule(
        _ id: String = "rule_1", session: String = "s1", effect: SessionRule.Effect = .allow,
        lastMatch: Int64 = 1_000_000_000, by grantor: String = "device phone", of device: String? = "t_1"
    ) -> SessionRule {
        SessionRule(
            id: id, sessionID: session, effect: effect, pattern: "Bash(touch:*)",
            createdAt: Timestamp(milliseconds: 1_000_000_000), grantedBy: grantor, deviceID: device,
            requestID: "r_1",
            lastMatch: Timestamp(milliseconds: lastMatch))
    }

    static func session(_ id: String = "s1", ended: Int64? = nil, tools: [ToolRun] = []) -> ExternalSession {
        ExternalSession(
            id: id, cwd: "/home/u/work/sub", root: "/home/u/work", transcriptPath: "/t.jsonl", permissionMode: .plan,
            startedAt: Timestamp(milliseconds: 1_000_000_000), lastActivity: Timestamp(milliseconds: 1_000_000_001),
            claudePID: 77, claudeStartTime: UInt64.max - 1, isAttended: false, isUnverified: true, tools: tools,
            endedAt: ended.map { Timestamp(milliseconds: $0) })
    }

    static func run(_ id: String, isError: Bool?) -> ToolRun {
        ToolRun(
            useID: id, tool: .claude("Write"), toolInput: ["b": 1.50, "a": ["x"]],
            inputBytes: isError == nil ? nil : 9000, sessionID: "s1", cwd: "/w",
            agentID: isError == nil ? nil : "a", transcriptPath: "/t", permissionMode: .unknown("later"),
            startedAt: Timestamp(milliseconds: 5), endedAt: isError.map { _ in Timestamp(milliseconds: 6) },
            isError: isError)
    }

    static func event(_ sequence: Int64, at: Int64 = 1_000_000_000, text: String = "") -> StoreChange {
        .event(record(sequence, at: at, text: text))
    }

    static func record(_ sequence: Int64, at: Int64 = 1_000_000_000, text: String = "") -> EventRecord {
        EventRecord(
            sequence: sequence, at: Timestamp(milliseconds: at), sessionID: "s1",
            body: .sessionEnd(sessionID: "s1", cwd: "", reason: text))
    }

    /// Bytes of the body of such an event, beside its text.
    static let emptyEvent = #"{"cwd":"","reason":""}"#.utf8.count

    static func device(_ id: String = "d_1", name: String = "phone") -> Device {
        Device(
            id: id, name: name, rights: .approver, createdAt: Timestamp(milliseconds: 1_000_000_000),
            credential: .token(hash: (0..<32).map { UInt8($0) }))
    }

    static func paired(_ id: String = "d_2", name: String = "tablet") -> Device {
        let digests = (0..<4).map { [UInt8](repeating: $0, count: 32) }
        return Device(
            id: id, name: name, rights: .viewer, platform: "Android",
            createdAt: Timestamp(milliseconds: 1_000_000_001),
            credential: .paired(
                RefreshChain(
                    family: digests[0], current: [digests[1], digests[2]], previous: digests[3],
                    renewedAt: Timestamp(milliseconds: 1_000_000_002))),
            lastSeen: Timestamp(milliseconds: 1_000_000_003), lastAddress: "192.0.2.7")
    }
}
