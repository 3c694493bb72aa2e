import Core
import Platform
import Services

/// Deletions that last as long as the test.
final class FakeDeletions: DeletedConversations {
    private let kept = Locked<[String: Timestamp]>([:])
    let isFull = Locked(false)

    var times: [String: Timestamp] { kept.withLock { $0 } }

    func add(_ conversation: String, at time: Timestamp) async throws {
        if isFull.withLock({ $0 }) { throw CancellationError() }
        kept.withLock { $0[conversation] = time }
    }
}
