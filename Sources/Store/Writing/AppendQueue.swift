package import Core

/// The limits on the queue.
package struct QueueLimits: Sendable, Hashable {
    package var changes: Int
    package var bytes: Int

    package init(changes: Int = 20_000, bytes: Int = 32 << 20) {
        self.changes = changes
        self.bytes = bytes
    }
}

/// Changes that wait to be written: at most 50 ms, unless the database fails.
///
/// At a limit the oldest events are dropped first: the replay then has a gap, and says so. If that is not enough, the
/// oldest ended requests are dropped. Open requests, rules, sessions and ceilings always stay.
package struct AppendQueue: Sendable {
    let limits: QueueLimits
    package private(set) var changes: [StoreChange] = []
    private var bytes = 0
    private(set) var droppedEvents = 0
    private(set) var droppedRequests = 0
    /// The highest sequence number of a dropped event.
    private(set) var missingThrough: Int64 = 0

    package init(limits: QueueLimits) {
        self.limits = limits
    }

    var count: Int { changes.count }

    package mutating func add(_ more: [StoreChange]) {
        changes += more
        bytes += more.reduce(0) { $0 + $1.size }
        shrinkIfNeeded()
    }

    package mutating func take() -> [StoreChange] {
        defer {
            changes = []
            bytes = 0
        }
        return changes
    }

    /// Puts changes that could not be written in front of those added since.
    package mutating func putBack(_ batch: [StoreChange]) {
        changes = batch + changes
        bytes += batch.reduce(0) { $0 + $1.size }
        shrinkIfNeeded()
    }

    /// Drops to seven eighths of the limits, so that a full queue is not searched with each change.
    private mutating func shrinkIfNeeded() {
        guard changes.count > limits.changes || bytes > limits.bytes else { return }
        changes = changes.coalesced
        bytes = changes.reduce(0) { $0 + $1.size }
        droppedEvents += drop(\.isEvent)
        droppedRequests += drop(\.isEndedRequest)
    }

    private mutating func drop(_ isCandidate: (StoreChange) -> Bool) -> Int {
        var count = changes.count
        let before = count
        changes.removeAll { change in
            guard count > limits.changes / 8 * 7 || bytes > limits.bytes / 8 * 7, isCandidate(change) else {
                return false
            }
            count -= 1
            bytes -= change.size
            if case .event(let record) = change { missingThrough = max(missingThrough, record.sequence) }
            return true
        }
        return before - changes.count
    }
}
