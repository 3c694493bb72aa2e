import CSQLite

/// A value behind a lock, for the few things both the loop and the store's thread touch.
///
/// `@unchecked Sendable`: `value` is touched only under `mutex`. (`Synchronization.Mutex` makes the thread sanitizer
/// report races that are none on Linux.)
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func callAsFunction<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
