import Glibc

/// Something that is done again and again on a thread of its own until it is stopped.
///
/// Everything is handed over by starting and joining the thread, but for the flag, which has its lock.
final class Background: @unchecked Sendable {
    private let body: () throws -> Void
    private var failure: (any Error)?
    private var thread = pthread_t()
    private var mutex = pthread_mutex_t()
    private var isDone = false

    init(_ body: @escaping () throws -> Void) {
        self.body = body
        pthread_mutex_init(&mutex, nil)
        pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Background>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
    }

    private func run() {
        do { while !locked({ isDone }) { try body() } } catch { failure = error }
    }

    /// Ends it after the round that has begun. Throws what a round threw.
    func stop() throws {
        locked { isDone = true }
        pthread_join(thread, nil)
        if let failure { throw failure }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(&mutex)
        defer { pthread_mutex_unlock(&mutex) }
        return body()
    }
}
