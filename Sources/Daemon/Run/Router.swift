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
        if let refusal = authenticator.refusal(of: request, from: peer) { return refusal }
        let origin = peer.isTCP ? request.headers["origin"] : nil
        switch table.route(for: request) {
        case .failure(let refusal): return Self.finished(refusal.response, origin: origin, holdsSecrets: false)
        case .success(let (route, handler)):
            let holdsSecrets = route.holdsSecrets
            let response = await answer(consume request, by: route, handler, from: peer, via: exchange)
            return Self.finished(response, origin: origin, holdsSecrets: holdsSecrets)
        }
    }

    // Never inlined, and what does not wait neither: a call that is held keeps as much as its functions could need, those
    // inlined into them too, also for ways it has not taken.

    @inline(never)
    private static func finished(_ response: HTTPResponse, origin: String?, holdsSecrets: Bool) -> HTTPResponse {
        guard origin != nil || holdsSecrets else { return response }
        var response = response
        if holdsSecrets { response.headers.append("Cache-Control", "no-store") }
        if let origin {
            // The guard let this origin pass, so its pages may read the answer.
            response.headers.append("Access-Control-Allow-Origin", origin)
            response.headers.append("Vary", "Origin")
        }
        return response
    }

    @inline(never)
    private func answer(
        _ request: consuming HTTPRequest, by route: Route, _ handler: Route.Handler, from peer: Peer,
        via exchange: Exchange
    ) async -> HTTPResponse {
        let admitted =
            route.admission == .hook
            ? authenticator.admitHook(request, from: peer)
            : await authenticator.admit(request, from: peer, to: route.admission)
        switch admitted {
        case .failure(let refusal): return refusal.response
        case .success(let sender):
            if let refusal = route.refusal(of: request, from: sender) { return refusal }
            return await handler(consume request, sender, exchange)
        }
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
