package import Core
package import Platform

/// What the last look at the Unix socket found.
package struct SocketState: Sendable {
    /// When its files were last made anew.
    package fileprivate(set) var restoredAt: Timestamp?
    /// What keeps the daemon from it, and what to do; `nil` while nothing does.
    package fileprivate(set) var problem: String?

    package init() {}
}

/// Keeps the daemon's Unix socket where clients look for it: made anew, with the locks that keep a second daemon out, where
/// its files were deleted.
package final class SocketKeeper: Sendable {
    private let socket: String
    private let state: Locked<SocketState>
    private let clock: any TimeSource
    private let log: any Log
    private let restore: @Sendable () async throws -> Bool

    /// - Parameters:
    ///   - socket: its path.
    ///   - restore: makes anew what is gone, and says whether anything was.
    package init(
        socket: String, state: Locked<SocketState>, clock: any TimeSource, log: any Log,
        restore: @escaping @Sendable () async throws -> Bool
    ) {
        self.socket = socket
        self.state = state
        self.clock = clock
        self.log = log
        self.restore = restore
    }

    /// Reads file attributes, so not on the loop's thread: a disk may hang.
    /// - Returns: False while something keeps the daemon from its socket.
    @discardableResult
    package func look() async -> Bool {
        do {
            if try await restore() { noteRestored() }
            state.withLock { $0.problem = nil }
            return true
        } catch {
            note("\(error)")
            return false
        }
    }

    private func noteRestored() {
        state.withLock { $0.restoredAt = clock.now().wall }
        log.warning("the socket or a lock beside it had been deleted and was made anew", ["socket": socket])
    }

    /// Logs a problem once, however often it is found.
    private func note(_ problem: String) {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
        guard isNew else { return }
        log.error("the socket is gone and cannot be made anew, so no hook reaches this daemon: \(problem)")
    }
}
