import Core
import OrderedJSON
import Services
import Wire

/// `events/since`: events that a client missed, and a poll for the next one.
struct EventMethods: MethodGroup {
    let history: any HistoryService
    let polls: any PollService

    var methods: [Method] {
        [
            Method(
                "events/since", right: .read, scheduling: .waits(seconds: "wait"),
                summary: "Events a client missed, the oldest first.",
                shape: Self.query,
                result: .object([
                    "events": .list(.event).meaning("each the whole notification"),
                    "next_sequence": .count.meaning("to send the next time"),
                    "gap": .boolean.meaning("events between are gone: ask for permission/pending too"),
                    "more": .boolean.meaning("ask again at once"),
                ]),
                handler: events)
        ]
    }

    private struct EventQuery: Sendable {
        let sequence: Int64
        let limit: Int
        let seconds: Int
        let isApprover: Bool
    }

    /// Seconds. Proxies and phones wait longer than this for an answer.
    private static let longestWait = 25

    private static let query = Shape(
        .boolean("approver", default: true, "false: the client that waits will not answer requests"),
        .integer("limit", in: 1...1000, default: 200, "events of one answer"),
        .integer(
            "sequence", in: 0...Int.max, default: 0,
            "the first one wanted: next_sequence of the last answer, or one more than the last event seen"),
        .integer(
            "wait", in: 0...longestWait, default: 0,
            "seconds to wait for an event where there is none yet; in a batch nothing waits")
    ) { isApprover, limit, sequence, seconds in
        // Sequence numbers begin with 1, so 0 asks for all events and leaves no gap.
        EventQuery(sequence: Int64(max(1, sequence)), limit: limit, seconds: seconds, isApprover: isApprover)
    }

    private func events(_ call: Call, _ query: EventQuery) async throws(JSONRPCError) -> JSON {
        let page = try await page(query)
        guard page.events.isEmpty, !page.gap, query.seconds > 0, call.mayWait else { return Self.replay(page) }
        // A WebSocket client counts as an approver while it is connected, so its poll is not counted as well.
        let counts = query.isApprover && !call.client.isFramed
        let outcome = await polls.waitForEvent(
            from: query.sequence, seconds: query.seconds, by: call.caller, isApprover: counts)
        switch outcome {
        case .nothing: return Self.replay(page)
        case .revoked: throw .invalidRequest("this device was revoked", data: ["refused": "read"])
        case .event:
            let page = try await self.page(query)
            guard page.events.isEmpty, !page.gap else { return Self.replay(page) }
            // The event is not in the store, which cannot write just now. Without a pause the client would ask as fast
            // as it can.
            _ = await polls.waitForEvent(from: .max, seconds: 1, by: call.caller, isApprover: counts)
            return Self.replay(page)
        }
    }

    private func page(_ query: EventQuery) async throws(JSONRPCError) -> EventPage {
        do {
            return try await history.events(from: query.sequence, limit: query.limit, maxBytes: Self.room)
        } catch {
            throw .internalError("the events cannot be read now; see cdev status")
        }
    }

    private static func replay(_ page: EventPage) -> JSON {
        EventReplay(page, room: room).result
    }

    /// Bytes for the events of one answer.
    private static let room = FrameCeiling.answer - 256
}

extension Schema {
    /// The members that every event has; the others are in the table of events.
    fileprivate static let event = object([
        "jsonrpc": Schema(["const": "2.0"]),
        "method": choice(EventKind.wireNames.map { "event/\($0)" }).named("EventName"),
        "params": object([
            "session_id": .string, "workspace_id": .string, "timestamp": .time, "sequence": .count,
            "agent": .agent.optional,
        ]).setting("additionalProperties", true),
    ]).named("Event")
}
