import Core
import OrderedJSON
import Services
import Wire

/// Transcripts of sessions: lists, messages, a search.
struct TranscriptMethods: MethodGroup {
    let transcripts: any TranscriptService

    var methods: [Method] { [search, history, messages] }

    // MARK: Sessions

    private var history: Method {
        Method(
            "workspace/session/history", right: .read, scheduling: .beside,
            summary: "Sessions that have a transcript, the last active first.",
            parameters: .integer("limit", in: 1...500, default: 50, "sessions of one page"),
            .integer("offset", in: 0...1_000_000, default: 0, "sessions to skip"),
            .id("workspace_id", "only one workspace's, and of directories below it"),
            result: .object([
                "sessions": .list(.transcriptSession), "total": .count, "limit": .count, "offset": .count,
                "incomplete": .boolean.meaning("transcripts are still being taken in: ask again in a moment"),
            ])
        ) { _, limit, offset, workspace async throws(JSONRPCError) in
            do throws(TranscriptFailure) {
                let found = try await transcripts.history(workspace: workspace, limit: limit, offset: offset)
                return [
                    "sessions": .array(found.sessions.map { .object($0.listing) }), "total": .count(found.total),
                    "limit": .count(limit), "offset": .count(offset), "incomplete": .bool(found.isIncomplete),
                ]
            } catch {
                throw error.rpcError
            }
        }
    }

    // MARK: Messages

    private var messages: Method {
        Method(
            "workspace/session/messages", right: .read, scheduling: .beside, takesTurns: true,
            summary:
                "Messages of a session. A page ends early where a frame is full: go on at `offset` plus their number.",
            shape: Self.query,
            result: .object([
                "session_id": .string, "messages": .list(.transcriptMessage), "total": .count, "limit": .count,
                "offset": .count, "has_more": .boolean, "query_time_ms": Schema(["type": "number"]),
                "subagents": .list(.subagent),
                "links": .list(.transcriptLink).meaning("sessions that go on from one another"),
            ]),
            handler: page)
    }

    private static let query = Shape(
        .id("agent_id", "a subagent's messages in place of the session's, as `subagents` names it"),
        .integer("limit", in: 1...500, default: 50, "messages of one page"),
        .integer("offset", in: 0...Int(UInt32.max), default: 0, "messages to skip, in the order asked for"),
        .choice(
            "order", of: TranscriptPageQuery.Order.allCases, default: .descending,
            "`asc`: the oldest first; `desc`: the newest first"),
        .requiredID("session_id", "as in workspace/session/history or hook/sessions"),
        .id("tool_use_id", "in place of `offset`: begin at the message with this call"),
        .id("workspace_id", "not needed: a session has one transcript")
    ) { agent, limit, offset, order, session, toolUse, _ in
        TranscriptPageQuery(
            sessionID: session, agentID: agent, limit: limit, offset: Int64(offset), order: order, toolUseID: toolUse)
    }

    /// Bytes of a message, and of all: a frame's, or what a local program can take.
    private static func room(_ isFramed: Bool) -> (message: Int, all: Int) {
        isFramed ? (64 << 10, FrameCeiling.answer - 1024) : (1 << 20, 16 << 20)
    }

    private func page(_ call: Call, _ query: TranscriptPageQuery) async throws(JSONRPCError) -> JSON {
        let start = ContinuousClock.now
        do throws(TranscriptFailure) {
            let client = call.client.isFramed ? call.client.id : nil
            let page = try await transcripts.messages(query, client: client)
            var answer = Self.answer(page, query, Self.room(call.client.isFramed))
            answer["query_time_ms"] = .milliseconds(since: start)
            return .object(answer)
        } catch {
            throw error.rpcError
        }
    }

    private static func answer(
        _ page: TranscriptPage, _ query: TranscriptPageQuery, _ room: (message: Int, all: Int)
    ) -> JSONObject {
        let subagents = JSON.array(page.subagents.map { .object($0.listing) })
        let links = JSON.array(page.links.map { .object($0.listing) })
        var left = room.all - subagents.length - links.length
        var items: [JSON] = []
        for message in page.messages {
            let item = JSON.object(TranscriptBody.listing(message, of: query.sessionID, limit: room.message))
            left -= item.length + 1
            guard left >= 0 || items.isEmpty else { break }
            items.append(item)
        }
        let offset = Self.offset(of: page, query)
        return [
            "session_id": .id(query.sessionID), "messages": .array(items), "total": .count(page.total),
            "limit": .count(query.limit), "offset": .count(offset),
            "has_more": .bool(offset + Int64(items.count) < page.total && !items.isEmpty),
            "query_time_ms": 0, "subagents": subagents, "links": links,
        ]
    }

    /// The offset that the page has: asked for, or where the call was found.
    private static func offset(of page: TranscriptPage, _ query: TranscriptPageQuery) -> Int64 {
        guard query.toolUseID != nil, let first = page.messages.first else { return query.offset }
        return query.order == .ascending ? first.number - 1 : page.total - first.number
    }

    // MARK: Search

    private var search: Method {
        Method(
            "session/search", right: .read, scheduling: .beside,
            summary:
                "Messages that hold all the words, the newest first. Of results of tools the first 8 KiB are searched.",
            parameters: .integer("limit", in: 1...200, default: 20, "hits"),
            .required("query", "words; ASCII letters match either case"),
            .id("workspace_id", "only one workspace's, and of directories below it"),
            result: .object([
                "hits": .list(.transcriptHit), "count": .count,
                "has_more": .boolean.meaning("there may be more hits: ask for more of them, or for more words"),
                "incomplete": .boolean.meaning("transcripts are still being taken in: ask again in a moment"),
                "query_time_ms": Schema(["type": "number"]),
            ])
        ) { call, limit, text, workspace async throws(JSONRPCError) in
            guard text.utf8.count <= Self.longestQuery else {
                throw .invalidParams("send a \"query\" of at most \(Self.longestQuery) bytes")
            }
            let start = ContinuousClock.now
            do throws(TranscriptFailure) {
                let found = try await transcripts.search(text, workspace: workspace, limit: limit, by: call.caller)
                return [
                    "hits": .array(found.hits.map { .object($0.listing) }), "count": .count(found.hits.count),
                    "has_more": .bool(found.hasMore), "incomplete": .bool(found.isIncomplete),
                    "query_time_ms": .milliseconds(since: start),
                ]
            } catch {
                throw error.rpcError
            }
        }
    }

    private static let longestQuery = 256
}

extension JSON {
    fileprivate static func milliseconds(since start: ContinuousClock.Instant) -> JSON {
        let tenths = ((ContinuousClock.now - start) / .microseconds(100)).rounded()
        return JSONNumber(tenths / 10).map { .number($0) } ?? 0
    }
}

extension Schema {
    fileprivate static let transcriptSession = object([
        "session_id": .string, "summary": .string.meaning("its title, or the beginning of its first prompt"),
        "message_count": .count, "started_at": .time.orNull, "last_updated": .time.orNull, "branch": .string,
        "cwd": .string, "model": .string,
        "cost_usd": Schema(["type": "number"]).meaning("left out where the agent wrote none down").optional,
        "input_tokens": .count, "output_tokens": .count,
    ]).named("TranscriptSession")

    fileprivate static let subagent = object([
        "agent_id": .string, "agent_type": .string, "description": .string,
        "tool_use_id": .string.orNull.meaning("the call that started it"), "message_count": .count,
    ]).named("Subagent")

    fileprivate static let transcriptLink = object([
        "kind": choice(TranscriptPage.Link.Kind.allCases.map(\.rawValue)), "session_id": .string,
    ]).named("TranscriptLink")

    fileprivate static let transcriptHit = object([
        "session_id": .string, "agent_id": .string.optional, "id": .count, "uuid": .string,
        "type": choice(["assistant", "user"]), "timestamp": .time.orNull,
        "snippet": .string.meaning("the text around the first word; hidden characters are escaped"),
        "summary": .string, "cwd": .string, "branch": .string,
    ]).named("TranscriptHit")
}

extension TranscriptSession {
    fileprivate var listing: JSONObject {
        var members: JSONObject = [
            "session_id": .id(sessionID), "summary": .string(facts.title), "message_count": .count(facts.messages),
            "started_at": .time(facts.firstTime), "last_updated": .time(facts.lastTime),
            "branch": .string(facts.branch ?? ""), "cwd": .string(facts.cwd ?? ""),
            "model": .string(facts.model ?? ""),
        ]
        if let cost = facts.cost, let number = JSONNumber(Double(cost) / 1e6) { members["cost_usd"] = .number(number) }
        members["input_tokens"] = .count(facts.tokens.input)
        members["output_tokens"] = .count(facts.tokens.output)
        return members
    }
}

extension TranscriptPage.Subagent {
    fileprivate var listing: JSONObject {
        [
            "agent_id": .id(agentID), "agent_type": .string(note?.type ?? ""),
            "description": .string(HiddenCharacters.escaped(String((note?.summary ?? "").prefix(200)))),
            "tool_use_id": .id(note?.toolUseID), "message_count": .count(messages),
        ]
    }
}

extension TranscriptPage.Link {
    fileprivate var listing: JSONObject { ["kind": .string(kind.rawValue), "session_id": .id(sessionID)] }
}

extension TranscriptHit {
    fileprivate var listing: JSONObject {
        var members: JSONObject = [
            "session_id": .id(session.sessionID), "id": .count(number), "uuid": .id(uuid),
            "type": kind == .assistant ? "assistant" : "user", "timestamp": .time(time),
            "snippet": .string(HiddenCharacters.escaped(snippet)), "summary": .string(session.facts.title),
            "cwd": .string(session.facts.cwd ?? ""), "branch": .string(session.facts.branch ?? ""),
        ]
        if let agentID { members["agent_id"] = .id(agentID) }
        return members
    }
}

extension TranscriptFailure {
    var rpcError: JSONRPCError {
        switch self {
        case .busy(let waiting):
            .internalError("\(waiting) searches of this caller wait already; ask again when one is answered")
        case .unknownSession(let id):
            .invalidParams(
                "session not found: \(id.prefix(80)) has no transcript; workspace/session/history lists those that have"
            )
        case .unknownWorkspace(let id):
            .invalidParams("workspace not found: \(id.prefix(80)); workspace/list lists all")
        case .unwritten(let why): .internalError("nothing was changed: \(why)")
        case .unreadable: .internalError("the index of transcripts cannot be read now; the daemon's log says why")
        }
    }
}
