import Agents
import Core
import Glibc
import Loop
import Platform
import Services

/// Writes to a child in order. A long message is made into its line beside the loop, which takes a tenth of a second for
/// megabytes of text, and what comes behind it waits. Used on the loop's thread only.
final class ChildOutbox: @unchecked Sendable {  // guard: used on its loop's thread only
    private let spooled: SpooledProcess
    private let loop: EventLoop
    private let lane: WorkLane
    private var waiting: [(input: ChildInput, later: @Sendable () -> Void)] = []
    private var isMaking = false
    /// The prompt whose line is being made.
    private var made: String?
    /// That prompt was recalled.
    private var isDropped = false
    private var isRefused = false

    init(_ spooled: SpooledProcess, loop: EventLoop, lane: WorkLane) {
        self.spooled = spooled
        self.loop = loop
        self.lane = lane
    }

    func write(_ input: ChildInput, later: @escaping @Sendable () -> Void) -> QueuedInput {
        guard !isRefused else { return .refused }
        guard !isMaking, input.size <= WorkLane.bytesAtOnce else {
            waiting.append((input, later))
            if !isMaking { makeNext() }
            return .waits
        }
        return write(input.claudeLine, later)
    }

    private func write(_ line: [UInt8], _ later: @escaping @Sendable () -> Void) -> QueuedInput {
        guard spooled.write(line) else { return .refused }
        guard !spooled.hasWrittenAll else { return .written }
        spooled.whenWritten(later)
        return .waits
    }

    /// Writes no more of a prompt.
    func recall(_ prompt: String) -> RecalledPrompt {
        if let index = waiting.firstIndex(where: { $0.input.promptID == prompt }) {
            waiting.remove(at: index)
            return .unwritten
        }
        if made == prompt {
            isDropped = true
            return .unwritten
        }
        return spooled.hasReadAll ? .read : .unread
    }

    private func makeNext() {
        guard !waiting.isEmpty else { return }
        let (input, later) = waiting.removeFirst()
        (isMaking, isDropped, made) = (true, false, input.promptID)
        let isTaken = lane.start(weight: 1) { [self] in
            let line = input.claudeLine
            loop.execute { self.finish(line, later) }
        }
        if !isTaken { finish(input.claudeLine, later) }
    }

    /// A child that reads nothing is ended, as it is where a short message finds no room.
    private func finish(_ line: [UInt8], _ later: @escaping @Sendable () -> Void) {
        (isMaking, made) = (false, nil)
        switch isDropped ? .waits : write(line, later) {
        case .refused where !isRefused:
            isRefused = true
            waiting = []
            spooled.signal(SIGTERM)
        case .written: later()
        case .refused, .waits: break
        }
        makeNext()
    }
}

extension ChildInput {
    fileprivate var promptID: String? { if case .prompt(let id, _) = self { id } else { nil } }
}
