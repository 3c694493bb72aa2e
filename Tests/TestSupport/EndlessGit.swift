package import Core
import Platform

/// A git that runs until nobody wants it any more.
package struct EndlessGit: GitRunner {
    /// Gets `began` and `ended` of each run.
    private let events: Events<String>

    package init(events: Events<String>) {
        self.events = events
    }

    package func run(_ invocation: GitInvocation) async throws(GitRunFailure) -> GitOutput {
        let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
        let isOver = Locked(false)
        await withTaskCancellationHandler {
            events.add("began")
            await withCheckedContinuation { continuation in
                waiting.withLock { $0 = continuation }
                if isOver.withLock({ $0 }) { Self.resume(waiting) }
            }
        } onCancel: {
            isOver.withLock { $0 = true }
            Self.resume(waiting)
        }
        events.add("ended")
        throw .cancelled
    }

    private static func resume(_ waiting: Locked<CheckedContinuation<Void, Never>?>) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume()
    }
}
