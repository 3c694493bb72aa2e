import Core
import Crypto
import Dialects
import OrderedJSON
import Transport
import Wire

/// Which path is what. The guard comes first, whatever the path; then the path, then the verb, then who asks.
///
/// A class, as `HookEndpoint`: each function that waits keeps a copy of what it is called on for as long as a call is
/// held, and of a class that is one pointer.
final class Router: HTTPHandler {
    let access: AccessEndpoint
    let authenticator: Authenticator
    /// Of this machine, where it has made one.
    let authority: CertificateAuthority?
    let answers: AnswerLinkEndpoint
    let hooks: HookEndpoint
    let open: OpenGate
    let rpc: RPCEndpoint
    let services: ClientServices

    init(
        authenticator: Authenticator, answers: AnswerLinkEndpoint, hooks: HookEndpoint, rpc: RPCEndpoint,
        access: AccessEndpoint, authority: CertificateAuthority?,
        services: ClientServices
    ) {
        self.access = access
        self.authenticator = authenticator
        self.authority = authority
        self.answers = answers
        self.hooks = hooks
        open = OpenGate(authenticator: authenticator)
        self.rpc = rpc
        self.services = services
    }

    private enum Route {
        case access(AccessRoute)
        case answerLink
        case compatibleHook(CompatibleHook?)
        case authority, discover, file, health, hook, rpc, webSocket

        init?(_ path: String) {
            switch path {
            case "/a": self = .answerLink
            case "/api/rpc/discover": self = .discover
            case "/ca.crt": self = .authority
            case "/health": self = .health
            case "/hooks/claude": self = .hook
            case "/rpc": self = .rpc
            case "/ws": self = .webSocket
            case _ where StaticFiles.has(path): self = .file
            default:
                if let route = AccessRoute(rawValue: path) {
                    self = .access(route)
                    return
                }
                guard path.hasPrefix(CompatibleHook.prefix), path.utf8.count < 64 else { return nil }
                let name = String(path.dropFirst(CompatibleHook.prefix.count))
                guard !name.isEmpty, !name.contains("/") else { return nil }
                self = .compatibleHook(CompatibleHook(rawValue: name))
            }
        }

        var verbs: [String] {
            switch self {
            case .access(let route): route.verbs
            case .answerLink: ["GET", "HEAD", "POST"]
            case .compatibleHook, .hook, .rpc: ["POST"]
            case .authority, .discover, .file, .health: ["GET", "HEAD"]
            case .webSocket: ["GET"]
            }
        }
    }

    func handle(_ request: consuming HTTPRequest, from peer: Peer, via exchange: Exchange) async -> HTTPResponse {
        if let refusal = authenticator.refusal(of: request, from: peer) { return refusal }
        let origin = peer.isTCP ? request.headers["origin"] : nil
        return Self.share(await answer(consume request, from: peer, via: exchange), with: origin)
    }

    /// The guard let this origin pass, so its pages may read the answer.
    @inline(never)
    private static func share(_ response: HTTPResponse, with origin: String?) -> HTTPResponse {
        guard let origin else { return response }
        var response = response
        response.headers.append("Access-Control-Allow-Origin", origin)
        response.headers.append("Vary", "Origin")
        return response
    }

    private func answer(
        _ request: consuming HTTPRequest, from peer: Peer, via exchange: Exchange
    ) async -> HTTPResponse {
        guard let route = Route(request.path) else { return Self.nothing(at: request.path) }
        if let answer = Self.answerToVerb(of: request, route) { return answer }
        guard case .hook = route else { return await answer(request, of: route, from: peer, via: exchange) }
        return await hooks.answer(consume request, from: peer, via: exchange)
    }

    // Never inlined, and what does not wait neither: a call that is held keeps as much as its functions could need, those
    // inlined into them too, also for ways it has not taken.

    @inline(never)
    private func answer(
        _ request: HTTPRequest, of route: Route, from peer: Peer, via exchange: Exchange
    ) async -> HTTPResponse {
        switch route {
        case .access(let route): return await access.answer(route, request, from: peer)
        case .answerLink where request.method == "POST": return await answers.answer(request, from: peer)
        case .compatibleHook(let hook):
            return await hooks.compatibleAnswer(hook, request, from: peer, via: exchange)
        case .answerLink, .authority, .file, .health: return openAnswer(request, of: route, from: peer)
        case .discover: return await rpc.describe(request, from: peer)
        case .hook: return await hooks.answer(request, from: peer, via: exchange)
        case .rpc: return await rpc.answer(request, from: peer)
        case .webSocket:
            return .error(
                .upgradeRequired, "/ws speaks WebSocket only",
                headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
        }
    }

    /// Of what is the same for everybody.
    @inline(never)
    private func openAnswer(_ request: HTTPRequest, of route: Route, from peer: Peer) -> HTTPResponse {
        let isFile = if case .health = route { false } else { true }
        if let refusal = open.refusal(of: request, isFile: isFile, from: peer) { return refusal }
        switch route {
        case .authority: return authorityCertificate
        case .health: return .json(["status": "ok", "time": .string(authenticator.clock.now().wall.rfc3339)])
        default: return StaticFiles.answer(request) ?? .error(.notFound, "there is no such file")
        }
    }

    @inline(never)
    private static func nothing(at path: String) -> HTTPResponse {
        .error(.notFound, "there is nothing at \(path.prefix(80))")
    }

    /// To a verb that the route does not take, or that is no more than a question about it.
    @inline(never)
    private static func answerToVerb(of request: HTTPRequest, _ route: Route) -> HTTPResponse? {
        if request.method == "OPTIONS", request.headers["origin"] != nil { return preflight(route) }
        guard !route.verbs.contains(request.method) else { return nil }
        let verbs = route.verbs.joined(separator: ", ")
        return .error(.methodNotAllowed, "\(request.path) takes \(verbs)", headers: ["Allow": verbs])
    }

    func upgrade(_ request: HTTPRequest, from peer: Peer) async -> UpgradeDecision {
        if let refusal = authenticator.refusal(of: request, from: peer) { return .refuse(refusal) }
        guard case .webSocket? = Route(request.path) else {
            return .refuse(.error(.notFound, "there is no WebSocket at \(request.path.prefix(80)); it is at /ws"))
        }
        switch await authenticator.caller(of: request, from: peer) {
        case .failure(let refusal): return .refuse(refusal.response)
        case .success(let caller):
            let client = WebSocketClient(caller: caller, number: peer.connectionID, services: services)
            return .accept(subprotocol: HTTPRequest.selectedSubprotocol, session: client)
        }
    }

    /// What a device installs so that it trusts this daemon; no secret.
    private var authorityCertificate: HTTPResponse {
        guard let authority else {
            return .error(.notFound, "this daemon has no authority of its own; \"tls\" would have to be \"local-ca\"")
        }
        return HTTPResponse(
            .ok, headers: ["Content-Type": "application/x-x509-ca-cert", "Cache-Control": "no-store"],
            body: authority.certificate.der)
    }

    private static func preflight(_ route: Route) -> HTTPResponse {
        HTTPResponse(
            .noContent,
            headers: [
                "Access-Control-Allow-Methods": route.verbs.joined(separator: ", "),
                "Access-Control-Allow-Headers": "authorization, content-type", "Access-Control-Max-Age": "600",
            ])
    }
}
