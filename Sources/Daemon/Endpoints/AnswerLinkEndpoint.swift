import Core
import OrderedJSON
import Services
import Transport
import Wire

/// `POST /a {secret}`: gives the one answer that an answer link is for. The secret is the proof; no token is asked for.
/// Nothing ever happens on GET, which programs do that only want to show what a link leads to.
struct AnswerLinkEndpoint: Sendable {
    let door: Door
    let links: LinkBook
    /// Secrets are not to be guessed; this keeps a guesser from filling the log as well. Wrong ones alone: others at an
    /// address, or all behind one proxy, must not be able to shut out who has a right one.
    private let wrong = RateLimiter(perMinute: 30)
    private let allWrong = RateLimiter(perMinute: 600)
    /// Whoever has a link might use it without end; nobody uses up another's.
    private let perLink = RateLimiter(perMinute: 60)

    private static let longestBody = 1024

    init(door: Door, links: LinkBook) {
        self.door = door
        self.links = links
    }

    func answer(_ request: HTTPRequest, from peer: Peer) async -> HTTPResponse {
        let network = AccessGate.network(of: door.address(of: request, from: peer))
        if let refusal = ContentType.refusal(of: request) { return refusal.response }
        guard request.body.count <= Self.longestBody, let body = try? JSON(parsing: request.body),
            let secret = body["secret"]?.stringValue
        else {
            return isGuessing(network)
                ? Self.tooMany
                : .error(.badRequest, #"send {"secret": …}, as it stands behind # in the link"#)
        }
        guard let link = links.link(secret) else {
            if isGuessing(network) { return Self.tooMany }
            door.refusals.warn("unknown answer link", [:])
            return Self.unknown
        }
        guard perLink.take(1, for: Base64.encodeForURL(link.hash), at: door.clock.uptime) else { return Self.tooMany }
        if body["look"]?.boolValue == true { return await look(secret) }
        return await act(secret)
    }

    private func isGuessing(_ network: String) -> Bool {
        let now = door.clock.uptime
        return !(wrong.take(1, for: network, at: now) && allWrong.take(1, for: "", at: now))
    }

    /// What the link would do, for the page that asks before it does it.
    private func look(_ secret: String) async -> HTTPResponse {
        guard let link = links.link(secret) else { return Self.unknown }
        guard link.usedAt == nil else { return Self.used }
        guard let request = await door.broker.request(id: link.requestID), request.isOpen,
            request.opening == link.opening
        else { return Self.ended(nil) }
        return .json([
            "decision": .string(link.verb.rawValue), "tool_name": .string(request.toolName),
            "project": .string(request.cwd.split(separator: "/").last.map(String.init) ?? ""),
            "deadline": .string(request.deadline.rfc3339),
        ])
    }

    private func act(_ secret: String) async -> HTTPResponse {
        switch links.begin(secret) {
        case .failure(.unknown): return Self.unknown
        case .failure(.used): return Self.used
        case .success(let link):
            let (isAccepted, response) = await give(link)
            await links.end(link, isAccepted: isAccepted)
            return response
        }
    }

    private func give(_ link: AnswerLink) async -> (isAccepted: Bool, response: HTTPResponse) {
        guard let request = await door.broker.request(id: link.requestID), request.opening == link.opening else {
            return (false, Self.ended(nil))
        }
        guard request.isOpen else { return (false, Self.ended(request.resolution)) }
        guard !request.isUnverified, request.confirm == nil else { return (false, Self.unknown) }
        let answer = PermissionResponse(
            target: .request(id: link.requestID), decision: link.verb, opening: link.opening)
        let caller = Caller(identity: .link(channel: link.channel), rights: [.decide])
        switch await door.broker.respond([answer], by: caller).first {
        case .success(let receipt):
            return (
                true,
                .json([
                    "success": true, "decision": .string(receipt.decision.rawValue),
                    "request_id": .string(receipt.requestID), "sent": .bool(receipt.isSent),
                ])
            )
        case .failure(.decided(let resolution)): return (false, Self.ended(resolution))
        case .failure(.invalid(let message)), .failure(.refused(let message)), .failure(.unconfirmed(let message, _)):
            return (false, .error(.forbidden, message))
        case .failure(.unrecorded(let message)): return (false, .error(.serviceUnavailable, message))
        case .failure(.ambiguousToolUse), .failure(.notOpen), .failure(.unknown), nil: return (false, Self.ended(nil))
        }
    }

    private static let tooMany = HTTPResponse.error(
        .tooManyRequests, "too many answers by link in a minute", headers: ["Retry-After": "60"])
    private static let unknown = HTTPResponse.error(.notFound, "this link is not known; it may be too old")
    private static let used = HTTPResponse.error(.gone, "this link has been used")

    private static func ended(_ resolution: Resolution?) -> HTTPResponse {
        let how = resolution.map { ": \($0.decision.rawValue) by \($0.resolver.spelling)" } ?? ""
        return .error(.gone, "the question has ended\(how)")
    }
}
