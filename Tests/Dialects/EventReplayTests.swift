import Core
import Dialects
import OrderedJSON
import Testing

/// What was kept as records, as a client gets it later.
@Suite struct EventReplayTests {
    private func record(_ sequence: Int64, bytes: Int = 10) -> EventRecord {
        let input: JSON = ["command": .string(String(repeating: "x", count: bytes))]
        return EventRecord(
            sequence: sequence, at: moment(0), sessionID: "s1",
            body: .permission(heldRequest(tool: "other", input: input))
        )
    }

    private func replay(_ records: [EventRecord], hasMore: Bool = false) async throws -> JSON {
        let daemon = FakeDaemon()
        let page = EventPage(
            events: records.map(StoredEvent.record), nextSequence: (records.last?.sequence ?? 0) + 1, hasMore: hasMore)
        await daemon.set { $0.page = page }
        let reply = try #require(try await answer(call("events/since"), daemon))
        #expect(reply.serialized().utf8.count <= 1 << 20)
        return try #require(reply["result"])
    }

    @Test func isWhatWasSentLive() async throws {
        let records = [record(5), record(9)]
        let result = try await replay(records, hasMore: true)
        let live = try records.map { try JSON(parsing: EventEncoder.encode(.record($0))) }
        #expect(result["events"] == .array(live))
        #expect(result["next_sequence"] == 10 && result["more"] == true && result["gap"] == false)
    }

    /// The database counts the bytes of records; notifications have more.
    @Test func whatDoesNotFitIsForTheNextAnswer() async throws {
        let result = try await replay([record(5, bytes: 300_000), record(7, bytes: 300_000), record(9)])
        let sequences = result["events"]?.arrayValue?.map { $0["params"]?["sequence"] }
        #expect(sequences == [5] && result["next_sequence"] == 7 && result["more"] == true)
    }

    @Test(arguments: [false, true]) func oneThatFillsAFrameIsCutToFitTheAnswer(hasMore: Bool) async throws {
        let result = try await replay([record(5, bytes: 3 << 20)], hasMore: hasMore)
        let event = try #require(result["events"]?.arrayValue?.first)
        #expect(event["params"]?["truncated"]?["$.tool_input.command"]?.intValue == 3 << 20, "its own length")
        #expect(result["next_sequence"] == 6 && result["more"] == .bool(hasMore))
    }
}
