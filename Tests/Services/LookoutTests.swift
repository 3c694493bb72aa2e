import Core
import Platform
import Services
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LookoutTests {
    private let clock = ManualClock()
    private let looks = Events<Void>()
    /// What each look waits for, and then finds.
    private let findings = Events<Bool>()
    private let lookout: Lookout

    init() {
        let (looks, findings) = (looks, findings)
        lookout = Lookout(["/a", "/b"], clock: clock) {
            looks.add(())
            return (try? await findings.next()) ?? true
        }
    }

    /// Waits for a look, which finds `isWell`.
    private func look(_ isWell: Bool = true) async throws {
        try await looks.next()
        findings.add(isWell)
    }

    /// Waits until the next look is arranged, and lets its time come.
    private func pass() async throws {
        while !clock.isBusy { try await letOthersRun() }
        clock.advance(by: 1)
    }

    private func isTold() {
        lookout.noteChange(of: "/a", isTold: true)
        lookout.noteChange(of: "/b", isTold: true)
    }

    @Test func looksEverySecondWhileItMayNotBeTold() async throws {
        lookout.start()
        lookout.noteChange(of: "/a", isTold: true)
        lookout.noteChange(of: "/b", isTold: false)
        for _ in 0..<3 {
            try await pass()
            try await look()
        }
        lookout.noteChange(of: "/b", isTold: true)
        try await pass()
        try await look()
        lookout.noteChange(of: "/a", isTold: true)
        try await look()
        #expect(!clock.isBusy)
        lookout.noteChange(of: "/a", isTold: false)
        try await look()
        try await pass()
        try await look()
    }

    @Test func looksEverySecondWhileNotAllIsWell() async throws {
        lookout.start()
        isTold()
        try await pass()
        for isWell in [false, false, true] {
            try await look(isWell)
            if !isWell { try await pass() }
        }
        lookout.lookNow()
        try await look()
        #expect(!clock.isBusy)
    }

    /// A change that comes while a look runs may have come too late for it.
    @Test func aChangeDuringALookLeadsToAnother() async throws {
        lookout.start()
        isTold()
        try await pass()
        try await looks.next()
        for _ in 0..<3 { lookout.noteChange(of: "/a", isTold: true) }
        findings.add(false)
        try await look()
        lookout.lookNow()
        try await look()
        #expect(!clock.isBusy)
    }

    /// What began to be watched after the look began was perhaps changed in between.
    @Test func aLookCountsOnlyIfAllWasWatchedBefore() async throws {
        lookout.start()
        try await pass()
        try await looks.next()
        isTold()
        findings.add(true)
        try await pass()
        try await look()
    }

    @Test func nobodyLooksAfterTheEnd() async throws {
        lookout.start()
        isTold()
        lookout.cancel()
        #expect(!clock.isBusy)
        lookout.lookNow()
        lookout.noteChange(of: "/a", isTold: false)
        clock.advance(by: 9)
        #expect(!clock.isBusy)
    }
}
