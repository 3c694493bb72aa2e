import Core
import OrderedJSON
import Services
import Wire

/// The audit log: requests and their resolutions.
struct HistoryMethods: MethodGroup {
    let history: any HistoryService

    var methods: [Method] {
        [
            Method(
                "permission/history", right: .read, scheduling: .beside,
                summary: "What was asked and decided by whom, the newest first.",
                shape: Self.query,
                result: .listing("requests", of: .historyEntry).with(
                    .object(["next": .string.orNull.meaning("send it as `cursor`; null after the last")])),
                handler: find)
        ]
    }

    /// Bytes. Every stored input is searched, which takes time in proportion to both lengths.
    private static let longestText = 256

    private static let query = Shape(
        .time("before", "only what was asked before this time"),
        cursor,
        .choice("decision", of: [Decision.allow, .ask, .deny, .pass], "only what ended so"),
        .integer("limit", in: 1...1000, default: 100, "requests of one page"),
        .string(
            "query", atMost: longestText,
            "text to find in the tool's name or input, the directory, an id, who decided, the reason or the message; "
                + "at most \(longestText) bytes, ASCII letters match either case"),
        .id("session_id", "only one session's"),
        .time("since", "only what was asked at this time or later")
    ) { before, cursor, decision, limit, text, sessionID, since in
        var query = HistoryQuery(limit: limit)
        query.before = before
        query.cursor = cursor
        query.decision = decision
        query.text = text
        query.sessionID = sessionID
        query.since = since
        return query
    }

    private static var cursor: Field<HistoryCursor?> {
        Field<String?>.string("cursor", "`next` of an earlier answer: go on there").map { text throws(JSONRPCError) in
            guard let text else { return nil }
            guard let cursor = HistoryCursor(text) else {
                throw .invalidParams(#"send "cursor" as an earlier answer gave it in "next""#)
            }
            return cursor
        }
    }

    private func find(_ call: Call, _ query: HistoryQuery) async throws(JSONRPCError) -> JSON {
        do {
            return Self.listing(try await history.history(query, by: call.caller))
        } catch let busy as HistoryBusy {
            throw .internalError("\(busy.waiting) searches of this caller wait already; ask again when one is answered")
        } catch {
            throw .internalError("the history cannot be read now; see cdev status")
        }
    }

    /// Ends where the result is full; `next` then points after the last request listed, so that no request is skipped.
    private static func listing(_ page: HistoryPage) -> JSON {
        let shown = Listing(page.entries.lazy.map(\.listing), ceiling: FrameCeiling.answer)
        var answer = shown.object("requests")
        let isCut = shown.items.count < page.entries.count
        let next = isCut ? page.entries[..<shown.items.count].last?.cursor : page.next
        answer["next"] = .text(next?.text)
        return .object(answer)
    }
}

extension Schema {
    fileprivate static let historyEntry = object([
        "request_id": .string, "tool_use_id": .string, "session_id": .string, "event": .string, "type": .cardKind,
        "tool_name": .string, "kind": .toolKind, "members": .toolMembers, "target": .string, "tool_input": .any,
        "cwd": .string, "created_at": .time,
        "opening": .count.meaning("the last one"), "terminal_prompt": .boolean, "unverified": .boolean,
        "open": .boolean, "endings": .list(object(["opening": .count, "corrects": .boolean]).with(resolution)),
        "truncated": .truncated.optional,
    ]).with(resolution.partial).named("HistoryEntry")
}

extension HistoryEntry {
    /// An entry of the audit log; the members of its resolution are those of its last end.
    fileprivate var listing: JSONObject {
        let input = request.toolInput
        let text = CardText(tool: request.tool, input: input)
        var members: JSONObject = [
            "request_id": .string(request.id), "tool_use_id": .id(request.toolUseID),
            "session_id": .id(request.sessionID), "event": .string(request.event.spelling),
            "type": .string(text.kind.rawValue), "tool_name": .string(request.toolName),
            "target": .string(HiddenCharacters.escaped(text.target)), "tool_input": input,
            "cwd": .string(request.cwd), "created_at": .time(request.createdAt), "opening": .count(request.opening),
            "terminal_prompt": .bool(request.isTerminalPrompt), "unverified": .bool(request.isUnverified),
            "open": .bool(request.isOpen),
        ]
        for (key, value) in request.tool.listing { members[key] = value }
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

/// On the wire: `MILLISECONDS.NUMBER`. Times on the wire are whole seconds, so many requests may share one.
extension HistoryCursor {
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let number = Int64(parts[1]) else { return nil }
        self.init(createdAt: Timestamp(milliseconds: milliseconds), number: number)
    }

    fileprivate var text: String { "\(createdAt.milliseconds).\(number)" }
}
