import Core
import Platform
package import Services
import Wire

/// What all connections of clients share.
package struct ClientServices: Sendable {
    let subscribers: Subscribers<WebSocketClient>
    let approvers: Approvers
    let devices: DeviceRegister
    let dispatcher: Dispatcher
    let log: any Log
    private let clock: any TimeSource
    /// Messages of devices, all connections of one together.
    private let rate = RateLimiter(perMinute: 600)
    /// Their bytes, so that nobody keeps the one thread for large messages to himself.
    private let rateOfBytes = RateLimiter(perMinute: 32 << 20)
    private let lane = WorkLane(threads: 1, mostWeight: 64 << 20)
    /// Where slow methods are worked off.
    let slow = LaneExecutor()
    /// Where large answers are made that others wait behind: not behind slow methods.
    let large = LaneExecutor()

    package init(
        subscribers: Subscribers<WebSocketClient>, approvers: Approvers, devices: DeviceRegister,
        dispatcher: Dispatcher, clock: any TimeSource, log: any Log
    ) {
        self.subscribers = subscribers
        self.approvers = approvers
        self.devices = devices
        self.dispatcher = dispatcher
        self.clock = clock
        self.log = log
    }

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
