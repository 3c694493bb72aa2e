import Commands
import Core
import Testing

@Suite struct PeopleTimeTests {
    private static let now = Timestamp(milliseconds: 1_795_000_000_000)

    @Test(
        arguments: [
            (0.4, "1 s left"), (58, "58 s left"), (119, "119 s left"), (120, "2 min left"), (7199, "119 min left"),
            (7200, "2 h left"), (180_000, "2 days left"), (0, "no time left"), (-5, "no time left"),
        ] as [(Double, String)])
    func timeLeft(_ seconds: Double, _ text: String) {
        #expect(PeopleTime.left(until: Self.now + seconds, now: Self.now) == text)
    }

    @Test(
        arguments: [
            (-3, "just now"), (4, "just now"), (5, "5 s ago"), (119, "119 s ago"), (120, "2 min ago"),
            (7200, "2 h ago"), (180_000, "2 days ago"),
        ] as [(Double, String)])
    func timeAgo(_ seconds: Double, _ text: String) {
        #expect(PeopleTime.ago(Self.now + -seconds, now: Self.now) == text)
    }

    /// Far from now there is a date, and in another year the year; in whichever time zone the tests run.
    @Test func onlyWhatDiffersFromNowIsShown() {
        #expect(PeopleTime.clock(Self.now, now: Self.now).wholeMatch(of: /\d\d:\d\d:\d\d/) != nil)
        let days = PeopleTime.clock(Self.now + -3 * 86_400, now: Self.now)
        #expect(days.wholeMatch(of: /[A-Z][a-z]{2} \d+ [A-Z][a-z]{2} \d\d:\d\d/) != nil)
        let years = PeopleTime.clock(Self.now + -800 * 86_400, now: Self.now)
        #expect(years.wholeMatch(of: /\d+ [A-Z][a-z]{2} 20\d\d \d\d:\d\d/) != nil)
    }
}
