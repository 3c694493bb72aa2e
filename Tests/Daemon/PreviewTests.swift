import Core
import Dispatch
import OrderedJSON
import Platform
import Rules
import TestSupport
import Testing
import Transport
import Wire

/// A disk that does not answer.
private final class StuckDisk: RuleEvaluator, @unchecked Sendable {  // A semaphore has a lock of its own.
    let asked = Locked(0)
    let answers = DispatchSemaphore(value: 0)

    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers { RuleOffers() }
    func allowing(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> [SessionRule] { [] }
    func denying(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? { nil }
    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool { false }
    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool { false }

    func previewPath(for call: ToolCall, at place: RulePlace) -> Result<String, PreviewRefusal> {
        asked.withLock { $0 += 1 }
        answers.wait()
        return .failure(.sensitive)
    }
}

@Suite(.timeLimit(.minutes(1))) struct PreviewTests {
    private let write = JSON.object([
        "session_id": "s1", "hook_event_name": "PreToolUse", "cwd": "/p", "permission_mode": "default",
        "tool_name": "Write", "tool_input": ["file_path": "/p/a", "content": "new"], "tool_use_id": "toolu_1",
    ]).serialized()

    /// A call that is held, and what an approver says to be shown its preview.
    private func held() async throws -> (StuckDisk, TestDaemon, TestPeer, TestPeer, id: String, ask: String) {
        let disk = StuckDisk()
        let test = try await TestDaemon { _, parts in parts.evaluator = disk }
        let approver = try await test.approver()
        let relay = try await test.relay(write)
        let id = try await approver.message("event/pty_permission")["request_id"]?.stringValue ?? ""
        return (
            disk, test, approver, relay, id,
            #"{"jsonrpc":"2.0","id":5,"method":"permission/preview","params":{"request_id":"\#(id)"}}"#
        )
    }

    private func asks(_ disk: StuckDisk, toBe count: Int) async throws {
        while disk.asked.withLock({ $0 }) < count { try await letOthersRun() }
    }

    @Test func aDiskThatDoesNotAnswerHoldsUpNobodyElse() async throws {
        let (disk, test, approver, relay, id, ask) = try await held()
        try await approver.say(ask)
        try await asks(disk, toBe: 1)
        #expect(try await test.call("permission/stats")["pending_requests"] == 1)
        test.clock.advance(by: 3)
        let late = try await approver.message(id: 5)["result"]
        #expect(late?["kind"] == "text" && late?["text"] == "new")
        #expect(late?["reason"]?.stringValue?.contains("in time") == true)

        // Those that are stuck stay so; at some number no more are begun.
        var peers: [TestPeer] = []
        for number in 2...8 {
            let peer = try test.local()
            try await peer.send(httpRequest("POST", "/rpc", ask))
            peers.append(peer)
            try await asks(disk, toBe: number)
        }
        let ninth = try await test.call("permission/preview", ["request_id": .string(id)])
        #expect(ninth["reason"]?.stringValue?.contains("in time") == true, "at once")

        for _ in 0..<8 { disk.answers.signal() }
        for peer in peers {
            let result = try await peer.response().json?["result"]
            #expect(result?["reason"]?.stringValue?.contains("not shown") == true)
        }
        _ = try await test.call("permission/respond", ["request_id": .string(id), "decision": "deny"])
        #expect(try await relay.response().json?["hookSpecificOutput"]?["permissionDecision"] == "deny")
        await test.daemon.stop()
    }

    @Test(arguments: [false, true]) func anAnswerBehindAPreviewDoesNotWaitForIt(inABatch: Bool) async throws {
        let (disk, test, approver, relay, id, ask) = try await held()
        try await approver.say(inABatch ? "[\(ask)]" : ask)
        try await asks(disk, toBe: 1)
        try await approver.say(
            #"{"jsonrpc":"2.0","id":6,"method":"permission/respond","params":{"request_id":"\#(id)","decision":"allow"}}"#
        )
        #expect(try await approver.message(id: 6)["result"]?["success"] == true)
        #expect(try await relay.response().json?["hookSpecificOutput"]?["permissionDecision"] == "allow")
        disk.answers.signal()
        await test.daemon.stop()
    }

    @Test func aStopDoesNotWaitForTheDisk() async throws {
        let (disk, test, approver, relay, _, ask) = try await held()
        try await approver.say(ask)
        try await asks(disk, toBe: 1)
        await test.daemon.stop()
        disk.answers.signal()
        _ = try await relay.answer()
    }
}
