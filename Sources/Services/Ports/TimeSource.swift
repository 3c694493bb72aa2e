package import Core
import Platform

/// The machine's clocks and a way to be called at a time; tests bring their own.
package protocol TimeSource: Sendable {
    func now() -> Instant
    /// Calls `body` once, on the loop, at `time` or soon after.
    func call(at time: Uptime, _ body: @escaping @Sendable () -> Void) -> any Cancellable
}

extension TimeSource {
    package var uptime: Uptime { now().uptime }

    /// The value that `body` returns, or `late` once so many seconds have passed. `body` is cancelled then, and when the
    /// caller is, but not waited for.
    func value<Value: Sendable>(
        within seconds: Double, else late: Value, _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
        let end = uptime + seconds
        let work = Task.detached { await body() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Value, Never>) in
                let answer = FirstAnswer(continuation)
                let timer = call(at: end) {
                    work.cancel()
                    answer.give(late)
                }
                Task.detached {
                    answer.give(await work.value)
                    timer.cancel()
                }
            }
        } onCancel: {
            work.cancel()
        }
    }
}

package protocol Cancellable: Sendable {
    func cancel()
}
