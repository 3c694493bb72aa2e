import Core
import Services

/// Waits for what a session does.
extension ACPSession {
    /// - Parameter session: `nil` if it is not followed any more.
    func note(_ session: RunSession?) {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            state.phase = session?.phase
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once the session has ended, or is not followed any more.
    func waitForEnd() async { await wait { $0 == .ended } }

    /// Returns once the session has started, or never will.
    func waitForStart() async { await wait { $0 != .starting } }

    private func wait(_ isMeant: (RunPhase) -> Bool) async {
        while !state.withLock({ $0.phase.map(isMeant) ?? true }) {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    let isOver = state.phase.map(isMeant) ?? true
                    if !isOver { state.waiters.append(waiter) }
                    return isOver
                }
                if isOver { waiter.resume() }
            }
        }
    }
}
