import Core
import OrderedJSON
package import Services
import Wire

/// `POST /a {secret}`: gives the one answer that an answer link is for. The secret is the proof; no token is asked for.
/// Nothing ever happens on GET, which programs do that only want to show what a link leads to.
package struct AnswerLinkRoutes: Sendable {
    private let links: AnswerLinkService
    private let clock: any TimeSource
    private let refusals: RefusalLog
    /// Secrets are not to be guessed; this keeps a guesser from filling the log as well. Wrong ones alone: others at an
    /// address, or all behind one proxy, must not be able to shut out who has a right one.
    private let wrong = RateLimiter(perMinute: 30)
    private let allWrong = RateLimiter(perMinute: 600)
    /// Whoever has a link might use it without end; nobody uses up another's.
    private let perLink = RateLimiter(perMinute: 60)

    /// Bytes. A longer body is a wrong secret, and counted as one.
    private static let longestBody = 1024

    package init(links: AnswerLinkService, clock: any TimeSource, refusals: RefusalLog) {
        self.links = links
        self.clock = clock
        self.refusals = refusals
    }

    package var routes: [Route] {
        [Route(["POST"], "/a", for: .anyone) { request, sender in await answer(request, from: sender) }]
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
        if body["look"]?.boolValue == true { return await look(secret) }
        return await act(secret)
    }

    private func isGuessing(_ sender: Sender) -> Bool {
        let now = clock.uptime
        return !(wrong.take(1, for: sender.network, at: now) && allWrong.take(1, for: "", at: now))
    }

    /// What the link would do, for the page that asks before it does it.
    private func look(_ secret: String) async -> HTTPResponse {
        do throws(AnswerLinkFailure) {
            let (verb, request) = try await links.look(secret)
            return .json([
                "decision": .string(verb.rawValue), "tool_name": .string(request.toolName),
                "project": .string(request.cwd.split(separator: "/").last.map(String.init) ?? ""),
                "deadline": .string(request.deadline.rfc3339),
            ])
        } catch {
            return Self.response(to: error)
        }
    }

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
        let how = resolution.map { ": \($0.decision.rawValue) by \($0.resolver.spelling)" } ?? ""
        return .error(.gone, "the question has ended\(how)")
    }
}
