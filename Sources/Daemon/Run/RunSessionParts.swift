import Core
import Glibc
import Host
import Services

/// The parts that run sessions.
struct RunSessionParts {
    let runner: SessionRunner
    let completions: ClaudeCompletions
    private let children: ClaudeChildren
    private let kept: [RunSession]

    init(
        _ resources: Resources, home: String, table: ProcessTable, processes: RunProcesses, broker: Broker,
        places: WorkspaceRegister, hub: EventHub, makeID: @escaping @Sendable (String) -> String
    ) {
        let installation = ClaudeInstallation(
            home: home, person: Self.environment, configured: resources.configuration.claude,
            isLogin: resources.configuration.sessionEnvironment == .login, log: resources.log)
        completions = ClaudeCompletions(installation: installation)
        children = ClaudeChildren(loop: resources.loop, home: home, installation: installation, table: table)
        kept = resources.runSessions
        let offer = KeptOffer(home: home)
        runner = SessionRunner(
            SessionRunner.Parts(
                broker: broker, children: children, clock: resources.clock, log: resources.log, places: places,
                processes: processes, store: resources.store, workspaces: places, makeID: makeID,
                publish: { event in hub.publish(event) }, executor: resources.loop,
                offer: offer.read(), keepOffer: offer.write),
            limits: resources.configuration.runLimits)
    }

    /// Finds the children of the last daemon again.
    func begin() async {
        await children.removeAll(but: Set(kept.map(\.id)))
        await runner.restore(kept)
    }

    /// Leaves them to the next.
    func end() async {
        await runner.close()
        children.close()
    }

    private static var environment: [String: String] {
        var values: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee.map({ String(cString: $0) }) {
            if let equals = text.firstIndex(of: "=") {
                values[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            entry += 1
        }
        return values
    }
}
