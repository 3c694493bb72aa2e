/// The TCP connections whose peers have not proven who they are. They have turns, a few in each turn of the loop, so that
/// hooks and known peers are served between them; and there are only so many, of one address and in all.
package struct Newcomers {
    private let most: Int
    private let mostOfAddress: Int
    private var addresses: [UInt64: String] = [:]
    private var counts: [String: Int] = [:]
    /// Connections that wait for a turn, the next one at `next`.
    private var line: [UInt64] = []
    private var next = 0
    private var waiting: Set<UInt64> = []

    package init(limits: ServerLimits) {
        most = limits.newcomers
        mostOfAddress = limits.newcomersOfAddress
    }

    package var isAnyWaiting: Bool { !waiting.isEmpty }

    package mutating func add(_ id: UInt64, from address: String) {
        addresses[id] = address
        counts[address, default: 0] += 1
    }

    /// The connection is closed, or its peer is known.
    package mutating func remove(_ id: UInt64) {
        guard let address = addresses.removeValue(forKey: id) else { return }
        waiting.remove(id)
        counts[address] = counts[address].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// Returns `nil` while there is room for one more from this address, else the connections of which one has to go
    /// first, oldest first.
    package func crowd(at address: String) -> [UInt64]? {
        if counts[address, default: 0] >= mostOfAddress {
            return addresses.filter { $0.value == address }.keys.sorted()
        }
        return addresses.count >= most ? addresses.keys.sorted() : nil
    }

    package func isWaiting(_ id: UInt64) -> Bool { waiting.contains(id) }

    /// The connection has something to do at its next turn.
    package mutating func wait(_ id: UInt64) {
        guard addresses[id] != nil, waiting.insert(id).inserted else { return }
        line.append(id)
    }

    /// The connections whose turn it is, at most `count`.
    package mutating func take(_ count: Int) -> [UInt64] {
        var taken: [UInt64] = []
        while taken.count < count, next < line.count {
            // One that was closed meanwhile has no turn.
            if waiting.remove(line[next]) != nil { taken.append(line[next]) }
            next += 1
        }
        if next == line.count || next >= 1024 {
            line.removeFirst(next)
            next = 0
        }
        return taken
    }
}
