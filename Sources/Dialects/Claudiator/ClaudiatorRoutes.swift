import Core
import OrderedJSON
import Services
import Wire

/// `/api/v1/…`: reports of sessions, in the shape of the server that the Claudiator app and `claudiator-hook` expect.
package struct ClaudiatorRoutes: Sendable {
    let services: ClaudiatorServices

    package init(services: ClaudiatorServices) {
        self.services = services
    }

    /// The same routes twice: the app keeps a path that is typed behind the server's name.
    package var routes: [Route] {
        let all = ["/api/v1", "/claudiator/api/v1"].flatMap { base in
            [ping(base)] + reportRoutes(base) + listRoutes(base) + noticeRoutes(base)
        }
        return all.map { $0.refusing(as: ClaudiatorFailure.spelled, .claudiatorError) }
            + keyRoutes.map { $0.refusing(as: ClaudiatorFailure.spelledOfKeys, .claudiatorError) }
    }

    /// The most bytes of a body that comes over the network.
    static let longestBody = 2 << 20

    /// A request of an admitted caller.
    struct Asked: Sendable {
        /// The part of the path that varies, decoded; empty on a path without one.
        let name: String
        let headers: HTTPHeaders
        let query: @Sendable (String) -> String?
        let body: [UInt8]
        let caller: Caller

        /// A part of the query, decoded; `nil` for an empty one.
        func parameter(_ name: String) -> String? {
            query(name).flatMap { $0.isEmpty ? nil : PercentEncoding.decode($0) ?? $0 }
        }

        /// A number of the query between these bounds, which it is moved to from beyond.
        func number(
            _ name: String, else standard: Int, in bounds: ClosedRange<Int>
        ) throws(ClaudiatorFailure) -> Int {
            guard let text = parameter(name) else { return standard }
            guard let number = Int(text) else { throw .malformed("\(name) must be a whole number") }
            return min(max(number, bounds.lowerBound), bounds.upperBound)
        }
    }

    typealias Work = @Sendable (Asked) async throws(ClaudiatorFailure) -> JSON

    /// A route for callers with a right, whose work leads to an object.
    func route(
        _ verbs: [String], _ path: Route.Path, _ right: Right, isReport: Bool = false, _ work: @escaping Work
    ) -> Route {
        Route(
            verbs, path, for: .caller, bodyLimit: Self.longestBody, takesJSONOnly: verbs == ["POST"],
            work: .request { request, sender, _ in
                if let refusal = refusal(of: request, sender, right, isReport: isReport) {
                    return .now(refusal.response)
                }
                guard let name = path.name(in: request.path) else {
                    return .now(ClaudiatorFailure.malformed("the path is not encoded as it should be").response)
                }
                let asked = Asked(
                    name: name, headers: request.headers, query: { request.query($0) }, body: request.body,
                    caller: sender.caller)
                return .later { await answer(asked, work) }
            })
    }

    private func answer(_ asked: Asked, _ work: Work) async -> HTTPResponse {
        do throws(ClaudiatorFailure) { return .json(try await work(asked)) } catch { return error.response }
    }

    /// Reports have a share of their own: a machine with several busy sessions sends more of them than people ask.
    private func refusal(
        of request: HTTPRequest, _ sender: Sender, _ right: Right, isReport: Bool
    ) -> ClaudiatorFailure? {
        guard sender.caller.may(right) else { return .forbidden }
        let rates = services.rates
        guard isReport ? rates.admits(reports: 1, from: sender.caller) : rates.admits(messages: 1, from: sender.caller)
        else { return .tooMany("too many requests in a minute") }
        guard rates.admits(reportBytes: request.body.count, from: sender.caller) else {
            return .tooMany("too many bytes in a minute")
        }
        return nil
    }

    private func ping(_ base: String) -> Route {
        route(Route.reading, .exact("\(base)/ping"), .read) { _ async throws(ClaudiatorFailure) in
            let versions = try await ClaudiatorFailure.answering { () async throws(ReportFailure) in
                try await services.reports.versions()
            }
            return [
                "status": "ok", "server_version": .string(Version.text), "data_version": .count(versions.events),
                "notification_version": .count(versions.notices),
            ]
        }
        .described("Two numbers that rise with each reported event and each notification.", result: .reportVersions)
    }
}
