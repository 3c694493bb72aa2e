import Core
import Host
import Platform
import Services
import Transport

/// What the last look at the Unix socket found.
struct SocketState: Sendable {
    /// When its files were last made anew.
    var restoredAt: Timestamp?
    /// What keeps the daemon from it, and what to do; `nil` while nothing does.
    var problem: String?
}

/// Keeps the daemon's Unix socket where clients look for it: made anew, with the locks that keep a second daemon out, where
/// its files were deleted.
final class SocketKeeper: Sendable {
    private let socket: String
    private let home: HomeDirectory
    private let server: Server
    private let clock: any TimeSource
    private let log: ServerLog
    private let state: Locked<SocketState>

    init(
        socket: String, home: HomeDirectory, server: Server, clock: any TimeSource, log: ServerLog,
        state: Locked<SocketState>
    ) {
        self.socket = socket
        self.home = home
        self.server = server
        self.clock = clock
        self.log = log
        self.state = state
    }

    /// Reads file attributes, so not on the loop's thread: a disk may hang.
    func look() async {
        do {
            let hasLocked = try home.restoreLock()
            let hasOpened = try await server.restoreUnixSocket()
            if hasLocked || hasOpened { noteRestored() }
            state.withLock { $0.problem = nil }
        } catch {
            note("\(error)")
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
