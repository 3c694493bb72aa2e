import Core
import Platform
package import Services
import Wire

/// The services and rate limits that all connections of clients share.
package struct ClientServices: Sendable {
    let subscribers: Subscribers<WebSocketClient>
    let approvers: Approvers
    let devices: DeviceRegister
    let dispatcher: Dispatcher
    let viewers: SessionViewers
    let log: any Log
    /// Told when a client has left.
    let listeners: [any ClientListener]
    private let clock: any TimeSource
    /// Messages of one device in a minute, over all its connections.
    private let rate = RateLimiter(perMinute: 600)
    /// Bytes of one device in a minute, so that no device occupies the one thread for large messages.
    private let rateOfBytes = RateLimiter(perMinute: 32 << 20)
    private let lane = WorkLane(threads: 1, mostWeight: 64 << 20)
    /// The thread for slow methods and large messages.
    let slow = LaneExecutor()
    /// The thread for results that are large, and for polls. Separate from `slow`, because later messages of the
    /// connection wait for such results.
    let large = LaneExecutor()

    package init(
        subscribers: Subscribers<WebSocketClient>, approvers: Approvers, devices: DeviceRegister,
        dispatcher: Dispatcher, viewers: SessionViewers, clock: any TimeSource, log: any Log,
        listeners: [any ClientListener] = []
    ) {
        self.listeners = listeners
        self.subscribers = subscribers
        self.approvers = approvers
        self.devices = devices
        self.dispatcher = dispatcher
        self.viewers = viewers
        self.clock = clock
        self.log = log
    }

    /// The thread on which a message is processed; nil for the loop, which all connections share.
    func lane(for message: ReadMessage) -> LaneExecutor? {
        if message.bytes > WorkLane.bytesAtOnce { return slow }
        return switch dispatcher.scheduling(of: message.payload) {
        case .beside: slow
        case .inOrder: nil
        case .inOrderOffLoop, .waits: large
        }
    }

    /// Parses a message: a small one at once, a larger one off the loop. Nil where too many bytes wait already.
    func read(_ bytes: [UInt8]) async -> ReadMessage? {
        guard bytes.count > WorkLane.bytesAtOnce else { return ReadMessage(JSONRPC.decode(bytes), of: bytes.count) }
        return await lane.run(weight: bytes.count) { [lane] in
            ReadMessage(JSONRPC.decode(bytes), of: bytes.count, freedOn: lane)
        }
    }

    /// True if the device's bytes for this minute allow the message; counts them. Local callers are not limited.
    func admits(bytes: Int, from caller: Caller) -> Bool {
        guard case .device(let id, _) = caller.identity else { return true }
        return rateOfBytes.take(bytes, for: id, at: clock.uptime)
    }

    /// True if the device's messages for this minute allow the entries; counts them. Local callers are not limited.
    func admits(_ message: ReadMessage, from caller: Caller) -> Bool {
        guard case .device(let id, _) = caller.identity else { return true }
        return rate.take(message.payload.entries.count, for: id, at: clock.uptime)
    }
}
