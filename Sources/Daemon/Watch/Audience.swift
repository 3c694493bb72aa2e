import Core
import Platform
import Services
import Transport

/// The WebSocket clients that are connected: they hear events, and while one of them may decide, or a channel of
/// notifications is there, questions are held.
final class Audience: DeviceConnections {
    /// Those without a connection that stays.
    let polls: EventPolls
    private let clients = Locked<[UInt64: WebSocketClient]>([:])
    private let channels = Locked<@Sendable () -> Int>({ 0 })

    /// Whoever can be asked without being connected counts too.
    func count(_ channels: @escaping @Sendable () -> Int) {
        self.channels.withLock { $0 = channels }
    }

    /// Has the broker know how many can be asked, also where that changes meanwhile.
    func tell(_ broker: Broker) async {
        var told = approvers
        await broker.approversChanged(to: told)
        while told != approvers {
            told = approvers
            await broker.approversChanged(to: told)
        }
    }

    init(clock: any TimeSource) {
        polls = EventPolls(clock: clock)
    }

    func add(_ client: WebSocketClient) {
        clients.withLock { $0[client.number] = client }
    }

    func remove(_ client: WebSocketClient) {
        clients.withLock { $0[client.number] = nil }
    }

    var approvers: Int {
        clients.withLock { $0.values }.count { $0.isApprover } + polls.approvers + channels.withLock { $0 }()
    }

    /// Encoded once for all; a client that does not read is the transport's to close.
    func send(_ notification: [UInt8]) {
        let listeners = clients.withLock { $0.values }.filter { $0.caller.may(.read) }
        guard !listeners.isEmpty else { return }
        let text = WebSocketBroadcast(text: notification)
        let binary = listeners.contains(where: \.prefersBinary) ? WebSocketBroadcast(binary: notification) : text
        for listener in listeners { listener.send(listener.prefersBinary ? binary : text) }
    }

    /// Those that are connected.
    var devices: Set<String> {
        Set(clients.withLock { $0.values }.compactMap(\.deviceID))
    }

    func close(device id: String, reason: String) {
        polls.close(device: id)
        for client in clients.withLock({ $0.values }) where client.deviceID == id { client.close(reason: reason) }
    }
}
