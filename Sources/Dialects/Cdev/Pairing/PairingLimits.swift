import Services
import Wire

/// How often what needs no token may be asked over the network.
struct PairingLimits: Sendable {
    private let clock: any TimeSource
    private let refusals: RefusalLog

    /// Guesses and honest tries alike. A code is eight letters and void after five wrong ones; a token cannot be guessed.
    private let codes = RateLimiter(perMinute: 10)
    private let allCodes = RateLimiter(perMinute: 60)
    /// Nothing secret is told, so who asks too often shuts nobody out of anything else.
    private let infos = RateLimiter(perMinute: 120)
    private let allInfos = RateLimiter(perMinute: 1200)
    /// Wrong ones alone: others at an address must not be able to shut out who has a right one.
    private let tokens = RateLimiter(perMinute: 120)
    private let allTokens = RateLimiter(perMinute: 1200)

    /// Bytes of a body.
    static let body = 4096

    init(clock: any TimeSource, refusals: RefusalLog) {
        self.clock = clock
        self.refusals = refusals
    }

    /// 429 once there were too many codes this minute; nil if this one may be looked at.
    func refusalOfCode(_ request: HTTPRequest, from sender: Sender) -> RefusedRequest? {
        take(codes, allCodes, for: sender) ? nil : tooMany(["path": request.path, "at": sender.address])
    }

    /// The same for who asks where the daemon is.
    func refusalOfInfo(_ request: HTTPRequest, _ sender: Sender) -> RefusedRequest? {
        guard !sender.isLocal, !take(infos, allInfos, for: sender) else { return nil }
        return tooMany(["path": request.path, "at": sender.address])
    }

    /// 429 once this address, or all addresses together, sent too many wrong secrets this minute; nil while the ordinary
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
