import Core
import Dialects
import OrderedJSON
import Platform
import Services
import Transport
import Wire

/// One WebSocket at `/ws`: JSON-RPC in both directions, one message after the other. What is slow is answered beside
/// them: no decision waits for a disk.
final class WebSocketClient: Sendable {
    private struct State {
        var socket: WebSocketConnection?
        var isWillingToDecide = true
        var prefersBinary = false
        /// The call that waits for an event.
        var wait: Task<Void, Never>?
        /// Calls that are worked off beside the others.
        var beside = 0
    }

    let caller: Caller
    let number: UInt64
    let id = RandomText.base32(bits: 128)
    private let services: ClientServices
    private let state = Locked(State())

    init(caller: Caller, number: UInt64, services: ClientServices) {
        self.caller = caller
        self.number = number
        self.services = services
    }

    /// While one is connected, questions are held.
    var isApprover: Bool {
        caller.may(.decide) && state.withLock { $0.socket != nil && $0.isWillingToDecide }
    }

    /// Its last message was binary, so it is spoken to in kind.
    var prefersBinary: Bool { state.withLock { $0.prefersBinary } }

    func send(_ message: WebSocketBroadcast) {
        state.withLock { $0.socket }?.send(message)
    }

    func close(reason: String) {
        state.withLock { $0.socket }?.close(code: WebSocketCloseCode.policyViolation, reason: reason)
    }
}

extension WebSocketClient: Subscriber {
    /// Every event that its caller may see.
    var filter: EventFilter { EventFilter() }

    func receive(_ event: EventFrames) { send(prefersBinary ? event.binary : event.text) }

    func end(_ end: SubscriptionEnd) {
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

/// What all connections of approvers share.
struct ClientServices: Sendable {
    let subscribers: Subscribers<WebSocketClient>
    let approvers: Approvers
    let clock: any TimeSource
    let devices: DeviceRegister
    let dispatcher: Dispatcher
    let log: ServerLog
    /// Messages of TCP clients, all connections of a device together.
    let rate = RateLimiter(perMinute: 600)
    /// Their bytes, so that nobody keeps the one thread for large messages to himself.
    let rateOfBytes = RateLimiter(perMinute: 32 << 20)
    private let lane = WorkLane(threads: 1, mostWeight: 64 << 20)
    /// Where slow methods are worked off.
    let slow = LaneExecutor()
    /// Where large answers are made that others wait behind: not behind slow methods.
    let large = LaneExecutor()

    /// Where a message is worked off; nil: on the loop, which all others wait for.
    func lane(for message: ReadMessage) -> LaneExecutor? {
        if message.bytes > WorkLane.bytesAtOnce { return slow }
        return switch dispatcher.scheduling(of: message.payload) {
        case .beside: slow
        case .inOrder: nil
        case .inOrderOffLoop, .waits: large
        }
    }

    /// Reads a message: a small one at once, a larger one off the loop. Nil where too much waits already.
    func read(_ bytes: [UInt8]) async -> ReadMessage? {
        guard bytes.count > WorkLane.bytesAtOnce else { return ReadMessage(JSONRPC.decode(bytes), of: bytes.count) }
        return await lane.run(weight: bytes.count) { [lane] in
            ReadMessage(JSONRPC.decode(bytes), of: bytes.count, freedOn: lane)
        }
    }

    /// Takes a message's bytes from the caller's minute.
    func admits(bytes: Int, from caller: Caller) -> Bool {
        guard case .device(let id, _) = caller.identity else { return true }
        return rateOfBytes.take(bytes, for: id, at: clock.uptime)
    }

    /// Takes the entries of a message from the caller's minute. Local callers are free.
    func admits(_ message: ReadMessage, from caller: Caller) -> Bool {
        guard case .device(let id, _) = caller.identity else { return true }
        return rate.take(message.payload.entries.count, for: id, at: clock.uptime)
    }
}

extension WebSocketClient: RPCClient {
    var isFramed: Bool { true }

    func introduce(_ introduction: ClientIntroduction) async {
        state.withLock { $0.isWillingToDecide = introduction.isApprover }
        services.log.info(
            "client introduced",
            ["client": id, "name": introduction.name, "version": introduction.version, "approver": "\(isApprover)"])
        await services.approvers.tell()
    }
}

extension WebSocketClient: WebSocketSession {
    func opened(_ socket: WebSocketConnection) async {
        state.withLock { $0.socket = socket }
        services.subscribers.add(self)
        guard caller.deviceID.map(services.devices.admits) ?? true else {
            return close(reason: "this device was revoked")
        }
        services.log.info("client connected", ["client": id, "as": caller.logName])
        await services.approvers.tell()
    }

    func received(_ sent: WebSocketMessage) async {
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

    /// Beside the others, unless so many are already.
    private func answerBeside(_ message: ReadMessage, _ isBinary: Bool, _ limit: Int) async {
        let isFree = state.withLock { state in
            guard state.beside < limit else { return false }
            state.beside += 1
            return true
        }
        guard isFree else { return await answerInTurn(message, isBinary) }
        Task(executorPreference: services.slow) {
            await self.answer(message, isBinary)
            self.state.withLock { $0.beside -= 1 }
        }
    }

    /// One at a time; the one before gets its answer now.
    private func answerOnceItHappens(_ message: ReadMessage, _ isBinary: Bool) {
        let wait = Task(executorPreference: services.large) { await self.answer(message, isBinary) }
        let before = state.withLock { state in
            defer { state.wait = wait }
            return state.wait
        }
        before?.cancel()
    }

    /// In its turn; a large one not on the loop, where its values or those of its answer would be written out.
    private func answerInTurn(_ message: ReadMessage, _ isBinary: Bool) async {
        guard let lane = services.lane(for: message) else { return await answer(message, isBinary) }
        await Task(executorPreference: lane) { await self.answer(message, isBinary) }.value
    }

    private func answer(_ message: ReadMessage, _ isBinary: Bool) async {
        guard let reply = await services.dispatcher.reply(to: message.payload, from: self) else { return }
        send(isBinary ? WebSocketBroadcast(binary: reply) : WebSocketBroadcast(text: reply))
    }

    func closed(_ closure: WebSocketClosure) async {
        let wait = state.withLock { state in
            state.socket = nil
            return state.wait
        }
        wait?.cancel()
        services.subscribers.remove(self)
        services.log.info("client left", ["client": id, "code": "\(closure.code)"])
        await services.approvers.tell()
    }
}
