import Core
import Platform
package import Services
import Wire

/// The methods of a dialect that speaks JSON-RPC, with the limits and the threads of all its connections.
package struct RPCServices: Sendable {
    let dispatcher: Dispatcher
    private let localLog: any Log
    private let deviceLog: any Log
    let rates: DeviceRates
    private let lane = WorkLane(threads: 1, mostWeight: 64 << 20)
    /// The thread for slow methods and large messages.
    let slow = LaneExecutor()
    /// The thread for results that are large, and for polls. Separate from `slow`, because later messages of the
    /// connection wait for such results.
    let large = LaneExecutor()

    /// - Parameters:
    ///   - log: For lines about processes of this machine.
    ///   - deviceLog: For those about devices; `nil` for the same one.
    package init(dispatcher: Dispatcher, rates: DeviceRates, log: any Log, deviceLog: (any Log)? = nil) {
        self.dispatcher = dispatcher
        self.rates = rates
        localLog = log
        self.deviceLog = deviceLog ?? log
    }

    func log(of caller: Caller) -> any Log { caller.deviceID == nil ? localLog : deviceLog }

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
}
