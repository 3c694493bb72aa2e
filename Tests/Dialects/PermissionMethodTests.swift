import Core
import Dialects
import OrderedJSON
import Services
import Testing

@Suite struct PermissionMethodTests {
    private static let late = Resolution(
        decision: .deny, resolver: .device(name: "phone"), reason: "denied", at: moment(5))

    @Test func givesTheAnswerOn() async throws {
        let daemon = FakeDaemon()
        let rule = SessionRule(
            id: "rule_1", sessionID: "s1", effect: .allow, pattern: "Bash(npm test:*)", createdAt: moment(1),
            grantedBy: "local", requestID: "r_1")
        await daemon.set {
            $0.results = [
                .success(PermissionReceipt(requestID: "r_1", decision: .allow, scope: .session, rules: [rule]))
            ]
        }
        let params: JSON = [
            "tool_use_id": "toolu_1", "decision": "allow", "scope": "session", "patterns": ["Bash(npm test:*)"],
            "confirm": "npm",
        ]
        let result = try #require(try await answer(call("permission/respond", params), daemon)?["result"])
        #expect(result["success"] == true && result["decision"] == "allow" && result["scope"] == "session")
        #expect(result["request_id"] == "r_1" && result["rules"]?.arrayValue?.first?["id"] == "rule_1")
        let expected = PermissionResponse(
            target: .toolUse(id: "toolu_1"), decision: .allow, scope: .session, patterns: ["Bash(npm test:*)"],
            confirm: "npm")
        #expect(await daemon.responses == [expected])
    }

    @Test func givesAListOnAsOneCall() async throws {
        let daemon = FakeDaemon()
        await daemon.set {
            $0.results = [
                .success(PermissionReceipt(requestID: "a", decision: .deny, scope: .once)),
                .failure(.decided(Self.late)),
            ]
        }
        let params: JSON = [
            "responses": [
                ["request_id": "a", "decision": "deny", "message": "no"],
                ["request_id": "b", "decision": "allow", "answers": ["Q": "A"], "updated_input": ["x": 1]],
            ]
        ]
        let results = try await answer(call("permission/respond", params), daemon)?["result"]?["results"]?.arrayValue
        #expect(results?.first?["success"] == true && results?.last?["success"] == false)
        #expect(results?.last?["error"]?["code"]?.intValue == -32603)
        let expected = [
            PermissionResponse(target: .request(id: "a"), decision: .deny, message: "no"),
            PermissionResponse(
                target: .request(id: "b"), decision: .allow, updatedInput: ["x": 1], answers: ["Q": "A"]),
        ]
        #expect(await daemon.responses == expected)
    }

    @Test(arguments: [
        (ResponseFailure.ambiguousToolUse(id: "t", count: 2), -32602, "send request_id"),
        (.notOpen(toolUse: "t", nil), -32602, "send request_id"),
        (.notOpen(toolUse: "t", late), -32602, "send request_id"),
        (.invalid("send answers"), -32602, "send answers"), (.refused("no"), -32600, "no"),
        (.unknown(id: "x"), -32603, "no request"), (.unrecorded("disk full"), -32603, "disk full"),
        (.decided(late), -32603, "already responded"),
    ])
    func tellsWhyNot(failure: ResponseFailure, code: Int, word: String) async throws {
        let daemon = FakeDaemon()
        await daemon.set { $0.results = [.failure(failure)] }
        let request = call("permission/respond", ["request_id": "r", "decision": "allow"])
        let error = try #require(try await answer(request, daemon)?["error"])
        #expect(error["code"]?.intValue == code && error["message"]?.stringValue?.contains(word) == true)
        if [.decided(Self.late), .notOpen(toolUse: "t", Self.late)].contains(failure) {
            let expected: JSON = ["decision": "deny", "resolved_by": "device phone", "at": "2026-11-20T10:30:05Z"]
            #expect(error["data"] == expected)
        }
    }

    @Test(arguments: [
        #"{"request_id":"r","decision":"allow","patterns":"Bash(x:*)"}"#,
        #"{"request_id":"r","decision":"allow","patterns":[1]}"#,
        #"{"request_id":"r","decision":"allow","confirm":true}"#,
        #"{"responses":[{"request_id":"r","decision":"allow","confirm":"rm"}]}"#,
    ])
    func refusesWhatItCannotRead(params: String) async throws {
        let daemon = FakeDaemon()
        let error = try await answer(call("permission/respond", try JSON(parsing: params)), daemon)?["error"]
        #expect(error?["code"]?.intValue == -32602)
        #expect(await daemon.responses.isEmpty)
    }

    @Test func listsWhatIsOpen() async throws {
        let daemon = FakeDaemon()
        await daemon.set { $0.open = [heldRequest("r_1"), heldRequest("r_2", session: "s2")] }
        let all = try await answer(call("permission/pending"), daemon)?["result"]
        #expect(all?["count"] == 2 && all?["more"] == 0)
        let one = try await answer(call("permission/pending", ["session_id": "s2"]), daemon)?["result"]
        #expect(one?["requests"]?.arrayValue?.map { $0["request_id"] } == ["r_2"])
        let rest = try await answer(call("permission/pending", ["offset": 1]), daemon)?["result"]
        #expect(rest?["requests"]?.arrayValue?.map { $0["request_id"] } == ["r_2"])
    }

    @Test func saysHowManyDidNotFit() async throws {
        let daemon = FakeDaemon()
        let input: JSON = ["command": .string(String(repeating: "é", count: 20_000))]
        await daemon.set { $0.open = (0..<200).map { heldRequest("r_\($0)", input: input) } }
        let framed = try #require(try await answer(call("permission/pending"), daemon))
        #expect(framed.serialized().utf8.count <= 1 << 20)
        let shown = try #require(framed["result"]?["count"]?.intValue)
        #expect(shown > 100 && framed["result"]?["more"]?.intValue == 200 - shown)
        #expect(framed["result"]?["requests"]?.arrayValue?.allSatisfy { $0["truncated"] != [:] } == true)
    }

    @Test func givesOneCardWholeOverHTTP() async throws {
        let daemon = FakeDaemon()
        let command = String(repeating: "x", count: 1_200_000)
        await daemon.set { $0.open = [heldRequest(input: ["command": .string(command)])] }
        let request = call("permission/pending", ["request_id": "r_1"])
        let whole = try await answer(request, daemon, FakeClient(isFramed: false))
        let card = whole?["result"]?["requests"]?.arrayValue?.first
        #expect(card?["tool_input"]?["command"]?.stringValue == command && card?["truncated"] == [:])
        let framed = try #require(try await answer(request, daemon))
        #expect(framed.serialized().utf8.count <= 1 << 20)
        let cut = framed["result"]?["requests"]?.arrayValue?.first?["truncated"]
        #expect(cut?["$.tool_input.command"] == 1_200_000)
    }

    /// Nine bytes of `target` for each character of the command.
    @Test(.timeLimit(.minutes(1))) func givesAnInputWholeWhoseEscapedFormIsHuge() async throws {
        let daemon = FakeDaemon()
        let command = String(decoding: [UInt8](repeating: 0x7F, count: 2_000_000), as: UTF8.self)
        await daemon.set { $0.open = [heldRequest(input: ["command": .string(command)])] }
        let whole = try await answer(
            call("permission/pending", ["request_id": "r_1"]), daemon, FakeClient(isFramed: false))
        let card = try #require(whole?["result"]?["requests"]?.arrayValue?.first)
        #expect(card["tool_input"]?["command"]?.stringValue == command)
        #expect(card["truncated"] == ["$.target": 16_000_000])
    }

    @Test func reportsAStoreThatFails() async throws {
        let daemon = FakeDaemon()
        await daemon.set { $0.isStoreBroken = true }
        for request in [call("permission/history"), call("events/since")] {
            let error = try await answer(request, daemon)?["error"]
            #expect(
                error?["code"]?.intValue == -32603 && error?["message"]?.stringValue?.contains("cdev status") == true)
        }
    }

    @Test func saysThatTooManySearchesWait() async throws {
        let daemon = FakeDaemon()
        await daemon.set { $0.isHistoryBusy = true }
        let error = try await answer(call("permission/history"), daemon)?["error"]
        #expect(error?["code"]?.intValue == -32603 && error?["message"]?.stringValue?.contains("8 searches") == true)
    }

    @Test func asksTheHistoryForWhatIsWanted() async throws {
        let daemon = FakeDaemon()
        var ended = heldRequest("r_9")
        ended.resolution = Self.late
        let late = Self.late
        let next = HistoryCursor(createdAt: Timestamp(milliseconds: 5), number: 7)
        await daemon.set { [ended] in
            let entries = [
                HistoryEntry(request: ended, endings: [Ending(opening: 1, resolution: late)], cursor: next),
                HistoryEntry(request: heldRequest("r_8"), endings: [], cursor: next),
            ]
            $0.found = HistoryPage(entries: entries, next: next)
        }
        let params: JSON = [
            "query": "npm", "session_id": "s1", "decision": "deny", "since": "2026-11-20T11:30:00.5+01:00",
            "before": "2026-11-20T10:31:00Z", "limit": 2,
            "cursor": "12.3",
        ]
        let result = try await answer(call("permission/history", params), daemon)?["result"]
        let expected = HistoryQuery(
            text: "npm", sessionID: "s1", decision: .deny, since: moment(0.5), before: moment(60), limit: 2,
            cursor: HistoryCursor(createdAt: Timestamp(milliseconds: 12), number: 3))
        #expect(await daemon.queries == [expected])
        #expect(result?["count"] == 2 && result?["more"] == 0 && result?["next"] == "5.7")
        let first = result?["requests"]?.arrayValue?.first
        #expect(first?["resolved_by"] == "device phone" && first?["target"] == "npm test" && first?["open"] == false)
        #expect(first?["endings"]?.arrayValue?.first?["decision"] == "deny")
    }

    @Test func goesOnWhereTheAnswerWasFull() async throws {
        let daemon = FakeDaemon()
        let input: JSON = ["command": .string(String(repeating: "x", count: 40_000))]
        let entries = (0..<200).map {
            HistoryEntry(
                request: heldRequest("r_\($0)", input: input), endings: [],
                cursor: HistoryCursor(createdAt: Timestamp(milliseconds: 7), number: Int64(1000 - $0)))
        }
        await daemon.set { $0.found = HistoryPage(entries: entries, next: nil) }
        let result = try await answer(call("permission/history"), daemon)?["result"]
        let shown = try #require(result?["count"]?.intValue)
        #expect(shown < 200 && result?["next"]?.stringValue == "7.\(1000 - shown + 1)")
    }

    @Test func replaysEventsWhole() async throws {
        let daemon = FakeDaemon()
        let text = #"{"jsonrpc":"2.0","method":"event/x","params":{"sequence":5}}"#
        let page = EventPage(
            events: [.notification(sequence: 5, text: text), .notification(sequence: 9, text: text)], nextSequence: 10,
            gap: true,
            hasMore: true)
        await daemon.set { $0.page = page }
        let result = try #require(try await answer(call("events/since", ["sequence": 3]), daemon)?["result"])
        #expect(result["events"]?.arrayValue?.first?.serialized() == text && result["events"]?.arrayValue?.count == 2)
        #expect(result["next_sequence"] == 10 && result["gap"] == true && result["more"] == true)
    }

    @Test func waitsForAnEventWhereThereIsNone() async throws {
        let daemon = FakeDaemon()
        let event = StoredEvent.notification(sequence: 5, text: #"{"method":"event/x"}"#)
        await daemon.set {
            $0.page = EventPage(events: [], nextSequence: 5)
            $0.pageAfterWait = EventPage(events: [event], nextSequence: 6)
        }
        let request = call("events/since", ["sequence": 5, "wait": 20])
        let result = try await answer(request, daemon, FakeClient(isFramed: false))?["result"]
        #expect(result?["events"]?.arrayValue?.count == 1 && result?["next_sequence"] == 6)
        _ = try await answer(request, daemon)
        #expect(await daemon.waits == ["5 20 true"], "no wait where there is something")
    }

    static let waits: [(JSON, Bool, EventPage, [String])] = [
        (["wait": 0], false, EventPage(events: [], nextSequence: 1), []),
        ([:], false, EventPage(events: [], nextSequence: 1), []),
        (["wait": 25, "approver": false], false, EventPage(events: [], nextSequence: 1), ["1 25 false"]),
        (["wait": 1], true, EventPage(events: [], nextSequence: 1), ["1 1 false"]),
        (["wait": 9], false, EventPage(events: [], nextSequence: 7, gap: true), []),
    ]

    @Test(arguments: waits)
    func waitsOnlyWhereItHelps(_ params: JSON, _ isFramed: Bool, _ page: EventPage, _ expected: [String]) async throws {
        let daemon = FakeDaemon()
        await daemon.set {
            $0.page = page
            $0.outcome = .nothing
        }
        let result = try await answer(call("events/since", params), daemon, FakeClient(isFramed: isFramed))?["result"]
        #expect(result?["events"] == [] && result?["next_sequence"]?.intValue == Int(page.nextSequence))
        #expect(await daemon.waits == expected)
    }

    @Test func inABatchNothingWaits() async throws {
        let daemon = FakeDaemon()
        await daemon.set { $0.page = EventPage(events: [], nextSequence: 1) }
        _ = try await answer("[\(call("events/since", ["wait": 20]))]", daemon)
        #expect(await daemon.waits.isEmpty)
    }

    @Test func aRevokedDeviceHearsNothingMore() async throws {
        let daemon = FakeDaemon()
        await daemon.set {
            $0.page = EventPage(events: [], nextSequence: 1)
            $0.outcome = .revoked
        }
        #expect(try await answer(call("events/since", ["wait": 20]), daemon)?["error"]?["code"] == -32600)
    }

    @Test(arguments: [#"{"wait":26}"#, #"{"wait":-1}"#, #"{"wait":"5"}"#, #"{"wait":1.5}"#, #"{"approver":1}"#])
    func refusesAWaitThatIsNone(params: String) async throws {
        let error = try await answer(call("events/since", try JSON(parsing: params)), FakeDaemon())?["error"]
        #expect(error?["code"]?.intValue == -32602)
    }

    @Test func replaysAnEventThatFillsAFrame() async throws {
        let daemon = FakeDaemon()
        let text = JSON.object([
            "params": ["tool_result": .string(String(repeating: "y", count: (1 << 20) - 100))]
        ]).serialized()
        await daemon.set { $0.page = EventPage(events: [.notification(sequence: 3, text: text)], nextSequence: 4) }
        let last = try #require(try await answer(call("events/since"), daemon))
        #expect(last["result"]?["next_sequence"] == 4 && last.serialized().utf8.count <= 1 << 20)
        #expect(last["result"]?["events"]?.arrayValue?.first?["params"]?["truncated"] != nil)
    }

    @Test func keepsTokensShort() async throws {
        let daemon = FakeDaemon()
        let made = try await answer(call("token/create", ["name": "phone"]), daemon)?["result"]
        #expect(made?["token"] == "cdev_s_secret" && made?["name"] == "phone" && made?["access"] == "approve")
        let again = try await answer(call("token/create", ["name": "phone"]), daemon)?["error"]
        #expect(again?["message"]?.stringValue?.contains("exists already") == true)
        let list = try await answer(call("token/list"), daemon)?["result"]
        #expect(list?["tokens"]?.arrayValue?.first?["rights"] == ["decide", "read", "report"])
        #expect(list?.serialized().contains("secret") == false)
        #expect(try await answer(call("token/revoke", ["name": "phone"]), daemon)?["result"]?["success"] == true)
    }
}
