import OrderedJSON
import Wire

/// Remembers of the talk between an editor and the daemon what matters once the daemon has gone.
package struct EditorTalk {
    private enum Sent {
        case other
        /// Opens a session: its directory, and its id where the editor named it.
        case opening(cwd: JSON, session: JSON?, isNew: Bool)
    }

    private var hello: [UInt8]?
    /// Requests of the editor that were not answered, in no order.
    private var waiting: [JSONRPCID: Sent] = [:]
    /// Requests of the daemon that the editor did not answer.
    private var asked: Set<JSONRPCID> = []
    /// The directories of the sessions that are open, by their ids.
    private var sessions: [String: JSON] = [:]
    /// Tells how far the editor was told of each session: the last whole message, and the bytes that followed of the next.
    private var seen: [String: JSONObject] = [:]
    /// Requests of our own, whose answers are nobody's.
    private var ours: Set<JSONRPCID> = []

    /// Lines of the editor for the time when its sessions are open again.
    private var held: [[UInt8]] = []

    /// Says what is to be done with a line of the editor.
    package enum Step: Sendable, Hashable {
        /// Answer it in place of the daemon.
        case answer([UInt8])
        case hold
        case send
    }

    package init() {}

    package mutating func fromEditor(_ line: [UInt8], isConnected: Bool) -> Step {
        let next: Step = ours.isEmpty ? .send : .hold
        if next == .hold { held.append(line) }
        guard let message = try? JSON(parsing: line) else {
            return isConnected ? next : .answer(Self.answer(.null, .parseError("this is not JSON")))
        }
        let id = message["id"].flatMap(JSONRPCID.init)
        guard let method = message["method"]?.stringValue else {
            // An answer, to a question that a daemon which has gone cannot hear.
            if let id { asked.remove(id) }
            return next
        }
        note(method, line, message["params"])
        guard let id else { return next }
        guard isConnected else { return .answer(Self.answer(id, Self.away)) }
        waiting[id] = Self.sent(method, message["params"])
        return next
    }

    private mutating func note(_ method: String, _ line: [UInt8], _ params: JSON?) {
        if method == "initialize" { hello = line }
        if method == "session/close" || method == "session/delete", let session = params?["sessionId"]?.stringValue {
            sessions[session] = nil
        }
    }

    /// Returns the lines that were held, once they may be sent.
    package mutating func released() -> [[UInt8]] {
        guard ours.isEmpty else { return [] }
        defer { held = [] }
        return held
    }

    /// Returns the line for the editor; `nil` for what is not meant for it.
    package mutating func fromDaemon(_ text: String) -> [UInt8]? {
        let line = Array(text.utf8)
        guard let message = try? JSON(parsing: line) else { return line }
        guard let id = message["id"].flatMap(JSONRPCID.init) else {
            note(message["params"])
            return line
        }
        if message["method"] != nil {
            asked.insert(id)
            return line
        }
        guard ours.remove(id) == nil else { return nil }
        if case .opening(let cwd, let session, let isNew)? = waiting.removeValue(forKey: id),
            let result = message["result"],
            let name = (session ?? result["sessionId"])?.stringValue
        {
            sessions[name] = cwd
            // The editor is told all of a new session.
            if isNew { seen[name] = seen[name] ?? ["message": nil] }
        }
        return line
    }

    /// Counts what the editor is told of a session.
    private mutating func note(_ params: JSON?) {
        guard let session = params?["sessionId"]?.stringValue, let update = params?["update"] else { return }
        let calls = Self.begun(seen[session]?["calls"]?.arrayValue ?? [], behind: update)
        if let whole = update["_meta"]?["cdev"]?["message"] {
            seen[session] = ["message": whole]
        } else if let text = update["content"]?["text"]?.stringValue, var known = seen[session] {
            let member = update["sessionUpdate"] == "agent_thought_chunk" ? "thinking" : "text"
            known[member] = .number(JSONNumber((known[member]?.intValue ?? 0) + text.utf8.count))
            seen[session] = known
        }
        seen[session]?["calls"] = calls.isEmpty ? nil : .array(calls)
    }

    /// The calls of tools that the editor was told of before their messages.
    private static func begun(_ calls: [JSON], behind update: JSON) -> [JSON] {
        guard let call = update["toolCallId"] else { return calls }
        let isBeginning = update["sessionUpdate"] == "tool_call" && update["_meta"]?["cdev"]?["message"] == nil
        return calls.filter { $0 != call } + (isBeginning ? [call] : [])
    }

    /// The daemon has gone: returns what the editor is told.
    package mutating func lost() -> [[UInt8]] {
        let questions = asked.map {
            JSONRPC.notification("$/cancel_request", .object(["requestId": $0.json]))
        }
        let failures = waiting.keys.map { Self.answer($0, Self.broken) }
        (asked, waiting, ours, held) = ([], [:], [], [])
        return questions + failures
    }

    /// A daemon is there again: returns what it is sent, so that the editor's sessions go on.
    package mutating func back() -> [[UInt8]] {
        guard let hello, let greeting = try? JSON(parsing: hello) else { return [] }
        var lines = [request("initialize", greeting["params"] ?? [:])]
        for (session, cwd) in sessions.sorted(by: { $0.key < $1.key }) {
            var params: JSONObject = ["sessionId": .string(session), "cwd": cwd, "mcpServers": []]
            if let seen = seen[session] { params["_meta"] = ["cdev": .object(seen)] }
            lines.append(request("session/resume", .object(params)))
        }
        return lines
    }

    private mutating func request(_ method: String, _ params: JSON) -> [UInt8] {
        let id = JSONRPCID.string("cdev-acp-\(ours.count)-\(method)")
        ours.insert(id)
        return JSONRPCMessage(id: id, method: method, params: params).serialized()
    }

    private static func sent(_ method: String, _ params: JSON?) -> Sent {
        switch method {
        case "session/fork", "session/new":
            .opening(cwd: params?["cwd"] ?? .null, session: nil, isNew: method == "session/new")
        case "session/load", "session/resume":
            .opening(cwd: params?["cwd"] ?? .null, session: params?["sessionId"], isNew: false)
        default: .other
        }
    }

    private static func answer(_ id: JSONRPCID, _ error: JSONRPCError) -> [UInt8] {
        JSONRPCResponse(id: id, error: error).serialized()
    }

    private static let away = JSONRPCError.internalError(
        "the cdev daemon does not run at the moment; start it with `cdev start`, and try again")
    private static let broken = JSONRPCError.internalError(
        "the cdev daemon went away while it worked on this. The session goes on by itself: what it does is shown once the "
            + "daemon is back")
}
