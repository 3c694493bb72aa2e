package import Core
package import OrderedJSON
import Services
import Wire

/// `/v1/…`: sessions in the shape of OpenAI's API, for chat front ends and for programs that speak to a model.
package struct OpenAIRoutes: Sendable {
    let services: OpenAIServices
    let sessions: ChatSessions
    let completions: ChatCompletions

    package init(services: OpenAIServices) {
        self.services = services
        sessions = ChatSessions(services: services)
        completions = ChatCompletions(services: services, sessions: sessions)
    }

    package var routes: [Route] {
        turnRoutes
            + (chatRoutes + modelRoutes + projectRoutes + sessionRoutes + toolRoutes).map {
                $0.refusing(as: ChatShape.completions.spelled, .openAIError)
            }
    }

    /// Returns the members of `/health` for this caller. A stranger need not know which daemon this is.
    package func health(for caller: Caller) async -> JSONObject {
        guard caller.may(.read) else { return [:] }
        return [
            "version": .string(Version.text),
            "active_sessions": .count(await services.runs.active(in: nil).count { $0.hasChild }),
            "uptime_seconds": .count(Int(services.clock.uptime.seconds(since: services.startedAt))),
        ]
    }

    /// A request of an admitted caller.
    struct Asked: Sendable {
        /// The part of the path that varies, decoded; empty on a path without one.
        let name: String
        let query: @Sendable (String) -> String?
        let body: [UInt8]
        let caller: Caller

        /// A part of the query, decoded; `nil` for an empty one.
        func parameter(_ name: String) -> String? {
            query(name).flatMap { $0.isEmpty ? nil : PercentEncoding.decode($0) ?? $0 }
        }
    }

    typealias Work = @Sendable (Asked) async throws(OpenAIFailure) -> JSON

    /// A route for callers with a right, whose work leads to an object.
    func route(
        _ verbs: [String], _ path: Route.Path, _ right: Right, takesJSONOnly: Bool = false, _ work: @escaping Work
    ) -> Route {
        Route(
            verbs, path, for: .caller, takesJSONOnly: takesJSONOnly,
            work: .request { request, sender, _ in
                if let refusal = refusal(of: request, sender, right) { return .now(refusal.response) }
                guard let name = path.name(in: request.path) else {
                    return .now(OpenAIFailure.notFound("this path is not percent-encoded as it should be").response)
                }
                let asked = Asked(
                    name: name, query: { request.query($0) }, body: request.body, caller: sender.caller)
                return .later { await answer(asked, work) }
            })
    }

    private func answer(_ asked: Asked, _ work: Work) async -> HTTPResponse {
        await CallPermit.$current.withValue(services.devices.permit(of: asked.caller)) { () -> HTTPResponse in
            do throws(OpenAIFailure) { return .json(try await work(asked)) } catch { return error.response }
        }
    }

    func refusal(of request: HTTPRequest, _ sender: Sender, _ right: Right) -> OpenAIFailure? {
        guard sender.caller.may(right) else {
            return .forbidden("this needs the right \"\(right.rawValue)\", which this token does not have")
        }
        guard services.rates.admits(messages: 1, from: sender.caller) else {
            return OpenAIFailure(.tooManyRequests, "rate_limited", "more than 600 requests in a minute", delay: 60)
        }
        guard services.rates.admits(chatBytes: request.body.count, from: sender.caller) else {
            return OpenAIFailure(.tooManyRequests, "rate_limited", "more than 64 MiB in a minute", delay: 60)
        }
        return nil
    }
}
