import Dialects
import Transport
import Wire

/// Brings each request to its route. The guard comes first, whatever the path; then path and method, then who asks, then
/// the body's size.
///
/// A class: each function that waits keeps a copy of what it is called on for as long as a call is held, and of a class
/// that is one pointer.
final class Router: HTTPHandler {
    private let authenticator: Authenticator
    private let table: RouteTable

    init(authenticator: Authenticator, routes: [Route]) {
        self.authenticator = authenticator
        table = RouteTable(routes)
    }

    func handle(_ request: consuming HTTPRequest, from peer: Peer, via exchange: Exchange) async -> HTTPResponse {
        switch begin(consume request, from: peer, via: exchange) {
        case .now(let response): return response
        case .later(let work):
            return Self.finished(await work.answer(), origin: work.origin, holdsSecrets: work.holdsSecrets)
        }
    }

    // Never inlined, and what does not wait neither: a call that is held keeps as much as its functions could need, those
    // inlined into them too, also for ways it has not taken.

    /// What became of a request before anything waited.
    private enum Begun {
        case now(HTTPResponse)
        case later(Work)
    }

    /// What leads to a response, and what is said with it.
    private struct Work {
        let answer: @Sendable () async -> HTTPResponse
        let origin: String?
        let holdsSecrets: Bool
    }

    @inline(never)
    private func begin(_ request: consuming HTTPRequest, from peer: Peer, via exchange: Exchange) -> Begun {
        if let refusal = authenticator.refusal(of: request, from: peer) { return .now(refusal) }
        // The page whose script asks. The guard let it pass, so it may read the answer.
        let origin = peer.isTCP ? request.headers["origin"] : nil
        switch table.route(for: request) {
        case .failure(let refusal):
            return .now(Self.finished(refusal.response, origin: origin, holdsSecrets: false))
        case .success(let (route, handler)):
            switch begin(request, by: route, handler, from: peer, via: exchange) {
            case .now(let response):
                return .now(Self.finished(response, origin: origin, holdsSecrets: route.holdsSecrets))
            case .later(let answer):
                return .later(Work(answer: answer, origin: origin, holdsSecrets: route.holdsSecrets))
            }
        }
    }

    /// Reads a hook at once. Who sends anything else is found first, which may wait.
    private func begin(
        _ request: HTTPRequest, by route: Route, _ handler: @escaping Route.Handler, from peer: Peer,
        via exchange: Exchange
    ) -> Route.Answer {
        if let refusal = route.refusalOfType(request, isLocal: !peer.isTCP) { return .now(refusal) }
        if route.admission == .hook {
            let admitted = authenticator.admitHook(request, from: peer)
            return Self.read(request, by: route, handler, from: admitted, via: exchange)
        }
        return .later { [authenticator] in
            let admitted = await authenticator.admit(request, from: peer, to: route.admission)
            return switch Self.read(request, by: route, handler, from: admitted, via: exchange) {
            case .now(let response): response
            case .later(let answer): await answer()
            }
        }
    }

    private static func read(
        _ request: HTTPRequest, by route: Route, _ handler: Route.Handler,
        from admitted: Result<Sender, RefusedRequest>, via exchange: Exchange
    ) -> Route.Answer {
        switch admitted {
        case .failure(let refusal): .now(refusal.response)
        case .success(let sender):
            route.refusal(of: request, from: sender).map { .now($0) } ?? handler(request, sender, exchange)
        }
    }

    @inline(never)
    private static func finished(_ response: HTTPResponse, origin: String?, holdsSecrets: Bool) -> HTTPResponse {
        guard origin != nil || holdsSecrets else { return response }
        var response = response
        if holdsSecrets { response.headers.append("Cache-Control", "no-store") }
        if let origin {
            response.headers.append("Access-Control-Allow-Origin", origin)
            response.headers.append("Vary", "Origin")
        }
        return response
    }

    func upgrade(_ request: HTTPRequest, from peer: Peer) async -> UpgradeDecision {
        if let refusal = authenticator.refusal(of: request, from: peer) { return .refuse(refusal) }
        switch table.webSocket(for: request) {
        case .failure(let refusal): return .refuse(refusal.response)
        case .success(let (route, session)):
            switch await authenticator.admit(request, from: peer, to: route.admission) {
            case .failure(let refusal): return .refuse(refusal.response)
            case .success(let sender):
                return .accept(
                    subprotocol: HTTPRequest.selectedSubprotocol, session: DialectSession(session: session(sender)))
            }
        }
    }
}
