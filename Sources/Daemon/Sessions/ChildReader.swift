import Agents
import Core
import Crypto
import Host
import Platform
import Services

/// Reads what a child writes, and reports it in order.
final class ChildReader: Sendable {
    private struct State {
        var isReading = false
        var isWoken = false
        var exit: ChildExit?
        var isOver = false
        var saidMuch = false
    }

    private let spool: ChildSpool
    private let errors: ChildErrors
    private let stream: Locked<ClaudeStream>
    private let lane: WorkLane
    private let report: ChildReporter
    private let pause: @Sendable () async -> Void
    private let state = Locked(State())

    /// Bytes of the disk that the output and the errors of one child may take together.
    private static let mostOnDisk: Int64 = 256 << 20
    /// Where only its end gives them back, the child is ended between two turns once they are so many: half, so that a long
    /// turn has as much again.
    private static let muchOnDisk = mostOnDisk / 2

    /// - Parameter pause: Returns after the least time between two reads.
    init(
        _ spool: ChildSpool, errors: ChildErrors, _ stream: ClaudeStream, lane: WorkLane,
        pause: @escaping @Sendable () async -> Void, report: @escaping ChildReporter
    ) {
        self.spool = spool
        self.errors = errors
        self.stream = Locked(stream)
        self.lane = lane
        self.pause = pause
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

    /// Reads the line of a question again.
    func question(_ open: OpenChildRequest) async -> ChildRequest? {
        await lane.run(weight: 1) { [spool, stream] in
            guard let bytes = spool.line(at: open.place),
                case .asked(let request) = stream.withLock({ $0.question(bytes, in: open.directory) })
            else { return nil }
            return request.with(bytes)
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
            let pieces = await readToEnd()
            // One that came alone is followed by others soon, if at all; several at once come fast.
            if exit == nil, pieces > 1 { await pause() }
            guard let exit, !state.withLock({ $0.isOver }) else { continue }
            stop()
            _ = await report([.ended(exit, said: lane.run(weight: 1) { [errors] in errors.end } ?? nil)])
        }
    }

    /// Returns the child's end, if it has ended by now; `nil` where nothing is left to do.
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

    /// Returns the number of pieces of text in the last read.
    private func readToEnd() async -> Int {
        var (isAtEnd, pieces) = (false, 0)
        while !isAtEnd, !state.withLock({ $0.isOver }) {
            guard let part = await lane.run(weight: 1, { [self] in read() }) else { return 0 }
            isAtEnd = part.isAtEnd
            pieces = part.reports.count { $0.delta != nil }
            // Before a line is whole, too: one without an end would fill the disk.
            if spool.bytesOnDisk + errors.bytesOnDisk > Self.mostOnDisk { _ = await report([.tooMuch]) }
            await sayMuch()
            // A few at a time: thousands may have been written at once, and hooks of other sessions wait meanwhile.
            var left = part.reports[...]
            while !left.isEmpty, !state.withLock({ $0.isOver }) {
                let now = left.prefix(left.countAtOnce)
                spool.free(upTo: await report(now.joiningDeltas))
                left = left.dropFirst(now.count)
            }
        }
        return pieces
    }

    private func sayMuch() async {
        let kept = errors.bytesOnDisk + (spool.keepsAll ? spool.bytesOnDisk : 0)
        guard kept > Self.muchOnDisk, !state.withLock({ $0.saidMuch }) else { return }
        state.withLock { $0.saidMuch = true }
        _ = await report([.muchKept])
    }

    private func read() -> (reports: [ChildReport], isAtEnd: Bool) {
        let (lines, isAtEnd) = spool.read()
        let reports = lines.lazy.filter { $0.bytes?.isEmpty != true }.map { [self] line in
            guard let bytes = line.bytes else { return ChildReport.line(.other, nil, at: line.place, bytes: []) }
            var (event, output) = stream.withLock { $0.read(bytes) }
            if case .asked(let request) = event { event = .asked(request.with(bytes)) }
            return .line(event, output, at: line.place, bytes: bytes)
        }
        return (Array(reports), isAtEnd)
    }
}

extension ChildRequest {
    fileprivate func with(_ line: [UInt8]) -> ChildRequest {
        var copy = self
        copy.digest = Digest.sha256(line)
        return copy
    }
}

extension ArraySlice<ChildReport> {
    /// The number of reports that the loop takes in at once. Pieces of text cost it little.
    fileprivate var countAtOnce: Int {
        var (count, heavy) = (0, 0)
        for report in self {
            if !report.isLight { heavy += 1 }
            guard count < 256, heavy <= 32 else { break }
            count += 1
        }
        return Swift.max(count, 1)
    }

    /// Pieces of text that were written one behind the other, told as one: each event goes to every client.
    fileprivate var joiningDeltas: [ChildReport] {
        var joined = Array(self)
        for index in joined.indices.dropLast() {
            guard let first = joined[index].delta, let second = joined[index + 1].delta, first.kind == second.kind
            else { continue }
            joined[index] = joined[index].with(nil)
            joined[index + 1] = joined[index + 1].with(ChildDelta(kind: first.kind, text: first.text + second.text))
        }
        return joined
    }
}

extension ChildReport {
    fileprivate var delta: ChildDelta? {
        if case .line(.other, .delta(let delta), _, _) = self { delta } else { nil }
    }

    fileprivate var isLight: Bool {
        switch self {
        case .line(.other, nil, _, let bytes): bytes.count < 4096
        case .line(.other, .delta, _, _): true
        default: false
        }
    }

    fileprivate func with(_ delta: ChildDelta?) -> ChildReport {
        guard case .line(let event, _, let place, let bytes) = self else { return self }
        return .line(event, delta.map { .delta($0) }, at: place, bytes: bytes)
    }
}
