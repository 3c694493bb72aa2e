import Foundation
import Glibc
import Services
import TestSupport
import Testing

@Suite struct DiskWaitsTests {
    /// On Linux each thread has its own nice value.
    private static func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    /// The nice value of a thread before and after so many seconds of its access.
    private func niceness(after seconds: Double) async -> [Int32]? {
        let clock = ManualClock()
        let begun = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let timeGoesOn = Thread {
            begun.wait()
            clock.advance(by: seconds)
            goOn.signal()
        }
        timeGoesOn.start()
        return await DiskWaits().run(root: "/r", clock: clock) {
            let first = Self.niceness()
            begun.signal()
            goOn.wait()
            return [first, Self.niceness()]
        }
    }

    @Test("an access that takes long lets others have the processor first, a short one does not")
    func longAccess() async throws {
        // A thread begins as nice as the one that started it, which another test may have lowered.
        let short = try #require(await niceness(after: 0.003))
        #expect(short[1] == short[0])
        let long = try #require(await niceness(after: 0.004))
        #expect(long[1] == min(long[0] + 10, 19))
    }
}
