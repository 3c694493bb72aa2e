import Core
import Platform

/// Looks after files within a second after they changed: when it is told of a change, and every second while it may not
/// be told of each, or a look found that not all is well. One look runs at a time.
package final class Lookout: Sendable {
    private struct State {
        /// Paths of which it may not be told.
        var untold: Set<String>
        var isLooking = false
        /// It was told of a change while a look ran, which may have come too early to see that.
        var isDue = false
        var isOver = false
        var next: (any Cancellable)?
    }

    private let clock: any TimeSource
    private let look: @Sendable () async -> Bool
    private let state: Locked<State>

    /// A hook that comes while the socket is gone goes unheard, and of a database that is gone a person should know.
    private static let seconds = 1.0

    /// - Parameters:
    ///   - paths: What it is to be told of.
    ///   - look: Looks, off the loop's thread. Returns false where it has to look again though nothing changes.
    package init(_ paths: [String], clock: any TimeSource, look: @escaping @Sendable () async -> Bool) {
        self.clock = clock
        self.look = look
        state = Locked(State(untold: Set(paths)))
    }

    /// Begins to look: the first time after a second.
    package func start() { wait() }

    package func cancel() {
        let next = state.withLock { state in
            state.isOver = true
            return state.next
        }
        next?.cancel()
    }

    /// A path changed, or begins to be watched.
    /// - Parameter isTold: Whether each later change of the path will be told.
    package func noteChange(of path: String, isTold: Bool) {
        let wasTold = state.withLock { state in
            defer { if isTold { state.untold.remove(path) } else { state.untold.insert(path) } }
            return state.untold.isEmpty
        }
        // Otherwise it looks within a second anyway.
        if wasTold { lookNow() }
    }

    package func lookNow() {
        let next = state.withLock { state -> (isFirst: Bool, timer: (any Cancellable)?) in
            guard !state.isOver, !state.isLooking else {
                state.isDue = state.isLooking && !state.isOver
                return (false, nil)
            }
            state.isLooking = true
            defer { state.next = nil }
            return (true, state.next)
        }
        next.timer?.cancel()
        if next.isFirst { Task.detached { await self.lookWhileDue() } }
    }

    private func lookWhileDue() async {
        var mustWait = false
        repeat {
            // A path that is watched only since this look began may have changed in between.
            let wasTold = state.withLock { $0.untold.isEmpty }
            mustWait = await !look() || !wasTold
        } while isDue()
        if mustWait || state.withLock({ !$0.untold.isEmpty }) { wait() }
    }

    private func isDue() -> Bool {
        state.withLock { state in
            defer { state.isDue = false }
            state.isLooking = state.isDue
            return state.isDue
        }
    }

    private func wait() {
        let timer = clock.call(at: clock.uptime + Self.seconds) { [weak self] in self?.lookNow() }
        let isOver = state.withLock { state in
            state.next = timer
            return state.isOver
        }
        if isOver { timer.cancel() }
    }
}
