import CPlatform

/// Work on a thread of its own that begins at full priority and, if it turns out to take long, lets others have the
/// processor first.
package final class LongWork: Sendable {
    /// The levels by which the thread becomes nicer. With the least priority, a lock that it holds could keep the loop
    /// waiting for as long as other programs are busy.
    private static let levels: Int32 = 10

    /// The number of the thread that is at work.
    private let thread = Locked<Int32?>(nil)

    package init() {}

    /// Runs `body` on the current thread, which has to end after it: a thread cannot raise its priority again.
    package func run<Value>(_ body: () -> Value) -> Value {
        thread.withLock { $0 = cplatform_thread_id() }
        defer { thread.withLock { $0 = nil } }
        return body()
    }

    /// Lowers the priority of the thread that is at work, if one is. macOS has no such call, and leaves it as it is.
    package func giveWay() {
        thread.withLock { thread in
            if let thread { cplatform_thread_lower(thread, Self.levels) }
        }
    }
}
