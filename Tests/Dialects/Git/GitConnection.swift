import Core
import Dialects
import Services
import TestSupport
import Wire

/// A client of a daemon whose git does what the test says.
struct GitConnection {
    let services: ClientServices
    let client: any SocketSession

    init(_ git: any GitRunner) throws {
        let clock = ManualClock()
        let manager = GitManager(workspaces: NamedWorkspaces(["w": "/p"]), runner: git, files: NoGit())
        let dispatcher = Dispatcher(
            access: FakeDaemon(), table: MethodTable([GitMethods(git: manager)]), mostAnswered: .max
        ) { _, _ in .invalidRequest("refused") }
        let broker = Broker(clock: clock, store: FakeStore())
        let subscribers = Subscribers<WebSocketClient>(
            polls: EventPolls(clock: clock, changed: ChangeSignal()), threads: NoThreads()
        ) { EventFrames(EventEncoder.encode($0)) }
        services = ClientServices(
            subscribers: subscribers, approvers: Approvers([subscribers], broker: broker),
            devices: DeviceRegister([], store: FakeStore(), source: FakeSecrets(), clock: clock),
            viewers: SessionViewers(clock: clock) { _ in },
            rpc: RPCServices(dispatcher: dispatcher, rates: DeviceRates(clock: clock), log: NoLog()))
        let request = HTTPRequest(method: "GET", target: "/ws")
        let (_, session) = try RouteTable(ClientRoutes(services: services).routes).webSocket(for: request).get()
        client = session(.owner)
    }
}

struct NoThreads: EventThreads {
    func beside(weight: Int, _ body: @escaping @Sendable () -> Void) {}
    func onLoop(_ body: @escaping @Sendable () -> Void) {}
}

struct NoSocket: ClientSocket {
    func send(_ message: WebSocketBroadcast) {}
    func send(_ message: WebSocketBroadcast, left: @escaping @Sendable () -> Void) { left() }
    func close(code: UInt16, reason: String) {}
}
