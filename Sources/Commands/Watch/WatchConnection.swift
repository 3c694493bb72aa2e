import Core
import OrderedJSON
import TerminalView
import Wire

/// The connection of `cdev watch`: initializes it, asks for the daemon's methods and the open requests, and connects
/// again after a loss. Times are milliseconds of the monotonic clock.
struct WatchConnection {
    private enum Call {
        case discover, initialize, pending, sessions
        case view(WatchView)
        case preview(requestID: String)
        case respond(requestID: String)
        case revoke
        case transcript(session: String)
        case watch
    }

    private enum State {
        case closed(retryAt: Int64)
        case online
        case opening(since: Int64)
    }

    let socketPath: String
    private var state = State.closed(retryAt: 0)
    private var link: DaemonLink?
    private var calls: [Int: Call] = [:]
    private var failures = 0
    private var heardAt: Int64 = 0
    private var mayDecide = true
    private var features: Features?
    private var cards: [JSON] = []
    private var hasAllCards = false
    private var transcript: WatchedTranscript?

    /// Milliseconds of silence after which the connection counts as lost: the daemon sends a heartbeat every 30 s.
    private static let longestSilence: Int64 = 45_000
    private static let longestOpening: Int64 = 10_000

    init(socketPath: String) {
        self.socketPath = socketPath
    }

    var descriptor: Int32? { link?.descriptor }

    /// The time at which `attend` is to be called again.
    var wakeAt: Int64 {
        switch state {
        case .closed(let retryAt): retryAt
        case .online: heardAt + Self.longestSilence
        case .opening(let since): since + Self.longestOpening
        }
    }

    /// Connects at the time of the next attempt, and closes a connection on which the daemon is silent.
    mutating func attend(at now: Int64) -> [WatchEvent] {
        guard now >= wakeAt else { return [] }
        switch state {
        case .closed: return open(at: now)
        case .online: return lose("the daemon has been silent for 45 s", at: now)
        case .opening: return lose("the daemon does not answer", at: now)
        }
    }

    private mutating func open(at now: Int64) -> [WatchEvent] {
        do {
            var link = try DaemonLink(socketPath: socketPath)
            let introduction = JSON.introduction(name: "cdev watch", version: Version.text, isApprover: true)
            calls[try link.request("initialize", introduction)] = .initialize
            calls[try link.request("rpc.discover")] = .discover
            calls[try link.request("permission/pending")] = .pending
            self.link = link
            state = .opening(since: now)
            heardAt = now
            return []
        } catch {
            return lose(error.status == .noDaemon ? "no daemon answers" : error.message, at: now)
        }
    }

    /// To be called when the socket is readable.
    mutating func receive(at now: Int64) -> [WatchEvent] {
        do {
            guard let messages = try link?.receive() else { return lose("the daemon has stopped", at: now) }
            heardAt = now
            var events: [WatchEvent] = []
            for message in messages { events += try take(message) }
            return events
        } catch {
            return lose(error.message, at: now)
        }
    }

    private mutating func take(_ message: DaemonLink.Message) throws(CommandFailure) -> [WatchEvent] {
        switch message {
        case .event("claude_message", let params): return transcript?.added(params) ?? []
        case .event(let name, let params): return [.event(name, params)]
        case .reply(let id, let result):
            guard let call = calls.removeValue(forKey: id) else { return [] }
            return try take(result, of: call)
        }
    }

    private mutating func take(
        _ result: Result<JSON, JSONRPCError>, of call: Call
    ) throws(CommandFailure) -> [WatchEvent] {
        switch call {
        case .discover: features = Features(discovery: result.value ?? [:], mayDecide: mayDecide)
        case .initialize: mayDecide = result.value?["capabilities"]?["permission"]?["respond"]?.boolValue ?? true
        case .pending: try takeCards(result)
        case .preview(let id): return [.preview(requestID: id, result.value)]
        case .respond(let id):
            return [
                .answered(
                    requestID: id, result.mapError { RPCFailure(message: $0.message, data: $0.data ?? .null) })
            ]
        case .revoke:
            return [.revoked(result.mapError { RPCFailure(message: $0.message, data: $0.data ?? .null) })]
        case .sessions: return [.sessions(result.value?.list("sessions") ?? [])]
        case .transcript(let session): return try took(result, of: session)
        case .view(let view): return [.view(view, result.value.map { WatchViewRows.rows(view, $0) })]
        case .watch: return []
        }
        return opened()
    }

    /// Shows the end of the transcript, and asks for what is added behind it.
    private mutating func took(
        _ result: Result<JSON, JSONRPCError>, of session: String
    ) throws(CommandFailure) -> [WatchEvent] {
        guard transcript?.session == session else { return [] }
        guard let page = result.value, let events = transcript?.read(page) else {
            return [.transcript(session: session, .missing)]
        }
        let behind: JSON = ["session_id": .string(session), "after": page["total"] ?? 0, "subagents": true]
        try call("workspace/session/watch", behind, .watch)
        return events
    }

    private mutating func follow(_ session: String) throws(CommandFailure) {
        transcript = session.isEmpty ? nil : WatchedTranscript(session: session)
        guard let params = transcript?.params else { return try call("workspace/session/unwatch", [:], .watch) }
        try call("workspace/session/messages", params, .transcript(session: session))
    }

    private mutating func takeCards(_ result: Result<JSON, JSONRPCError>) throws(CommandFailure) {
        guard let page = result.value else { throw CommandFailure(.other, "the daemon does not list what is open") }
        cards += page.list("requests")
        guard let more = page["more"]?.intValue, more > 0, !page.list("requests").isEmpty else {
            hasAllCards = true
            return
        }
        try call("permission/pending", ["offset": .number(JSONNumber(cards.count))], .pending)
    }

    private mutating func opened() -> [WatchEvent] {
        guard case .opening = state, hasAllCards, var features else { return [] }
        features.mayDecide = mayDecide
        state = .online
        failures = 0
        defer { cards = [] }
        return [.connected(features, cards: cards)]
    }

    /// Performs the effects that concern the daemon; ignores the others.
    mutating func perform(_ effect: WatchEffect, at now: Int64) -> [WatchEvent] {
        do {
            switch effect {
            case .askPreview(let id):
                try call("permission/preview", ["request_id": .string(id)], .preview(requestID: id))
            case .askSessions: try call("hook/sessions", [:], .sessions)
            case .askView(.history): try call("permission/history", ["limit": 100], .view(.history))
            case .askView(.rules): try call("permission/rules", [:], .view(.rules))
            case .askWhole(let id): return [whole(id)]
            case .follow(let session): try follow(session)
            case .respond(let id, let params):
                try call("permission/respond", .object(params), .respond(requestID: id))
            case .revoke(let id): try call("permission/revoke", ["rule_id": .string(id)], .revoke)
            default: break
            }
            return []
        } catch {
            return lose(error.message, at: now)
        }
    }

    private mutating func call(_ method: String, _ params: JSON, _ call: Call) throws(CommandFailure) {
        guard let id = try link?.request(method, params) else { return }
        calls[id] = call
    }

    /// Fetches a whole card, over HTTP: the largest cards do not fit into a WebSocket message of the daemon.
    private func whole(_ id: String) -> WatchEvent {
        let client = DaemonClient(socketPath: socketPath)
        let page = try? client.call("permission/pending", ["request_id": .string(id)])
        return .whole(requestID: id, page?.list("requests").first)
    }

    /// Closes, so that no request is held for this terminal; `attend` connects again.
    mutating func close(at now: Int64) {
        _ = lose("", at: now)
        state = .closed(retryAt: now)
        failures = 0
    }

    private mutating func lose(_ reason: String, at now: Int64) -> [WatchEvent] {
        link = nil
        calls = [:]
        cards = []
        features = nil
        transcript = nil
        hasAllCards = false
        failures += 1
        let retryAt = now + min(5000, 250 << Int64(min(failures - 1, 6)))
        state = .closed(retryAt: retryAt)
        return [.lost(reason, retryAt: retryAt)]
    }
}

extension Result {
    fileprivate var value: Success? { try? get() }
}
