import Core
import Services
import TestSupport
import Testing

/// Lines that others cause must not turn the log over.
@Suite struct BoundedLogTests {
    private let log = RecordingLog()
    private let clock = ManualClock()

    @Test func afterABurstALineComesNowAndThen() {
        let bounded = BoundedLog(log, clock: clock, burst: 3, perMinute: 2)
        for _ in 0..<10 { bounded.info("client connected") }
        #expect(
            log.lines == Array(repeating: "client connected", count: 3) + ["more of these lines come than are logged"])
        clock.advance(by: 30)
        for _ in 0..<10 { bounded.info("client connected") }
        #expect(
            log.lines.suffix(3) == [
                "lines were left out", "client connected", "more of these lines come than are logged",
            ])
        clock.advance(by: 3600)
        for _ in 0..<10 { bounded.warning("client connected") }
        #expect(log.lines.count == 12, "a pause gives no more than a burst")
    }

    @Test func oneLineDoesNotPushOutAnother() {
        let bounded = BoundedLog(log, clock: clock, burst: 1, perMinute: 1)
        for _ in 0..<9 { bounded.info("client left") }
        bounded.info("client connected")
        #expect(log.lines.last == "client connected")
        for number in 0..<1000 { bounded.warning("problem \(number)") }
        #expect(log.lines.count < 80, "nor do messages that are all different come without end")
    }

    /// A day of refused requests, attempts from inside agents and made-up sessions; what was decided is not pushed out.
    @Test func aDayOfThemFitsIntoTheLog() {
        let refusals = RefusalLog(log: log, clock: clock)
        let events = EventLog(log: log, clock: clock) { "\($0)" }
        for _ in 0..<(24 * 60) {
            for _ in 0..<200 {
                refusals.warn("unknown token", ["address": "::1"])
                events.heard(
                    .record(
                        EventRecord(
                            sequence: 1, at: clock.now().wall, sessionID: "s",
                            body: .agentRefused(method: "permission/respond", pid: 7))))
            }
            clock.advance(by: 60)
        }
        #expect(log.lines.count(where: { $0 == "unknown token" }) <= 120 + 24 * 60)
        #expect(log.lines.count(where: { $0 == "a process inside an agent was refused" }) <= 240 + 4 * 24 * 60)
        #expect(log.lines.count < 25_000, "the log has room for some 100,000")
    }
}
