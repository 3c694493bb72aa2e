package import Platform

/// Checks the database's files, and logs the store's state when it changes.
package final class StoreKeeper: Sendable {
    private struct State {
        var isLooking = false
        /// The problem that was logged last; `nil` while there is none.
        var said: String?
    }

    private let store: Store
    private let log: ServerLog
    private let state = Locked(State())

    package init(store: Store, log: ServerLog) {
        self.store = store
        self.log = log
    }

    /// Checks the files; waits for the disk. Returns at once while another check waits.
    package func look() async {
        let isFirst = state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard isFirst else { return }
        await store.look()
        state.withLock { $0.isLooking = false }
        note(store.status)
    }

    private func note(_ status: StoreStatus) {
        let text = status.failure?.description ?? status.notice
        let isNew = state.withLock { state in
            defer { state.said = text }
            return state.said != text
        }
        guard isNew else { return }
        if let text {
            log.error(text)
        } else {
            log.info("the database is written again")
        }
    }
}
