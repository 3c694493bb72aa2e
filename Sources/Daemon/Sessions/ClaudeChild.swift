import Agents
import Core
import Glibc
import Host
import Loop
import Platform
import Services

/// Claude Code as it runs for a session.
final class ClaudeChild: RunningChild {
    let process: ProcessIdentity
    let projectSettings: ProjectSettings?
    private let spooled: SpooledProcess
    private let reader: ChildReader
    private let watches: [FileWatch]
    private let loop: EventLoop
    private let lane: WorkLane
    private let table: ProcessTable
    private let outbox: ChildOutbox

    init(
        process: ProcessIdentity, _ projectSettings: ProjectSettings?, _ spooled: SpooledProcess, _ reader: ChildReader,
        _ watches: [FileWatch],
        loop: EventLoop, lane: WorkLane, lines: WorkLane, table: ProcessTable
    ) {
        outbox = ChildOutbox(spooled, loop: loop, lane: lines)
        self.process = process
        self.projectSettings = projectSettings
        self.spooled = spooled
        self.reader = reader
        self.watches = watches
        self.loop = loop
        self.lane = lane
        self.table = table
    }

    /// To be called on the loop, as the sessions' actor does.
    func write(_ input: ChildInput, later: @escaping @Sendable () -> Void) -> QueuedInput {
        loop.isCurrent ? outbox.write(input, later: later) : .refused
    }

    func signal(_ signal: ChildSignal) {
        switch signal {
        case .interrupt: loop.executeNow { [spooled] in spooled.signal(SIGINT) }
        case .terminate: loop.executeNow { [spooled] in spooled.signal(SIGTERM) }
        case .kill: kill()
        }
    }

    func recall(_ prompt: String) -> RecalledPrompt { outbox.recall(prompt) }

    /// A child that is killed leaves its commands behind, each in a session of its own. To look for them takes a moment, in
    /// which the child does nothing more.
    private func kill() {
        loop.executeNow { [spooled] in spooled.signal(SIGSTOP) }
        _ = lane.start(weight: 1) { [table, process, loop, spooled] in
            let left = table.descendants(of: process.pid)
            loop.execute {
                spooled.signal(SIGKILL)
                table.kill(left)
            }
        }
    }

    func question(_ open: OpenChildRequest) async -> ChildRequest? { await reader.question(open) }

    func release() {
        for watch in watches { watch.cancel() }
        reader.stop()
        loop.executeNow { [spooled] in spooled.release() }
    }
}
