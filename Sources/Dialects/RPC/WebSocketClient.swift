package import Core
import Platform
package import Services
package import Wire

/// The client of one WebSocket: JSON-RPC in both directions. Messages are answered one after the other, slow methods
/// beside them, so that no decision waits for a disk.
package final class WebSocketClient: Sendable {
    private struct State {
        var socket: (any ClientSocket)?
        var isWillingToDecide = true
        var prefersBinary = false
        /// The poll that waits for an event.
        var wait: Task<Void, Never>?
        /// The calls that run beside the others.
        var beside: [UInt64: Task<Void, Never>?] = [:]
        var lastBeside: UInt64 = 0
    }

    package let caller: Caller
    package let number: UInt64
    package let id = RandomText.base32(bits: 128)
    private let services: ClientServices
    private let workspaces = WorkspaceSubscriptions()
    private let state = Locked(State())

    init(caller: Caller, number: UInt64, services: ClientServices) {
        self.caller = caller
        self.number = number
        self.services = services
    }

    /// True while connected, if the caller may decide and did not say that it will not. Requests are held while there
    /// is an approver.
    package var isApprover: Bool {
        caller.may(.decide) && state.withLock { $0.socket != nil && $0.isWillingToDecide }
    }

    /// True if the client's last message was binary; events are then sent as binary frames.
    var prefersBinary: Bool { state.withLock { $0.prefersBinary } }

    func send(_ message: WebSocketBroadcast) {
        state.withLock { $0.socket }?.send(message)
    }

    private func close(reason: String) {
        state.withLock { $0.socket }?.close(code: WebSocketCloseCode.policyViolation, reason: reason)
    }
}

extension WebSocketClient: Subscriber {
    /// Lets every event through that the caller may see, until it subscribes to workspaces.
    package var filter: EventFilter { workspaces.filter }

    package func receive(_ event: EventFrames) { send(prefersBinary ? event.binary : event.text) }

    package func end(_ end: SubscriptionEnd) {
        switch end {
        case .queueFull(let limits):
            state.withLock { $0.socket }?.close(
                code: WebSocketCloseCode.tryAgainLater,
                reason:
                    "more than \(limits.events) events or \(limits.bytes) bytes of them wait; reconnect and catch up")
        case .revoked(let reason): close(reason: reason)
        }
    }
}

extension WebSocketClient: RPCClient {
    package var isFramed: Bool { true }
    package var subscriptions: WorkspaceSubscriptions? { workspaces }

    package func introduce(_ introduction: ClientIntroduction) async {
        state.withLock { $0.isWillingToDecide = introduction.isApprover }
        services.log.info(
            "client introduced",
            ["client": id, "name": introduction.name, "version": introduction.version, "approver": "\(isApprover)"])
        await services.approvers.tell()
    }
}

extension WebSocketClient: SocketSession {
    package func opened(_ socket: any ClientSocket) async {
        state.withLock { $0.socket = socket }
        services.subscribers.add(self)
        guard caller.deviceID.map(services.devices.admits) ?? true else {
            return close(reason: "this device was revoked")
        }
        services.log.info("client connected", ["client": id, "as": caller.logName])
        await services.approvers.tell()
    }

    package func received(_ sent: WebSocketMessage) async {
        let bytes: [UInt8]
        switch sent {
        case .text(let text): bytes = Array(text.utf8)
        case .binary(let binary): bytes = binary
        }
        let isBinary = if case .binary = sent { true } else { false }
        state.withLock { $0.prefersBinary = isBinary }
        guard services.admits(bytes: bytes.count, from: caller) else {
            return close(reason: "more than 32 MiB in a minute; wait, then connect again")
        }
        guard let message = await services.read(bytes) else {
            return close(reason: "too many large messages at a time; connect again in a moment")
        }
        guard services.admits(message, from: caller) else {
            return close(reason: "more than 600 messages in a minute; wait, then connect again")
        }
        switch services.dispatcher.scheduling(of: message.payload) {
        case .beside(let limit): await answerBeside(message, isBinary, limit)
        case .inOrder, .inOrderOffLoop: await answerInTurn(message, isBinary)
        case .waits: answerOnceItHappens(message, isBinary)
        }
    }

    /// Answers beside other messages, or in order if `limit` such calls run already.
    private func answerBeside(_ message: ReadMessage, _ isBinary: Bool, _ limit: Int) async {
        let place = state.withLock { state -> UInt64? in
            guard state.beside.count < limit else { return nil }
            state.lastBeside += 1
            state.beside[state.lastBeside] = .some(nil)
            return state.lastBeside
        }
        guard let place else { return await answerInTurn(message, isBinary) }
        let task = Task(executorPreference: services.slow) {
            await self.answer(message, isBinary)
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
    private func answerOnceItHappens(_ message: ReadMessage, _ isBinary: Bool) {
        let wait = Task(executorPreference: services.large) { await self.answer(message, isBinary) }
        let before = state.withLock { state in
            defer { state.wait = wait }
            return state.wait
        }
        before?.cancel()
    }

    /// Answers in order. Large messages and results are handled off the loop.
    private func answerInTurn(_ message: ReadMessage, _ isBinary: Bool) async {
        guard let lane = services.lane(for: message) else { return await answer(message, isBinary) }
        await Task(executorPreference: lane) { await self.answer(message, isBinary) }.value
    }

    private func answer(_ message: ReadMessage, _ isBinary: Bool) async {
        guard let answer = await services.dispatcher.answer(to: message.payload, from: self) else { return }
        let frame = isBinary ? WebSocketBroadcast(binary: answer.bytes) : WebSocketBroadcast(text: answer.bytes)
        guard let turn = answer.turn else { return send(frame) }
        // Until the client has taken it, it counts as one of the caller's.
        state.withLock { $0.socket }?.send(frame) { withExtendedLifetime(turn) {} }
    }

    package func closed(_ closure: WebSocketClosure) async {
        let tasks = state.withLock { state in
            state.socket = nil
            return [state.wait] + state.beside.values
        }
        // A reading that nobody waits for any more, such as of a large repository, is ended.
        for task in tasks { task?.cancel() }
        services.subscribers.remove(self)
        services.viewers.left(id)
        for listener in services.listeners { await listener.clientLeft(id) }
        services.log.info("client left", ["client": id, "code": "\(closure.code)"])
        await services.approvers.tell()
    }
}
