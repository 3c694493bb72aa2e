import Core
import Services
import Testing

@Suite struct RateLimiterTests {
    /// Each address is a key; a flood of them must not cost a look at all of them each time, nor memory without end.
    @Test func manyAddressesCostLittle() {
        let limiter = RateLimiter(perMinute: 1)
        let now = Uptime(milliseconds: 0)
        for number in 0..<RateLimiter.mostKeys { #expect(limiter.take(1, for: "\(number)", at: now)) }
        #expect(!limiter.take(1, for: "0", at: now))
        #expect(limiter.take(1, for: "a", at: now), "those beyond share a minute")
        #expect(!limiter.take(1, for: "b", at: now))
        for key in ["b", "c"] {
            #expect(limiter.take(1, for: key, at: now + 60), "the next minute has room for each again")
        }
    }
}
