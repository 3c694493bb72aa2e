import Core
import Dialects
import Foundation
import Services
import TestSupport
import Testing

@Suite struct HookBodyTests {
    private static func hook(session: String, padding: Int) -> String {
        let text = String(repeating: "x", count: padding)
        return #"{"session_id":"\#(session)","hook_event_name":"Notification","message":"\#(text)"}"#
    }

    /// The large body's digest is made only after the other body was answered.
    @Test(.timeLimit(.minutes(1))) func aHookDoesNotWaitForTheHugeHookOfAnotherSession() async {
        let (begun, isBegun) = AsyncStream.makeStream(of: Void.self)
        let isOtherAnswered = DispatchSemaphore(value: 0)
        let clock = ManualClock()
        let hooks = HookRoutes(
            broker: Broker(clock: clock, store: FakeStore()), clock: clock, places: NoPlaces(), runs: RunProcesses(),
            log: NoLog(),
            sha256: { bytes in
                guard bytes.count > 1 << 20 else { return [] }
                isBegun.finish()
                isOtherAnswered.wait()
                return []
            }, ancestor: { _, _ in nil }, isDescendant: { _, _ in false })
        let table = RouteTable(hooks.routes)
        async let huge = table.ask("POST", "/hooks/claude", Self.hook(session: "s1", padding: 2 << 20), from: .owner)
        for await _ in begun {}
        let other = await table.ask("POST", "/hooks/claude", Self.hook(session: "s2", padding: 50 << 10), from: .owner)
        isOtherAnswered.signal()
        #expect(other.status == .ok)
        #expect(await huge.status == .ok)
    }
}
