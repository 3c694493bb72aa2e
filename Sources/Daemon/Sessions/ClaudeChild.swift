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
    private let spooled: SpooledProcess
    private let reader: ChildReader
    private let watch: FileWatch
    private let loop: EventLoop
    private let lane: WorkLane
    private let table: ProcessTable

    init(
        process: ProcessIdentity, _ spooled: SpooledProcess, _ reader: ChildReader, _ watch: FileWatch,
        loop: EventLoop, lane: WorkLane, table: ProcessTable
    ) {
        self.process = process
        self.spooled = spooled
        self.reader = reader
        self.watch = watch
        self.loop = loop
        self.lane = lane
        self.table = table
    }

    /// To be called on the loop, as the sessions' actor does.
    func write(_ input: ChildInput) -> Bool { loop.isCurrent && spooled.write(input.claudeLine) }

    func signal(_ signal: ChildSignal) {
        switch signal {
        case .interrupt: loop.executeNow { [spooled] in spooled.signal(SIGINT) }
        case .terminate: loop.executeNow { [spooled] in spooled.signal(SIGTERM) }
        case .kill: kill()
        }
    }

    /// A child that is killed leaves its commands behind, each in a session of its own.
    private func kill() {
        _ = lane.start(weight: 1) { [table, process, loop, spooled] in
            let left = table.descendants(of: process.pid)
            loop.execute {
                spooled.signal(SIGKILL)
                table.kill(left)
            }
        }
    }

    func event(at place: SpoolPlace) async -> ChildEvent? { await reader.event(at: place) }

    func release() {
        watch.cancel()
        reader.stop()
        loop.executeNow { [spooled] in spooled.release() }
    }
}

/// Reads what a child writes, and reports it in order.
final class ChildReader: Sendable {
    private struct State {
        var isReading = false
        var isWoken = false
        var exit: ChildExit?
        var isOver = false
    }

    private let spool: ChildSpool
    private let stream: Locked<ClaudeStream>
    private let lane: WorkLane
    private let report: ChildReporter
    private let state = Locked(State())

    /// Bytes of the disk that the output of one child may take.
    private static let mostOnDisk: Int64 = 256 << 20

    init(_ spool: ChildSpool, _ stream: ClaudeStream, lane: WorkLane, report: @escaping ChildReporter) {
        self.spool = spool
        self.stream = Locked(stream)
        self.lane = lane
        self.report = report
    }

    /// There may be more to read.
    func wake() { begin { _ in } }

    /// The child has ended; what it wrote is read before that is told.
    func end(_ exit: ChildExit) { begin { $0.exit = exit } }

    var isOver: Bool { state.withLock { $0.isOver } }

    func stop() { state.withLock { $0.isOver = true } }

    func readAll(andEnd exit: ChildExit) async {
        state.withLock { ($0.isReading, $0.isWoken, $0.exit) = (true, true, exit) }
        await readOn()
    }

    /// What the line at a place means, read again.
    func event(at place: SpoolPlace) async -> ChildEvent? {
        await lane.run(weight: 1) { [spool, stream] in
            spool.line(at: place).map { bytes in stream.withLock { $0.read(bytes).event } }
        } ?? nil
    }

    private func begin(_ change: (inout State) -> Void) {
        let isFirst = state.withLock { state in
            change(&state)
            state.isWoken = true
            guard !state.isReading, !state.isOver else { return false }
            state.isReading = true
            return true
        }
        if isFirst { Task.detached { await self.readOn() } }
    }

    private func readOn() async {
        while let exit = next() {
            await readToEnd()
            guard let exit, !state.withLock({ $0.isOver }) else { continue }
            stop()
            _ = await report([.ended(exit)])
        }
    }

    /// How the child ended by now, if it did; `nil` where nothing is left to do.
    private func next() -> ChildExit?? {
        state.withLock { state in
            guard state.isWoken, !state.isOver else {
                state.isReading = false
                return nil
            }
            state.isWoken = false
            return .some(state.exit)
        }
    }

    private func readToEnd() async {
        var isAtEnd = false
        while !isAtEnd, !state.withLock({ $0.isOver }) {
            guard let part = await lane.run(weight: 1, { [self] in read() }) else { return }
            isAtEnd = part.isAtEnd
            guard !part.reports.isEmpty else { continue }
            spool.free(upTo: await report(part.reports))
            if spool.bytesOnDisk > Self.mostOnDisk { _ = await report([.tooMuch]) }
        }
    }

    private func read() -> (reports: [ChildReport], isAtEnd: Bool) {
        let (lines, isAtEnd) = spool.read()
        let reports = lines.map { line in
            guard let bytes = line.bytes else { return ChildReport.line(.other, nil, at: line.place) }
            let (event, output) = stream.withLock { $0.read(bytes) }
            return .line(event, output, at: line.place)
        }
        return (reports, isAtEnd)
    }
}
