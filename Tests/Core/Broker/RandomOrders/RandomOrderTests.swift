import Foundation
import Testing

/// Every input in every order: of agents, of people, of the clock, the disk and the next daemon. A `Record` keeps what
/// those outside of the broker know, and checks each step against it.
@Suite struct RandomOrderTests {
    /// More with `CDEV_LONG_TESTS=1`.
    private static let seeds: Range<UInt64> =
        ProcessInfo.processInfo.environment["CDEV_LONG_TESTS"] == "1" ? 0..<5000 : 0..<200

    @Test(arguments: seeds)
    func whateverTheOrder(_ seed: UInt64) {
        var order = RandomOrder(seed: seed)
        for _ in 0..<200 { order.step() }
        order.end()
    }
}
