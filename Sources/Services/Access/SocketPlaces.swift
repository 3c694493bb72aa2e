package import Core
import Platform

/// The WebSockets that are open, counted for each caller: every event goes through all of them, and each that comes or
/// leaves is told to others. Those of the local user are not counted.
package final class SocketPlaces: Sendable {
    /// Many times the pages that a person has open.
    package static let mostOfDevice = 32
    /// All processes inside agents together: a process costs nothing, so a number for each would be no limit.
    package static let mostOfAgents = 64

    private let taken = Locked<[String: Int]>([:])

    package init() {}

    /// A place for one WebSocket; `nil` if the caller has as many as it may.
    package func take(for caller: Caller) -> SocketPlace? {
        guard let (key, most) = Self.limit(of: caller) else { return SocketPlace {} }
        let isFree = taken.withLock { taken in
            guard taken[key, default: 0] < most else { return false }
            taken[key, default: 0] += 1
            return true
        }
        return isFree ? SocketPlace { [weak self] in self?.leave(key) } : nil
    }

    private func leave(_ key: String) {
        taken.withLock { taken in
            let left = (taken[key] ?? 1) - 1
            taken[key] = left > 0 ? left : nil
        }
    }

    private static func limit(of caller: Caller) -> (key: String, most: Int)? {
        switch caller.identity {
        case .device(let id, _): (id, mostOfDevice)
        case .local where !caller.isAgent: nil
        case .link, .local, .unverified: ("agent", mostOfAgents)
        }
    }
}

/// The place of one WebSocket, free again once nobody holds it.
package final class SocketPlace: Sendable {
    private let leave: @Sendable () -> Void

    init(leave: @escaping @Sendable () -> Void) {
        self.leave = leave
    }

    deinit { leave() }
}
