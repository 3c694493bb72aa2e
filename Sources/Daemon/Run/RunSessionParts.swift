import Core
import Glibc
import Host
import Services

/// The parts that run sessions.
struct RunSessionParts {
    let runner: SessionRunner
    private let children: ClaudeChildren
    private let kept: [RunSession]

    init(
        _ resources: Resources, home: String, processes: ProcessTable, broker: Broker, places: WorkspaceRegister,
        makeID: @escaping @Sendable (String) -> String
    ) {
        children = ClaudeChildren(
            loop: resources.loop, home: home, environment: Self.environment, table: processes)
        kept = resources.runSessions
        runner = SessionRunner(
            SessionRunner.Parts(
                broker: broker, children: children, clock: resources.clock, log: resources.log, places: places,
                store: resources.store, workspaces: places, makeID: makeID, executor: resources.loop))
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
