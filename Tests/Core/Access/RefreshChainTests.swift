import Core
import Testing

struct RefreshChainTests {
    private static let start = Instant(milliseconds: 1_000_000)

    private func digest(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    private func chain() -> RefreshChain {
        RefreshChain(family: digest(0), current: [digest(1)], renewedAt: Self.start.wall)
    }

    private func at(_ seconds: Double) -> Instant { Self.start + seconds }

    @Test func eachIsTradedForTheNext() {
        var chain = chain()
        for number in UInt8(1)..<50 {
            #expect(chain.renew(digest(number), with: digest(number + 1), at: at(Double(number) * 900)) == .current)
            chain.confirm(digest(number + 1))
            #expect(chain.current == [digest(number + 1)] && chain.previous == digest(number))
        }
        for number in UInt8(1)..<49 {
            #expect(chain.verdict(on: digest(number), at: at(49 * 900)) == .replayed, "\(number)")
        }
    }

    @Test(arguments: [(0.0, RefreshChain.Verdict.repeated), (60, .repeated), (60.001, .replayed), (3600, .replayed)])
    func theLastOneIsGoodForAMinute(_ seconds: Double, _ verdict: RefreshChain.Verdict) {
        var chain = chain()
        #expect(chain.renew(digest(1), with: digest(2), at: at(0)) == .current)
        chain.confirm(digest(2))
        #expect(chain.renew(digest(1), with: digest(3), at: at(seconds)) == verdict)
        #expect(chain.current == (verdict == .repeated ? [digest(2), digest(3)] : [digest(2)]))
    }

    @Test func theMinuteIsNotBegunAnew() {
        var chain = chain()
        _ = chain.renew(digest(1), with: digest(2), at: at(0))
        chain.confirm(digest(2))
        #expect(chain.renew(digest(1), with: digest(3), at: at(50)) == .repeated)
        #expect(chain.renew(digest(1), with: digest(4), at: at(61)) == .replayed)
    }

    /// Each of the successors may be used; once one of them is, every other token is old.
    @Test(arguments: [UInt8(2), 3]) func theLastOneIsOldOnceItsSuccessorIsUsed(_ used: UInt8) {
        var chain = chain()
        _ = chain.renew(digest(1), with: digest(2), at: at(0))
        _ = chain.renew(digest(1), with: digest(3), at: at(1))
        for sent in UInt8(2)...3 { chain.confirm(digest(sent)) }
        #expect(chain.renew(digest(used), with: digest(4), at: at(2)) == .current)
        chain.confirm(digest(4))
        #expect(chain.verdict(on: digest(1), at: at(3)) == .replayed)
        #expect(chain.verdict(on: digest(5 - used), at: at(3)) == .replayed)
        #expect(chain.current == [digest(4)])
    }

    @Test func keepsFewSiblings() {
        var chain = chain()
        _ = chain.renew(digest(1), with: digest(2), at: at(0))
        for number in UInt8(3)..<20 { _ = chain.renew(digest(1), with: digest(number), at: at(1)) }
        for number in UInt8(2)..<20 { chain.confirm(digest(number)) }
        #expect(chain.current == (16..<20).map(digest))
        #expect(chain.verdict(on: digest(2), at: at(1)) == .replayed)
    }

    @Test func anUnknownOneOfTheFamilyIsAReplay() {
        var chain = chain()
        #expect(chain.renew(digest(9), with: digest(10), at: at(0)) == .replayed)
        #expect(chain == self.chain())
    }

    /// A clock that is set back must not make a valid token look replayed.
    @Test func aClockThatWasSetBackRevokesNobody() {
        var chain = chain()
        _ = chain.renew(digest(1), with: digest(2), at: at(0))
        let set = Instant(wall: at(-7200).wall, uptime: at(60).uptime)
        #expect(chain.verdict(on: digest(1), at: set) == .repeated)
        #expect(chain.verdict(on: digest(2), at: set) == .current)
        let restored = RefreshChain(
            family: digest(0), current: chain.current, previous: chain.previous, renewedAt: chain.renewedAt)
        #expect(restored.verdict(on: digest(1), at: at(-7200)) == .repeated, "in an earlier run")
    }

    @Test func aClockThatWasSetBackKeepsNoOldTokenGood() {
        var chain = chain()
        _ = chain.renew(digest(1), with: digest(2), at: at(0))
        chain.confirm(digest(2))
        let set = Instant(wall: at(-7200).wall, uptime: at(61).uptime)
        #expect(chain.verdict(on: digest(1), at: set) == .replayed)
    }

    /// The successor that was sent stays valid, whatever becomes of those that were not.
    @Test(arguments: [UInt8(2), 3, 4]) func aSentTokenIsNotUndone(_ sent: UInt8) {
        var chain = chain()
        for number in UInt8(2)...9 { _ = chain.renew(digest(1), with: digest(number), at: at(0)) }
        chain.confirm(digest(sent))
        for number in UInt8(2)...9 where number != sent { chain.withdraw(digest(number)) }
        chain.withdraw(digest(sent))
        #expect(chain.current == [digest(sent)])
        #expect(chain.verdict(on: digest(1), at: at(61)) == .replayed, "its successor was sent")
    }

    /// A token that was sent is not displaced by successors that never are.
    @Test func aSentTokenOutlivesThoseThatAreNotSent() {
        var chain = chain()
        _ = chain.renew(digest(1), with: digest(2), at: at(0))
        chain.confirm(digest(2))
        for number in UInt8(3)...9 { _ = chain.renew(digest(1), with: digest(number), at: at(1)) }
        #expect(chain.verdict(on: digest(2), at: at(1)) == .current)
        for number in UInt8(3)...9 { chain.withdraw(digest(number)) }
        #expect(chain.current == [digest(2)])
    }

    /// The exchange of a successor that fails returns to that successor, whose siblings may still fail.
    @Test func aSecondExchangeIsUndoneByItself() {
        var chain = chain()
        for number in UInt8(2)...3 { _ = chain.renew(digest(1), with: digest(number), at: at(0)) }
        chain.confirm(digest(3))
        _ = chain.renew(digest(3), with: digest(4), at: at(1))
        chain.withdraw(digest(2))
        chain.withdraw(digest(4))
        #expect(chain.verdict(on: digest(3), at: at(900)) == .current && chain.previous == digest(1))
        #expect(chain.verdict(on: digest(1), at: at(900)) == .replayed)
    }

    /// A write may hang for longer than a minute.
    @Test func theMinuteDoesNotEndWhileNoSuccessorWasSent() {
        var chain = chain()
        _ = chain.renew(digest(1), with: digest(2), at: at(0))
        #expect(chain.verdict(on: digest(1), at: at(3600)) == .repeated)
        chain.confirm(digest(2))
        #expect(chain.verdict(on: digest(1), at: at(3600)) == .replayed)
    }
}
