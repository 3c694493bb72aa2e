import Core
import Dialects
import Services
import Transport
import Wire

/// Passes each request to its route. The request guard comes first, for every path; then path and method, then the
/// sender, then the size of the body.
///
/// A class, because each suspended function keeps a copy of `self` for as long as a request is held; a copy of a class
/// is one pointer.
final class Router: HTTPHandler {
    private let authenticator: Authenticator
    private let table: RouteTable
    private let places = SocketPlaces()

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

    // `@inline(never)`: a suspended async frame reserves space for everything inlined into it, even branches not taken.
    // So functions that do not wait are kept out of line.

    /// The result of the steps that do not wait.
    private enum Begun {
        case now(HTTPResponse)
        case later(Work)
    }

    /// The rest of the work, and the values for the response's headers.
    private struct Work {
        let answer: @Sendable () async -> HTTPResponse
        let origin: String?
        let holdsSecrets: Bool
    }

    @inline(never)
    private func begin(_ request: consuming HTTPRequest, from peer: Peer, via exchange: Exchange) -> Begun {
        if let refusal = authenticator.refusal(of: request, from: peer) { return .now(refusal) }
        // The origin of the page whose script sent the request. The request guard accepted it, so the page may read the
        // answer.
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

    /// Handles a hook at once. For any other route the sender is determined first, which may wait.
    private func begin(
        _ request: HTTPRequest, by route: Route, _ handler: @escaping Route.Handler, from peer: Peer,
        via exchange: Exchange
    ) -> Route.Answer {
        if let refusal = route.refusalOfType(request, isLocal: !peer.isTCP) { return .now(route.spelling(refusal)) }
        if route.admission == .hook {
            let admitted = authenticator.admitHook(request, from: peer)
            return Self.read(request, by: route, handler, from: admitted, via: exchange)
        }
        let authenticator = authenticator
        return .later {
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
        case .failure(let refusal): .now(route.spelling(refusal.response))
        case .success(let sender):
            begin(request, by: route, handler, from: sender, via: exchange)
        }
    }

    private static func begin(
        _ request: HTTPRequest, by route: Route, _ handler: Route.Handler, from sender: Sender, via exchange: Exchange
    ) -> Route.Answer {
        if sender.caller.deviceID != nil { exchange.notePeerIsKnown() }
        return route.refusal(of: request, from: sender).map { .now(route.spelling($0)) }
            ?? handler(request, sender, exchange)
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
            case .success(let sender): return accept(session, from: sender)
            }
        }
    }

    private func accept(
        _ session: @Sendable (Sender) -> any SocketSession, from sender: Sender
    ) -> UpgradeDecision {
        guard let place = places.take(for: sender.caller) else {
            return .refuse(Self.tooManySockets(of: sender.caller))
        }
        return .accept(
            subprotocol: HTTPRequest.selectedSubprotocol,
            session: DialectSession(session: session(sender), place: place))
    }

    private static func tooManySockets(of caller: Caller) -> HTTPResponse {
        let message =
            caller.deviceID == nil
            ? "processes inside agents have \(SocketPlaces.mostOfAgents) WebSockets open already; close one first"
            : "this device has \(SocketPlaces.mostOfDevice) WebSockets open already; close one first"
        return .error(.tooManyRequests, message, headers: ["Retry-After": "60"])
    }
}
