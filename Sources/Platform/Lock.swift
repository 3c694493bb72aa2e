import CPlatform

/// A mutual exclusion lock. Not `Synchronization.Mutex`, because with that type the thread sanitizer reports races on
/// Linux where there are none.
package final class Lock: @unchecked Sendable {  // guard: the pointer never changes, and a mutex may be shared
    fileprivate let mutex: UnsafeMutableRawPointer

    package init() {
        mutex = cplatform_mutex_create()
    }

    deinit {
        cplatform_mutex_destroy(mutex)
    }

    package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        cplatform_mutex_lock(mutex)
        defer { cplatform_mutex_unlock(mutex) }
        return try body()
    }
}

/// A value that can be read and changed only while its lock is held.
package final class Locked<Value>: @unchecked Sendable {  // guard: `value` is touched under `lock` only
    private let lock = Lock()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}

/// A condition variable: a thread sleeps until another thread has changed what a lock guards.
package final class Condition: @unchecked Sendable {  // guard: the pointer never changes, and a condition may be shared
    private let condition: UnsafeMutableRawPointer

    package init() {
        condition = cplatform_condition_create()
    }

    deinit {
        cplatform_condition_destroy(condition)
    }

    /// Sleeps until `signal`. Call it while holding `lock`, which is released for the sleep. It may return without a
    /// signal, so check again what was waited for.
    package func wait(_ lock: Lock) {
        cplatform_condition_wait(condition, lock.mutex)
    }

    /// Wakes one thread that waits.
    package func signal() {
        cplatform_condition_signal(condition)
    }
}
