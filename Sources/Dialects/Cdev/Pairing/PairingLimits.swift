import Services
import Wire

/// Rate limits for the pairing requests that need no token, over the network.
struct PairingLimits: Sendable {
    private let clock: any TimeSource
    private let refusals: RefusalLog

    /// All codes typed, right or wrong. A code has eight letters and is void after five wrong tries.
    private let codes = RateLimiter(perMinute: 10)
    private let allCodes = RateLimiter(perMinute: 60)
    /// Requests for the daemon's addresses. They tell nothing secret; the limit is separate, so that asking too often
    /// blocks nothing else.
    private let infos = RateLimiter(perMinute: 120)
    private let allInfos = RateLimiter(perMinute: 1200)
    /// Wrong tokens only, so that a guesser at the same address cannot lock out the owner of a right one.
    private let tokens = RateLimiter(perMinute: 120)
    private let allTokens = RateLimiter(perMinute: 1200)

    /// Bytes of a body.
    static let body = 4096

    init(clock: any TimeSource, refusals: RefusalLog) {
        self.clock = clock
        self.refusals = refusals
    }

    /// 429 once too many codes were typed this minute; nil while this one may be checked.
    func refusalOfCode(_ request: HTTPRequest, from sender: Sender) -> RefusedRequest? {
        take(codes, allCodes, for: sender) ? nil : tooMany(["path": request.path, "at": sender.address])
    }

    /// 429 once too many requests for the daemon's addresses were made this minute; nil otherwise, and always for local
    /// senders.
    func refusalOfInfo(_ request: HTTPRequest, _ sender: Sender) -> RefusedRequest? {
        guard !sender.isLocal, !take(infos, allInfos, for: sender) else { return nil }
        return tooMany(["path": request.path, "at": sender.address])
    }

    /// 429 once this network, or all networks together, sent too many wrong secrets this minute; nil while the ordinary
    /// refusal may be sent.
    func refusalOfWrongSecret(from sender: Sender) -> RefusedRequest? {
        take(tokens, allTokens, for: sender) ? nil : tooMany(["at": sender.address])
    }

    private func take(_ each: RateLimiter, _ all: RateLimiter, for sender: Sender) -> Bool {
        let now = clock.uptime
        return each.take(1, for: sender.network, at: now) && all.take(1, for: "", at: now)
    }

    private func tooMany(_ fields: KeyValuePairs<String, String>) -> RefusedRequest {
        refusals.warn("too many tries", fields)
        return RefusedRequest(.error(.tooManyRequests, "too many tries; wait a minute", headers: ["Retry-After": "60"]))
    }
}
