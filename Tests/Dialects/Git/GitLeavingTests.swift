import Core
import Dialects
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing
import Wire

private struct NoThreads: EventThreads {
    func beside(weight: Int, _ body: @escaping @Sendable () -> Void) {}
    func onLoop(_ body: @escaping @Sendable () -> Void) {}
}

private struct NoSocket: ClientSocket {
    func send(_ message: WebSocketBroadcast) {}
    func close(code: UInt16, reason: String) {}
}

@Suite(.timeLimit(.minutes(1))) struct GitLeavingTests {
    @Test func aClientThatLeavesEndsItsReadings() async throws {
        let events = Events<String>()
        let clock = ManualClock()
        let git = GitManager(
            workspaces: NamedWorkspaces(["w": "/p"]), runner: EndlessGit(events: events), files: NoGit())
        let dispatcher = Dispatcher(
            access: FakeDaemon(), table: MethodTable([GitMethods(git: git)]), mostAnswered: .max
        ) { _, _ in .invalidRequest("refused") }
        let broker = Broker(clock: clock, store: FakeStore())
        let subscribers = Subscribers<WebSocketClient>(
            polls: EventPolls(clock: clock, changed: ChangeSignal()), threads: NoThreads()
        ) { EventFrames(EventEncoder.encode($0)) }
        let services = ClientServices(
            subscribers: subscribers, approvers: Approvers([subscribers], broker: broker),
            devices: DeviceRegister([], store: FakeStore(), source: FakeSecrets(), clock: clock),
            dispatcher: dispatcher, viewers: SessionViewers(clock: clock) { _ in }, clock: clock, log: NoLog())
        let request = HTTPRequest(method: "GET", target: "/ws")
        let (_, session) = try RouteTable(ClientRoutes(services: services).routes).webSocket(for: request).get()
        let client = session(.owner)
        await client.opened(NoSocket())
        await client.received(.text(call("git/status", ["workspace_id": "w"])))
        // The place of the repository, and its filters.
        #expect(try await events.next(2) == ["began", "began"])
        await client.closed(WebSocketClosure(code: 1006, reason: "", isByPeer: true))
        #expect(try await events.next(2) == ["ended", "ended"])
    }
}
