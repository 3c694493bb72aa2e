import Core
import Platform
import Services
import TestSupport
import Testing

/// A runner of sessions with a child that does what the test says.
struct RunnerStage {
    let clock = ManualClock()
    let host = ScriptedHost()
    let events = Events<EventRecord>()
    let broker: Broker
    let runner: SessionRunner
    let store = KeptRuns()
    let processes = RunProcesses()
    let told = Events<LiveEvent>()

    init() {
        broker = Broker(clock: clock, store: FakeStore()) { [events] in events.add($0) }
        runner = Self.runner(broker, host, clock, store, processes, told)
    }

    static func runner(
        _ broker: Broker, _ host: ScriptedHost, _ clock: ManualClock, _ store: KeptRuns,
        _ processes: RunProcesses = RunProcesses(), _ told: Events<LiveEvent> = Events()
    ) -> SessionRunner {
        SessionRunner(
            SessionRunner.Parts(
                broker: broker, children: host, clock: clock, log: NoLog(), places: NoSessionPlaces(),
                processes: processes, store: store, workspaces: NamedWorkspaces(["w": "/p"]), makeID: { $0 + "1" },
                publish: { told.add($0) }, executor: RunnerExecutor()))
    }

    /// A session whose child is ready.
    func started() async throws -> RunSession {
        let session = try await runner.start(RunSessionOrder(workspaceID: "w"))
        #expect(try await host.written.next() == .initialize(request: "cdev-1-1"))
        await host.report(.answered(request: "cdev-1-1", failure: nil))
        return session
    }
}
