package import Platform

/// Looks after the database's files, and says in the log how the store does whenever that changes.
package final class StoreKeeper: Sendable {
    private struct State {
        var isLooking = false
        /// What the log said last; `nil` while all is well.
        var said: String?
    }

    private let store: Store
    private let log: ServerLog
    private let state = Locked(State())

    package init(store: Store, log: ServerLog) {
        self.store = store
        self.log = log
    }

    /// Waits for the disk. While one look waits, another does nothing.
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
