import Core
import OrderedJSON
import Services
import Wire

extension Method {
    static let permissionHistory = Method(
        "permission/history", right: .read, isSlow: true,
        summary: "What was asked and decided by whom, the newest first.",
        parameters: [
            Parameter("before", timeSchema, "only what was asked before this time"),
            Parameter("cursor", textSchema, "`next` of an earlier answer: go on there"),
            Parameter("decision", enumSchema(["allow", "ask", "deny", "pass"]), "only what ended so"),
            Parameter("limit", ["type": "integer", "minimum": 1, "maximum": 1000], "100 unless told"),
            Parameter(
                "query", textSchema,
                "text to find in the tool's name or input, the directory, an id, who decided, the reason or the message; "
                    + "at most 256 bytes"
            ),
            Parameter("session_id", textSchema, "only one session's"),
            Parameter("since", timeSchema, "only what was asked at this time or later"),
        ],
        result:
            "requests (each with its last end, and all of them as `endings`), count, more, next (send it as `cursor`; "
            + "null after the last)",
        handler: history)

    static let eventsSince = Method(
        "events/since", right: .read, isLarge: true, summary: "Events a client missed, the oldest first.",
        parameters: [
            Parameter(
                "approver", ["type": "boolean"], "false: who waits here will not answer questions; true unless told"),
            Parameter("limit", ["type": "integer", "minimum": 1, "maximum": 1000], "200 unless told"),
            Parameter(
                "sequence", ["type": "integer", "minimum": 0],
                "the first one wanted: next_sequence of the last answer, or one more than the last event seen"),
            Parameter(
                "wait", ["type": "integer", "minimum": 0, "maximum": .number(JSONNumber(longestWait))],
                "seconds to wait for an event where there is none yet; 0 unless told, and in a batch"),
        ],
        result: "events (each the whole notification), next_sequence (to send the next time), gap (events between are "
            + "gone: ask for permission/pending too), more (above 0: ask again at once)",
        handler: events)

    private static func history(_ call: Call) async throws(JSONRPCError) -> JSON {
        let query = try HistoryQuery(call.arguments)
        do {
            return history(try await call.services.history.history(query, by: call.caller))
        } catch let busy as HistoryBusy {
            throw .internalError("\(busy.waiting) searches of this caller wait already; ask again when one is answered")
        } catch {
            throw .internalError("the history cannot be read now; see cdev status")
        }
    }

    /// Ends where the answer is full, so that `cursor` leaves nothing out.
    private static func history(_ page: HistoryPage) -> JSON {
        let shown = Listing(page.entries.lazy.map(\.listing), ceiling: FrameCeiling.answer)
        var answer = shown.object("requests")
        let isCut = shown.items.count < page.entries.count
        let next = isCut ? page.entries[..<shown.items.count].last?.cursor : page.next
        answer["next"] = .text(next?.text)
        return .object(answer)
    }

    private static func events(_ call: Call) async throws(JSONRPCError) -> JSON {
        // Numbers begin with 1, so 0 asks for all there are and misses nothing.
        let sequence = Int64(max(1, try call.arguments.integer("sequence", in: 0...Int.max) ?? 0))
        let limit = try call.arguments.integer("limit", in: 1...1000) ?? 200
        let seconds = try call.arguments.integer("wait", in: 0...longestWait) ?? 0
        let isApprover = try call.arguments.boolean("approver") ?? true
        let page = try await page(call, sequence, limit)
        guard page.events.isEmpty, !page.gap, seconds > 0, call.mayWait else { return replay(page) }
        // A WebSocket said at its start whether somebody answers there.
        let counts = isApprover && !call.client.isFramed
        let polls = call.services.polls
        switch await polls.waitForEvent(from: sequence, seconds: seconds, by: call.caller, isApprover: counts) {
        case .nothing: return replay(page)
        case .revoked: throw .invalidRequest("this device was revoked", data: ["refused": "read"])
        case .event:
            let page = try await self.page(call, sequence, limit)
            guard page.events.isEmpty, !page.gap else { return replay(page) }
            // The store cannot write just now; without a pause the client would ask as fast as it can.
            _ = await polls.waitForEvent(from: .max, seconds: 1, by: call.caller, isApprover: counts)
            return replay(page)
        }
    }

    /// Less than what proxies and phones wait for an answer.
    private static let longestWait = 25

    private static func page(_ call: Call, _ sequence: Int64, _ limit: Int) async throws(JSONRPCError) -> EventPage {
        do {
            let room = FrameCeiling.answer - 256 - limit
            return try await call.services.history.events(from: sequence, limit: limit, maxBytes: room)
        } catch {
            throw .internalError("the events cannot be read now; see cdev status")
        }
    }

    private static func replay(_ page: EventPage) -> JSON {
        let isAlone = page.events.count == 1
        let events = page.events.compactMap { item in
            (try? JSON(parsing: item.text)).map { isAlone ? shortened($0) : $0 }
        }
        return [
            "events": .array(events), "next_sequence": .count(page.nextSequence), "gap": .bool(page.gap),
            "more": .bool(page.hasMore),
        ]
    }

    /// An event that fills a frame has no room for the answer around it.
    private static func shortened(_ event: JSON) -> JSON {
        guard var object = event.objectValue, let params = object["params"]?.objectValue else { return event }
        object["params"] = .object(Trimmer.fit(params, into: FrameCeiling.answer - 1024))
        return .object(object)
    }
}

extension HistoryQuery {
    /// Bytes. Every input kept is searched for it, and that takes as long as both together are.
    private static let longestText = 256

    fileprivate init(_ arguments: Arguments) throws(JSONRPCError) {
        self.init(limit: try arguments.integer("limit", in: 1...1000) ?? 100)
        text = try arguments.string("query")
        guard (text?.utf8.count ?? 0) <= Self.longestText else {
            throw .invalidParams(#"send a "query" of at most \#(Self.longestText) bytes"#)
        }
        sessionID = try arguments.id("session_id")
        decision = try arguments.choice("decision", of: [Decision.allow, .ask, .deny, .pass])
        since = try arguments.time("since")
        before = try arguments.time("before")
        guard let text = try arguments.string("cursor") else { return }
        guard let cursor = HistoryCursor(text) else {
            throw .invalidParams(#"send "cursor" as an earlier answer gave it in "next""#)
        }
        self.cursor = cursor
    }
}

extension HistoryEntry {
    /// What the audit log shows of a question; its own members tell the last end.
    fileprivate var listing: JSONObject {
        let input = request.toolInput
        let text = CardText(tool: request.toolName, input: input)
        var members: JSONObject = [
            "request_id": .string(request.id), "tool_use_id": .id(request.toolUseID),
            "session_id": .id(request.sessionID), "event": .string(request.event.spelling),
            "type": .string(text.kind.rawValue), "tool_name": .string(request.toolName),
            "target": .string(HiddenCharacters.escaped(text.target)), "tool_input": input,
            "cwd": .string(request.cwd), "created_at": .time(request.createdAt), "opening": .count(request.opening),
            "terminal_prompt": .bool(request.isTerminalPrompt), "unverified": .bool(request.isUnverified),
            "open": .bool(request.isOpen),
        ]
        if let resolution = request.resolution {
            for (key, value) in ResolutionBody.members(of: resolution) { members[key] = value }
        }
        members["endings"] = .array(endings.map { .object($0.listing) })
        return members
    }
}

extension Ending {
    fileprivate var listing: JSONObject {
        var members: JSONObject = ["opening": .count(opening), "corrects": .bool(isCorrection)]
        for (key, value) in ResolutionBody.members(of: resolution) { members[key] = value }
        return members
    }
}

/// On the wire: `MILLISECONDS.NUMBER`. Times there are whole seconds, and many questions may share one.
extension HistoryCursor {
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let number = Int64(parts[1]) else { return nil }
        self.init(createdAt: Timestamp(milliseconds: milliseconds), number: number)
    }

    fileprivate var text: String { "\(createdAt.milliseconds).\(number)" }
}
