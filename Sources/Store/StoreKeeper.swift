package import Platform

/// Checks the database's files, and logs the store's state when it changes.
package final class StoreKeeper: Sendable {
    private let store: Store
    private let log: ServerLog
    /// The problem that was logged last; `nil` while there is none.
    private let said = Locked<String?>(nil)

    package init(store: Store, log: ServerLog) {
        self.store = store
        self.log = log
    }

    /// Waits for the disk.
    /// - Returns: False while the database cannot be written.
    package func look() async -> Bool {
        await store.look()
        note(store.status)
        return store.status.failure == nil
    }

    private func note(_ status: StoreStatus) {
        let text = status.failure?.description ?? status.notice
        let isNew = said.withLock { said in
            defer { said = text }
            return said != text
        }
        guard isNew else { return }
        if let text {
            log.error(text)
        } else {
            log.info("the database is written again")
        }
    }
}
