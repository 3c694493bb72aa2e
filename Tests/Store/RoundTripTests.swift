import Core
import OrderedJSON
import Store
import TestSupport
import Testing

/// What was written is read back after the daemon has ended.
struct RoundTripTests {
    static let texts = ["", "plain", "ünïcödé 日本 👩‍👩‍👧", "nul\u{0}inside", "line\nbreak\t\"quoted\"", "e\u{301}", "\u{e9}"]

    @Test(arguments: texts)
    func keepsEveryText(_ text: String) async throws {
        let request = PermissionRequest(
            id: "r" + text, toolUseID: text, sessionID: text, event: .other("x" + text), tool: .claude(text),
            input: KeptJSON(["k": .string(text)]), cwd: text, promptID: text, permissionMode: .unknown("x" + text),
            agentID: text, agentType: text, patterns: [text, text], denyPatterns: [],
            createdAt: Timestamp(milliseconds: 1), deadline: Timestamp(milliseconds: -5), relayToken: text)
        #expect(try await restored([.request(request)]).requests == [request])
    }

    static let resolvers: [Resolver] = [
        .device(name: "my phone"), .hookGone, .local, .lost, .noApprover, .rule(id: "rule_9"), .sessionLimit, .terminal,
        .timeout,
    ]

    @Test(arguments: resolvers)
    func keepsEveryEnd(_ resolver: Resolver) async throws {
        var requests: [PermissionRequest] = []
        for decision in [Decision.allow, .ask, .deny, .pass] {
            for scope in [nil, Scope.once, .session] {
                var resolution = Samples.resolution(decision, by: resolver)
                resolution.scope = scope
                resolution.message = scope == nil ? nil : "m"
                resolution.update = scope == .once ? KeptJSON(["z": 1.0, "a": nil]) : nil
                if case .device = resolver, scope != .session { resolution.deviceID = "d_1" }
                resolution.isDelivered = scope == .session
                resolution.isConfirmed = scope == nil
                requests.append(Samples.request("r_\(requests.count)", resolution: resolution))
            }
        }
        try await expectKept(requests)
    }

    static let modes: [PermissionMode] = [
        .acceptEdits, .auto, .bypassPermissions, .default, .dontAsk, .plan, .unknown("new"),
    ]

    @Test(arguments: modes)
    func keepsEveryModeAndEvent(_ mode: PermissionMode) async throws {
        let events = HookEventName.known + [.other("Later")]
        try await expectKept(
            events.enumerated().map { number, event in
                PermissionRequest(
                    id: "r_\(number)", toolUseID: "t_\(number)", sessionID: "s", event: event, tool: .claude("T"),
                    input: KeptJSON(nil), cwd: "/", permissionMode: mode, createdAt: Timestamp(milliseconds: 1),
                    deadline: Timestamp(milliseconds: 2), isTerminalPrompt: true, isUnverified: true, isAttended: false,
                    opening: 3)
            })
    }

    @Test func keepsRulesAndSessions() async throws {
        let rules = [Samples.rule(), Samples.rule("rule_2", effect: .deny, lastMatch: 1_000_000_009)]
        let session = Samples.session(tools: [Samples.run("a", isError: nil), Samples.run("b", isError: true)])
        var named = Samples.session("s3")
        (named.title, named.lastPrompt, named.gate, named.isHeir) = ("t", "p", .toolCall, true)
        let plain = ExternalSession(id: "s2", cwd: "", root: "", startedAt: Timestamp(milliseconds: 2_000_000_000))
        let kept = try await restored(rules.map { .rule($0) } + [.session(session), .session(named), .session(plain)])
        #expect(kept.rules == rules)
        #expect(kept.sessions == [session, named, plain])
    }

    /// The tool history is written every 30 s, the rest of a session with many a change.
    @Test func aRowWithoutToolsKeepsTheirHistory() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        let session = Samples.session(tools: [Samples.run("a", isError: nil)])
        var later = session
        later.tools = []
        later.lastActivity = Timestamp(milliseconds: session.lastActivity.milliseconds + 1)
        for changes in [[StoreChange.session(session), .session(later)], [.session(session)], [.session(later)]] {
            try await store.commit(changes, .normal)
        }
        let kept = try await directory.snapshot().open().remembered.sessions
        #expect(kept.map(\.tools) == [session.tools] && kept.map(\.lastActivity) == [later.lastActivity])
        var ended = later
        ended.endedAt = later.lastActivity
        try await store.commit([.session(ended)], .normal)
        try await store.commit([.session(later)], .normal)
        let back = try await directory.snapshot().open().remembered.sessions
        #expect(back.map(\.tools) == [[]], "one that comes back after its end begins anew")
    }

    @Test func keepsLargeAndOddInputs() async throws {
        let large = JSON.string(String(repeating: "ab\u{0}\"é", count: 200_000))
        let odd: JSON = ["z": .number(JSONNumber(spelling: "1.00e+2")!), "a": [], "": ["z": false], "n": nil]
        let deep = (0..<500).reduce(JSON.null) { inner, _ in .array([inner]) }
        let requests = [large, odd, deep].enumerated().map { Samples.request("r_\($0)", input: $1) }
        let found = try await restored(requests.map { .request($0) }).requests
        // A start does not read a large input.
        #expect(found.map(\.id) == requests.map(\.id) && found[1...] == requests[1...])
        #expect(found[0].input == KeptJSON(elsewhere: large.serialized().utf8.count))
    }

    @Test func leavesOutWhatIsOver() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        let recent = Samples.request("r_2", resolution: Samples.resolution(at: 1_000_000_000 - 3_599_000))
        try await store.commit(
            [
                .request(Samples.request("r_1", resolution: Samples.resolution(at: 1_000_000_000 - 3_601_000))),
                .request(recent), .session(Samples.session(ended: 1_000_000_000)), .rule(Samples.rule("rule_1")),
                .rule(Samples.rule("rule_2", session: "s2")), .rule(Samples.rule("rule_3", session: "s3")),
                .deleteRule(id: "rule_1"), .deleteRules(sessionID: "s2"),
            ], .normal)
        try await store.close(nextSequence: 1)
        let kept = try await directory.open().remembered
        #expect(kept.requests == [recent])
        #expect(kept.rules.map(\.id) == ["rule_3"])
        #expect(kept.sessions.isEmpty)
    }

    /// A flood of calls that rules settle does not displace a request that people may answer late.
    @Test func keepsWhatPeopleWereAskedAmongMuchThatTheyWereNot() async throws {
        let asked = Samples.request("r_1", resolution: Samples.resolution(.deny, at: 1_000_000_000 - 3_599_000))
        let flood = (0..<1200).map { Samples.settled("s_\($0)", at: 1_000_000_000 - Int64(1200 - $0)) }
        let kept = try await restored(([asked] + flood).map { .request($0) }).requests
        #expect(kept.filter { $0.id.hasPrefix("r") } == [asked])
        #expect(kept.filter { $0.id.hasPrefix("s") } == flood.suffix(100))
    }

    /// A relay asks again within moments of the daemon's death, but by the wall clock that may be any time: clocks are
    /// set and machines sleep.
    @Test(arguments: [-100_000_000, 0, 100_000_000] as [Int64])
    func keepsWhatWasSettledLastWheneverThatWas(_ ago: Int64) async throws {
        let old = Samples.settled("s_1", at: 1_000_000_000 - ago)
        let last = Samples.settled("s_2", at: 1_000_000_000 - ago - 7_200_000)
        #expect(try await restored([.request(old), .request(last)]).requests == [last, old])
    }

    /// A deny that the terminal's answer corrected must not be given to the hook, nor the resolution of an earlier
    /// opening.
    @Test func keepsTheLastEndOfTheLastOpening() async throws {
        let ends = [Samples.resolution(.deny, by: .local), Samples.resolution(.allow, by: .terminal)]
        let openings = [
            Samples.request(resolution: Samples.resolution(.ask, by: .timeout)), Samples.request(opening: 2),
            Samples.request(opening: 2, resolution: ends[0]), Samples.request(opening: 2, resolution: ends[1]),
        ]
        #expect(try await restored(openings.map { .request($0) }).requests == [openings[3]])
    }

    private func expectKept(_ requests: [PermissionRequest]) async throws {
        let kept = try await restored(requests.map { .request($0) }).requests
        let byID = Dictionary(uniqueKeysWithValues: kept.map { ($0.id, $0) })
        #expect(kept.count == requests.count)
        for request in requests { #expect(byID[request.id] == request) }
    }

    /// Writes the changes, kills the daemon, and starts it again.
    private func restored(_ changes: [StoreChange]) async throws -> Remembered {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit(changes, .normal)
        let copy = try directory.snapshot()
        return try await copy.open().remembered
    }
}

/// Rows hold names of tools, as those of every version did; what a tool is gets asked anew.
struct ToolRowTests {
    @Test func aToolIsLookedUpWhenItIsRead() async throws {
        let directory = try StoreDirectory()
        let (first, _) = try await directory.open()
        let request = PermissionRequest(
            id: "r_named00000", toolUseID: "t", sessionID: "s", event: .permissionRequest,
            tool: Tool(name: "ExitPlanMode", kind: .other), input: KeptJSON([:]), cwd: "/p",
            createdAt: Timestamp(milliseconds: 1), deadline: Timestamp(milliseconds: 60_001))
        let run = ToolRun(
            useID: "t", tool: Tool(name: "Bash", kind: .other), toolInput: [:], sessionID: "s", cwd: "/p",
            agentID: nil, transcriptPath: "", permissionMode: .default, startedAt: Timestamp(milliseconds: 1))
        let session = ExternalSession(
            id: "s", cwd: "/p", root: "/p", startedAt: Timestamp(milliseconds: 1),
            lastActivity: Timestamp(milliseconds: 1), tools: [run])
        try await first.commit([.request(request), .session(session)], .full)
        try await first.close(nextSequence: 1)
        let (second, remembered) = try await directory.open()
        #expect(remembered.requests.map(\.tool) == [.claude("ExitPlanMode")])
        #expect(remembered.sessions.flatMap(\.tools).map(\.tool) == [.claude("Bash")])
        #expect(try await second.entry(of: request.id)?.request.tool.kind == .plan)
        try await second.close(nextSequence: 1)
    }
}

/// A start reads no large input, and what it did not read stays as it is.
struct LargeInputRowTests {
    private let large = JSON.object(["content": .string(String(repeating: "x", count: 20_000))])

    private func request(_ resolution: Resolution? = nil) -> PermissionRequest {
        PermissionRequest(
            id: "r_large00000", toolUseID: "t", sessionID: "s", event: .preToolUse, tool: .claude("Write"),
            input: KeptJSON(large),
            cwd: "/p", createdAt: Timestamp(milliseconds: 1), deadline: Timestamp(milliseconds: 60_001),
            resolution: resolution)
    }

    @Test func isLeftWhereItIs() async throws {
        let directory = try StoreDirectory()
        let (first, _) = try await directory.open()
        try await first.commit([.request(request())], .full)
        try await first.close(nextSequence: 1)
        let (second, remembered) = try await directory.open()
        var found = try #require(remembered.requests.first)
        #expect(found.input.bytesElsewhere == large.serialized().utf8.count && found.isOpen)
        found.resolution = Samples.resolution()
        try await second.commit([.request(found)], .full)
        let entry = try #require(try await second.entry(of: found.id))
        #expect(entry.request.toolInput == large && !entry.request.isOpen)
        try await second.close(nextSequence: 1)
    }

    @Test func aStartReadsWhatTheLastSessionsDid() async throws {
        let directory = try StoreDirectory()
        let (first, _) = try await directory.open()
        let run = ToolRun(
            useID: "t", tool: .claude("Bash"), toolInput: ["command": "ls"], sessionID: "s", cwd: "/p", agentID: nil,
            transcriptPath: "", permissionMode: .default, startedAt: Timestamp(milliseconds: 1))
        let sessions = (0..<1010).map { number in
            let time = Timestamp(milliseconds: Int64(number))
            return StoreChange.session(
                ExternalSession(
                    id: "s\(number)", cwd: "/p", root: "/p", startedAt: time, lastActivity: time, tools: [run]))
        }
        try await first.commit(sessions, .full)
        try await first.close(nextSequence: 1)
        let (second, remembered) = try await directory.open()
        #expect(remembered.sessions.map(\.id) == (10..<1010).map { "s\($0)" })
        #expect(remembered.sessions.filter { !$0.tools.isEmpty }.map(\.id) == (1002..<1010).map { "s\($0)" })
        try await second.close(nextSequence: 1)
    }
}
