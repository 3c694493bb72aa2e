package import Core
package import Platform

/// The result of the last check of the Unix socket.
package struct SocketState: Sendable {
    /// The time at which its files were last made again.
    package fileprivate(set) var restoredAt: Timestamp?
    /// The reason for which the socket cannot be made again, and what to do; `nil` if nothing is wrong.
    package fileprivate(set) var problem: String?

    package init() {}
}

/// Makes the daemon's Unix socket again, with the locks that keep a second daemon from starting, if its files were
/// deleted.
package final class SocketKeeper: Sendable {
    private let socket: String
    private let state: Locked<SocketState>
    private let clock: any TimeSource
    private let log: any Log
    private let restore: @Sendable () async throws -> Bool

    /// - Parameters:
    ///   - socket: The socket's path.
    ///   - restore: Makes the missing files again; returns false if none was missing.
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
