import Core
import Platform

/// Decides which lines of a kind are written: a number at once, then so many in a minute.
final class LineBudget: Sendable {
    enum Verdict: Equatable {
        /// - Parameter isFirst: True for the first line that is left out since one was written.
        case leaveOut(isFirst: Bool)
        /// - Parameter leftOut: The lines that were left out since the last one that was written.
        case write(leftOut: Int)
    }

    private struct Kind {
        var lines: Double
        var time: Uptime
        var leftOut = 0
    }

    /// Messages are constants but for a few that end in a reason; further ones share one budget.
    private static let mostKinds = 64

    private let burst: Double
    private let perMinute: Double
    private let kinds = Locked([String: Kind]())

    init(burst: Int, perMinute: Double) {
        self.burst = Double(burst)
        self.perMinute = perMinute
    }

    func take(for name: String, at now: Uptime) -> Verdict {
        kinds.withLock { kinds in
            let name = kinds[name] != nil || kinds.count < Self.mostKinds ? name : ""
            var kind = kinds[name] ?? Kind(lines: burst, time: now)
            kind.lines = min(burst, kind.lines + max(0, now.seconds(since: kind.time)) * perMinute / 60)
            kind.time = now
            defer { kinds[name] = kind }
            guard kind.lines >= 1 else {
                kind.leftOut += 1
                return .leaveOut(isFirst: kind.leftOut == 1)
            }
            kind.lines -= 1
            defer { kind.leftOut = 0 }
            return .write(leftOut: kind.leftOut)
        }
    }
}
