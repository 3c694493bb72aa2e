/// The state of the store, for `status`, `doctor` and the log. Reading it never waits for the disk.
package struct StoreStatus: Sendable, Hashable {
    /// The reason for which the last write failed; `nil` while writing works.
    package var failure: StoreError?
    /// A sentence on a database that was damaged or whose files were lost: where the old file is, and what was lost.
    package var notice: String?
    /// Changes that wait to be written.
    package var queued = 0
    /// Events that the replay lost because the queue was full.
    package var droppedEvents = 0
    /// Ended requests that the audit log lost for the same reason.
    package var droppedRequests = 0
}

/// The state that the loop and the store's thread share.
struct SharedState: Sendable {
    var queue: AppendQueue
    var failure: StoreError? {
        didSet { if failure != oldValue { statusChanged() } }
    }
    var notice: String? {
        didSet { statusChanged() }
    }
    let statusChanged: @Sendable () -> Void
    var isFlushDue = false
    var isClosed = false

    init(_ options: StoreOptions) {
        queue = AppendQueue(limits: options.limits)
        statusChanged = options.statusChanged
    }

    /// Returns true if the caller has to schedule the writing of the queue.
    mutating func claimFlush() -> Bool {
        guard !isFlushDue, !isClosed else { return false }
        isFlushDue = true
        return true
    }
}
