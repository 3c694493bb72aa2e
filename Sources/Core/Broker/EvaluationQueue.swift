/// Held requests that rules which came into force after them have not been evaluated for. A session may hold many large
/// calls, so they are evaluated in slices, and other inputs are handled between two.
struct EvaluationQueue {
    private var order: [String] = []
    /// The number of ids at the front of `order` that were looked at.
    private var passed = 0
    private var waiting: Set<String> = []
    /// When the next slice is due; `nil` while no request waits.
    private(set) var due: Uptime?

    func contains(_ id: String) -> Bool { waiting.contains(id) }

    /// The request that waits longest. It stays in the queue.
    mutating func next() -> String? {
        while passed < order.count, !waiting.contains(order[passed]) { passed += 1 }
        return passed < order.count ? order[passed] : nil
    }

    mutating func add(_ ids: [String], at now: Uptime) {
        for id in ids where waiting.insert(id).inserted { order.append(id) }
        if !waiting.isEmpty { due = min(due ?? now, now) }
    }

    mutating func remove(_ id: String) {
        guard waiting.remove(id) != nil, waiting.isEmpty else { return }
        (order, passed, due) = ([], 0, nil)
    }
}

/// The work of one slice: about four milliseconds, or what the largest input by itself takes.
package struct EvaluationSlice: Sendable {
    /// The most requests.
    package var requests: Int
    /// The most bytes of their inputs; a larger one is evaluated by itself.
    package var bytes: Int

    package init(requests: Int = 10, bytes: Int = 8 << 10) {
        self.requests = requests
        self.bytes = bytes
    }
}
