import Foundation
import Testing

/// Every input in every order. A `SessionRecord` keeps what those outside know: no prompt ends twice or is lost, none is
/// written twice, no session has two processes, and no child is told an allow that nobody gave.
@Suite struct RandomSessionTests {
    /// More with `CDEV_LONG_TESTS=1`.
    private static let seeds: Range<UInt64> =
        ProcessInfo.processInfo.environment["CDEV_LONG_TESTS"] == "1" ? 0..<2000 : 0..<200

    @Test(arguments: seeds)
    func whateverTheOrder(_ seed: UInt64) {
        var order = RandomSessions(seed: seed)
        for _ in 0..<600 { order.step() }
        order.end()
    }
}
