import Core
import OrderedJSON
import Services
import Transport
import Wire

/// What stands before the endpoints that need no token: JSON only, small, and not too often.
struct AccessGate: Sendable {
    let authenticator: Authenticator

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
    static let bodyLimit = 4096

    init(authenticator: Authenticator) {
        self.authenticator = authenticator
    }

    /// The refusal of a request for `route` from `address`; nil if it may go on.
    func refusal(of request: HTTPRequest, for route: AccessRoute, from address: String) -> RefusedRequest? {
        guard isRare(route, Self.network(of: address)) else {
            return tooMany(["path": request.path, "at": address])
        }
        guard request.body.count <= Self.bodyLimit else {
            return RefusedRequest(.error(.contentTooLarge, "a body has at most \(Self.bodyLimit) bytes here"))
        }
        return request.method == "POST" ? ContentType.refusal(of: request) : nil
    }

    /// The refusal of what a secret nobody has got leads to, once there were too many; nil if that may be said.
    func refusalOfWrongSecret(from address: String) -> RefusedRequest? {
        let now = authenticator.clock.uptime
        guard tokens.take(1, for: Self.network(of: address), at: now), allTokens.take(1, for: "", at: now) else {
            return tooMany(["at": address])
        }
        return nil
    }

    private func tooMany(_ fields: KeyValuePairs<String, String>) -> RefusedRequest {
        authenticator.refusals.warn("too many tries", fields)
        return RefusedRequest(.error(.tooManyRequests, "too many tries; wait a minute", headers: ["Retry-After": "60"]))
    }

    private func isRare(_ route: AccessRoute, _ network: String) -> Bool {
        let now = authenticator.clock.uptime
        return switch route {
        case .pairingCode: codes.take(1, for: network, at: now) && allCodes.take(1, for: "", at: now)
        case .info: infos.take(1, for: network, at: now) && allInfos.take(1, for: "", at: now)
        default: true
        }
    }

    /// Of an IPv6 address the first four groups: whoever has one has the rest of them too.
    static func network(of address: String) -> String {
        guard address.contains(":"), !address.hasPrefix("::ffff:") else { return address }
        let groups = address.prefix { $0 != "%" }.split(separator: ":", omittingEmptySubsequences: false)
        // `::` stands for the missing zeros.
        guard let gap = groups.firstIndex(of: ""), gap > 0, gap < 4 else {
            return groups.prefix(4).joined(separator: ":")
        }
        return groups.prefix(gap).joined(separator: ":") + "::"
    }

    /// The object in the body.
    func object(_ request: HTTPRequest) -> Result<JSONObject, RefusedRequest> {
        guard let json = try? JSON(parsing: request.body), let object = json.objectValue else {
            return .failure(RefusedRequest(.error(.badRequest, "send a JSON object")))
        }
        return .success(object)
    }
}

/// What a body is said to be. Pages of other sites can send some types without being asked; JSON is none of them.
enum ContentType {
    static func refusal(of request: HTTPRequest) -> RefusedRequest? {
        let fields = request.headers.values("content-type")
        let type = fields.first?.prefix { $0 != ";" }.split(separator: " ").joined().lowercased()
        guard fields.count == 1, type == "application/json" else {
            return RefusedRequest(.error(.unsupportedMediaType, "send Content-Type: application/json"))
        }
        return nil
    }
}
