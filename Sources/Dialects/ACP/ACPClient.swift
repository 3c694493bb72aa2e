import Core
import OrderedJSON
import Platform
import Services
import Wire

/// An editor on its connection. It has sessions open, and is asked about their calls.
final class ACPClient: Sendable {
    private struct State {
        var sessions: [String: ACPSession] = [:]
        /// Take the answers to our calls, by the calls' ids.
        var asked: [String: @Sendable (JSONRPCResponse) -> Void] = [:]
        var lastID = 0
        /// Send more behind the answer that is being made.
        var afterAnswer: [@Sendable () -> Void] = []
        var isGreeted = false
        var showsForms = false
    }

    let caller: Caller
    let id = RandomText.base32(bits: 128)
    let services: ACPServices
    private let connection: RPCConnection
    private let state = Locked(State())

    init(caller: Caller, services: ACPServices) {
        self.caller = caller
        self.services = services
        connection = RPCConnection(services.rpc)
    }

    var isGreeted: Bool { state.withLock { $0.isGreeted } }

    /// True for an editor that asks its user several things at once.
    var showsForms: Bool { state.withLock { $0.showsForms } }

    func noteForms() { state.withLock { $0.showsForms = true } }

    // MARK: Sessions

    /// The session that the editor has open under this id.
    func session(_ id: String) -> ACPSession? { state.withLock { $0.sessions[id] } }

    /// Opens a session in place of one with the same id.
    func open(_ session: ACPSession) async {
        let before = state.withLock { $0.sessions.updateValue(session, forKey: session.sessionID) }
        await before?.leave()
        services.parts.subscribers.add(session)
    }

    func close(_ id: String) async {
        await state.withLock { $0.sessions.removeValue(forKey: id) }?.leave()
    }

    /// The prompt that a request of the editor sent, which is answered with an error from now on.
    func takeBack(promptOf request: JSONRPCID) -> (session: ACPSession, prompt: String)? {
        let sessions = state.withLock { Array($0.sessions.values) }
        return sessions.lazy.compactMap { session in session.takeBack(request).map { (session, $0) } }.first
    }

    // MARK: Messages

    func notify(_ method: String, _ params: JSON) {
        connection.send(WebSocketBroadcast(text: JSONRPC.notification(method, params)))
    }

    /// Returns once the notification was handed to the kernel, or the connection has ended.
    func deliver(_ method: String, _ params: JSON) async {
        let message = WebSocketBroadcast(text: JSONRPC.notification(method, params))
        await withCheckedContinuation { left in connection.send(message) { left.resume() } }
    }

    /// Returns an id for a call of ours, by which it can be taken back. No other connection has such an id: an answer that
    /// comes late, behind a restart, must not be taken for another's.
    func callID() -> String {
        state.withLock { state in
            state.lastID += 1
            return "\(id)-\(state.lastID)"
        }
    }

    /// Calls a method of the editor.
    func ask(
        _ method: String, _ params: JSON, as id: String, _ answered: @escaping @Sendable (JSONRPCResponse) -> Void
    ) {
        state.withLock { $0.asked[id] = answered }
        let call = JSONRPCMessage(id: .string(id), method: method, params: params)
        connection.send(WebSocketBroadcast(text: call.serialized()))
    }

    /// Takes a call back: an answer to it counts no more.
    func takeBack(_ id: String) {
        guard state.withLock({ $0.asked.removeValue(forKey: id) }) != nil else { return }
        notify("$/cancel_request", ["requestId": .string(id)])
    }

    /// Does something once the answer that is being made was sent.
    func afterAnswer(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.afterAnswer.append(body) }
    }

    func end(reason: String) { connection.close(reason: reason) }
}

extension ACPClient: RPCClient {
    /// The calls of an editor are no larger than its files, and no phone reads these frames.
    var isFramed: Bool { false }

    func introduce(_ introduction: ClientIntroduction) async {
        state.withLock { $0.isGreeted = true }
        services.rpc.log(of: caller).info(
            "editor introduced", ["client": id, "name": introduction.name, "version": introduction.version])
    }

    /// An answer to a call that was taken back, or that nobody made, is dropped: no answer may answer an answer.
    func take(_ answer: JSONRPCResponse) async -> Bool {
        guard case .string(let id) = answer.id else { return true }
        state.withLock { $0.asked.removeValue(forKey: id) }?(answer)
        return true
    }

    /// A prompt is answered beside what comes behind it, which may take it back.
    func arrived(_ call: JSONRPCMessage) {
        guard call.method == "session/prompt", let id = call.id,
            let session = call.params?["sessionId"]?.stringValue
        else { return }
        self.session(session)?.state.withLock { $0.arrived[id] = .expected }
    }

    func answered() {
        let waiting = state.withLock { state in
            defer { state.afterAnswer = [] }
            return state.afterAnswer
        }
        for body in waiting { body() }
    }
}

extension ACPClient: SocketSession {
    func opened(_ socket: any ClientSocket) async {
        connection.open(socket)
        guard caller.deviceID.map(services.parts.devices.admits) ?? true else {
            return end(reason: "this device was revoked")
        }
        services.rpc.log(of: caller).info("editor connected", ["client": id, "as": caller.logName])
    }

    func received(_ message: WebSocketMessage) async { await connection.received(message, by: self) }

    /// Its sessions go on: others may answer and prompt them.
    func closed(_ closure: WebSocketClosure) async {
        connection.closed()
        let sessions = state.withLock { state in
            defer { state.sessions = [:] }
            return Array(state.sessions.values)
        }
        for session in sessions { await session.leave() }
        services.rpc.log(of: caller).info("editor left", ["client": id, "code": "\(closure.code)"])
    }
}
