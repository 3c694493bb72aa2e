import Core
import Platform
import Services
import Wire

/// A WebSocket that carries JSON-RPC. Messages are answered one after the other, slow methods beside them, so that no
/// decision waits for a disk.
final class RPCConnection: Sendable {
    private struct State {
        var socket: (any ClientSocket)?
        var prefersBinary = false
        /// The poll that waits for an event.
        var wait: Task<Void, Never>?
        /// The calls that run beside the others.
        var beside: [UInt64: Task<Void, Never>?] = [:]
        var lastBeside: UInt64 = 0
    }

    private let services: RPCServices
    private let state = Locked(State())

    init(_ services: RPCServices) {
        self.services = services
    }

    var isOpen: Bool { state.withLock { $0.socket != nil } }

    /// True if the client's last message was binary; it is sent binary frames then.
    var prefersBinary: Bool { state.withLock { $0.prefersBinary } }

    func open(_ socket: any ClientSocket) {
        state.withLock { $0.socket = socket }
    }

    func send(_ message: WebSocketBroadcast) {
        state.withLock { $0.socket }?.send(message)
    }

    /// The same, and calls `left` once the message was handed to the kernel, or can no longer be.
    func send(_ message: WebSocketBroadcast, left: @escaping @Sendable () -> Void) {
        guard let socket = state.withLock({ $0.socket }) else { return left() }
        socket.send(message, left: left)
    }

    func close(code: UInt16 = WebSocketCloseCode.policyViolation, reason: String) {
        state.withLock { $0.socket }?.close(code: code, reason: reason)
    }

    /// A reading that nobody waits for any more, such as of a large repository, is ended.
    func closed() {
        let tasks = state.withLock { state in
            state.socket = nil
            return [state.wait] + state.beside.values
        }
        for task in tasks { task?.cancel() }
    }

    func received(_ sent: WebSocketMessage, by client: any RPCClient) async {
        let bytes: [UInt8]
        switch sent {
        case .text(let text): bytes = Array(text.utf8)
        case .binary(let binary): bytes = binary
        }
        let isBinary = if case .binary = sent { true } else { false }
        state.withLock { $0.prefersBinary = isBinary }
        guard services.rates.admits(bytes: bytes.count, from: client.caller) else {
            return close(reason: "more than 32 MiB in a minute; wait, then connect again")
        }
        guard let message = await services.read(bytes) else {
            return close(reason: "too many large messages at a time; connect again in a moment")
        }
        guard services.rates.admits(messages: message.payload.entries.count, from: client.caller) else {
            return close(reason: "more than 600 messages in a minute; wait, then connect again")
        }
        for case .call(let call) in message.payload.entries { client.arrived(call) }
        switch services.dispatcher.scheduling(of: message.payload) {
        case .beside(let limit): await answerBeside(message, isBinary, limit, by: client)
        case .inOrder, .inOrderOffLoop: await answerInTurn(message, isBinary, by: client)
        case .waits: answerOnceItHappens(message, isBinary, by: client)
        }
    }

    /// Answers beside other messages, or in order if `limit` such calls run already.
    private func answerBeside(
        _ message: ReadMessage, _ isBinary: Bool, _ limit: Int, by client: any RPCClient
    ) async {
        let place = state.withLock { state -> UInt64? in
            guard state.beside.count < limit else { return nil }
            state.lastBeside += 1
            state.beside[state.lastBeside] = .some(nil)
            return state.lastBeside
        }
        guard let place else { return await answerInTurn(message, isBinary, by: client) }
        let task = Task(executorPreference: services.slow) {
            await self.answer(message, isBinary, by: client)
            self.state.withLock { $0.beside[place] = nil }
        }
        let isLeft = state.withLock { state in
            if state.beside[place] != nil { state.beside[place] = task }
            return state.socket == nil
        }
        // The client left before its task was known to `closed`.
        if isLeft { task.cancel() }
    }

    /// Starts a poll. There is one at a time: the poll before it is answered now.
    private func answerOnceItHappens(_ message: ReadMessage, _ isBinary: Bool, by client: any RPCClient) {
        let wait = Task(executorPreference: services.large) { await self.answer(message, isBinary, by: client) }
        let before = state.withLock { state in
            defer { state.wait = wait }
            return state.wait
        }
        before?.cancel()
    }

    /// Answers in order. Large messages and results are handled off the loop.
    private func answerInTurn(_ message: ReadMessage, _ isBinary: Bool, by client: any RPCClient) async {
        guard let lane = services.lane(for: message) else { return await answer(message, isBinary, by: client) }
        await Task(executorPreference: lane) { await self.answer(message, isBinary, by: client) }.value
    }

    private func answer(_ message: ReadMessage, _ isBinary: Bool, by client: any RPCClient) async {
        guard let answer = await services.dispatcher.answer(to: message.payload, from: client) else { return }
        let frame = isBinary ? WebSocketBroadcast(binary: answer.bytes) : WebSocketBroadcast(text: answer.bytes)
        defer { client.answered() }
        guard let turn = answer.turn else { return send(frame) }
        // Until the client has taken it, it counts as one of the caller's.
        send(frame) { withExtendedLifetime(turn) {} }
    }
}
