import Core
import OrderedJSON
package import Services
import Wire

/// `POST /a {secret}`: gives the one answer that an answer link is for. The secret is the only proof; no token is
/// needed. GET never answers a request, because mail and chat programs fetch links for a preview.
package struct AnswerLinkRoutes: Sendable {
    private let links: AnswerLinkService
    private let clock: any TimeSource
    private let refusals: RefusalLog
    /// Wrong secrets of one network in a minute. A secret cannot be guessed; the limit keeps a guesser from filling the
    /// log. Only wrong secrets count, so that a guesser behind the same proxy cannot lock out the owner of a right one.
    private let wrong = RateLimiter(perMinute: 30)
    private let allWrong = RateLimiter(perMinute: 600)
    /// Requests with one right secret. Counted per link, so that heavy use of one link blocks no other.
    private let perLink = RateLimiter(perMinute: 60)

    /// Bytes. A longer body counts as a wrong secret.
    private static let longestBody = 1024

    package init(links: AnswerLinkService, clock: any TimeSource, refusals: RefusalLog) {
        self.links = links
        self.clock = clock
        self.refusals = refusals
    }

    package var routes: [Route] {
        [
            Route(["POST"], "/a", for: .anyone) { request, sender in await answer(request, from: sender) }
                .described("Gives the one answer of an answer link.", body: Self.body, result: Self.result)
        ]
    }

    private static var body: Schema {
        .object(["secret": .string, "look": .boolean.optional.meaning("true: only tells what it would answer")])
    }

    private static var result: Schema {
        .object([
            "decision": .decision, "success": .success.optional, "request_id": .string.optional,
            "sent": .boolean.optional, "tool_name": .string.optional, "project": .string.optional,
            "deadline": .time.optional, "server_time": .time.optional, "card": .anyObject.orNull.optional,
        ])
    }

    private func answer(_ request: HTTPRequest, from sender: Sender) async -> HTTPResponse {
        if let refusal = RequestBody.refusalOfType(request) { return refusal.response }
        guard request.body.count <= Self.longestBody, let body = try? JSON(parsing: request.body),
            let secret = body["secret"]?.stringValue
        else {
            return isGuessing(sender)
                ? Self.tooMany
                : .error(.badRequest, #"send {"secret": …}, as it stands behind # in the link"#)
        }
        guard let link = links.link(secret) else {
            if isGuessing(sender) { return Self.tooMany }
            refusals.warn("unknown answer link", [:])
            return Self.unknown
        }
        guard perLink.take(1, for: Base64.encodeForURL(link.hash), at: clock.uptime) else { return Self.tooMany }
        // Only a call that certainly does not mean to look may answer.
        guard let isLook = (body["look"] ?? false).boolValue else {
            return .error(.badRequest, #""look" must be true or false; nothing was answered"#)
        }
        return isLook ? await look(secret) : await act(secret)
    }

    private func isGuessing(_ sender: Sender) -> Bool {
        let now = clock.uptime
        return !(wrong.take(1, for: sender.network, at: now) && allWrong.take(1, for: "", at: now))
    }

    /// The answer that the link would give, for the page that asks for confirmation first.
    private func look(_ secret: String) async -> HTTPResponse {
        do throws(AnswerLinkFailure) {
            let (verb, request) = try await links.look(secret)
            let card = shows(request, verb) ? JSON.object(PermissionCard.params(of: request, limit: nil)) : .null
            return .json([
                "decision": .string(verb.rawValue), "tool_name": .string(request.toolName),
                "project": .string(request.cwd.split(separator: "/").last.map(String.init) ?? ""),
                "deadline": .string(request.deadline.rfc3339), "server_time": .time(clock.now().wall), "card": card,
            ])
        } catch {
            return Self.response(to: error)
        }
    }

    /// Whoever may allow a call is shown it. A link that only denies may be known to more people, such as all readers of
    /// an ntfy topic, and a larger input would take the loop too long to encode.
    private func shows(_ request: PermissionRequest, _ verb: Decision) -> Bool {
        verb == .allow && request.input.size <= Self.longestShown
    }

    /// Bytes of a call's input.
    private static let longestShown = 32 << 10

    private func act(_ secret: String) async -> HTTPResponse {
        do throws(AnswerLinkFailure) {
            let receipt = try await links.answer(secret)
            return .json([
                "success": true, "decision": .string(receipt.decision.rawValue),
                "request_id": .string(receipt.requestID), "sent": .bool(receipt.isSent),
            ])
        } catch {
            return Self.response(to: error)
        }
    }

    private static func response(to failure: AnswerLinkFailure) -> HTTPResponse {
        switch failure {
        case .ended(let resolution): ended(resolution)
        case .refused(let message): .error(.forbidden, message)
        case .unknown: unknown
        case .unrecorded(let message): .error(.serviceUnavailable, message)
        case .used: .error(.gone, "this link has been used")
        }
    }

    private static let tooMany = HTTPResponse.error(
        .tooManyRequests, "too many answers by link in a minute", headers: ["Retry-After": "60"])
    private static let unknown = HTTPResponse.error(.notFound, "this link is not known; it may be too old")

    private static func ended(_ resolution: Resolution?) -> HTTPResponse {
        let how = resolution.map { ": \(OutcomeWords.text($0.decision.rawValue, by: $0.resolver.spelling))" } ?? ""
        return .error(.gone, "the request has ended\(how)")
    }
}
