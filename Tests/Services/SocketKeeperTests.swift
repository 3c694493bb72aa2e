import Core
import Platform
import Services
import TestSupport
import Testing

@Suite struct SocketKeeperTests {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    @Test func aProblemIsLoggedOnceAndEndsWithTheNextGoodLook() async {
        let (log, clock, state) = (RecordingLog(), ManualClock(), Locked(SocketState()))
        let steps = Locked<[Result<Bool, Failure>]>([
            .success(false), .failure(Failure(description: "full")), .failure(Failure(description: "full")),
            .success(true),
        ])
        let keeper = SocketKeeper(socket: "/s", state: state, clock: clock, log: log) {
            try steps.withLock { $0.removeFirst() }.get()
        }
        await keeper.look()
        #expect(state.withLock { $0.problem == nil && $0.restoredAt == nil } && log.lines.isEmpty)
        await keeper.look()
        await keeper.look()
        #expect(state.withLock { $0.problem } == "full" && log.lines.count == 1)
        await keeper.look()
        #expect(state.withLock { $0.problem == nil && $0.restoredAt == clock.now().wall } && log.lines.count == 2)
    }
}
