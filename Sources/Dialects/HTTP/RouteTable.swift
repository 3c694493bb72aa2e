import OrderedJSON
package import Wire

/// The routes of all dialects, found by path and HTTP method.
package struct RouteTable: Sendable {
    private let exact: [String: [Route]]
    private let below: [(place: Place, routes: [Route])]
    /// Paths of WebSockets, named in the error for a handshake elsewhere.
    private let sockets: [String]

    /// A path with one part that varies.
    private struct Place: Hashable, Comparable {
        let prefix: String
        let tail: String

        static func < (left: Place, right: Place) -> Bool { (left.prefix, left.tail) < (right.prefix, right.tail) }

        func isPlace(of path: String) -> Bool {
            guard path.utf8.count > prefix.utf8.count + tail.utf8.count, path.hasPrefix(prefix), path.hasSuffix(tail)
            else { return false }
            return !path.dropFirst(prefix.count).dropLast(tail.count).contains("/")
        }
    }

    /// The most bytes of a path that is matched by a prefix. The longest part is the name of a model or a workspace.
    private static let longestPath = 400

    package init(_ routes: [Route]) {
        var exact: [String: [Route]] = [:]
        var below: [Place: [Route]] = [:]
        for route in routes {
            switch route.path {
            case .exact(let path): exact[path, default: []].append(route)
            case .below(let prefix, let tail): below[Place(prefix: prefix, tail: tail), default: []].append(route)
            }
        }
        self.exact = exact
        self.below = below.sorted { $0.key < $1.key }.map { (place: $0.key, routes: $0.value) }
        sockets = exact.filter { $0.value.contains { $0.session != nil } }.map(\.key).sorted()
    }

    /// The route and handler for a request, or the answer if no route takes it: 404, 405, 426, or 204 to a CORS
    /// preflight.
    package func route(for request: HTTPRequest) -> Result<(route: Route, handler: Route.Handler), RefusedRequest> {
        let routes = routes(at: request.path)
        if routes.isEmpty {
            return .failure(RefusedRequest(.error(.notFound, "there is nothing at \(request.path.prefix(80))")))
        }
        guard let route = routes.first(where: { $0.verbs.contains(request.method) }) else {
            return .failure(RefusedRequest(Self.answerToVerb(of: request, routes.flatMap(\.verbs))))
        }
        guard case .request(let handler) = route.work else {
            return .failure(RefusedRequest(Self.speaksWebSocketOnly(request.path)))
        }
        return .success((route, handler))
    }

    /// The route of a WebSocket handshake and the function that makes its session, or 404.
    package func webSocket(
        for request: HTTPRequest
    ) -> Result<(route: Route, session: @Sendable (Sender) -> any SocketSession), RefusedRequest> {
        for route in routes(at: request.path) {
            if let session = route.session { return .success((route, session)) }
        }
        let places = sockets.joined(separator: ", ")
        return .failure(
            RefusedRequest(
                .error(.notFound, "there is no WebSocket at \(request.path.prefix(80)); it is at \(places)")))
    }

    private func routes(at path: String) -> [Route] {
        if let routes = exact[path] { return routes }
        guard path.utf8.count <= Self.longestPath else { return [] }
        return below.first { $0.place.isPlace(of: path) }?.routes ?? []
    }

    /// The answer to a method that no route at the path takes. An `OPTIONS` with an Origin is a CORS preflight (Fetch,
    /// "CORS-preflight").
    private static func answerToVerb(of request: HTTPRequest, _ verbs: [String]) -> HTTPResponse {
        let verbs = verbs.joined(separator: ", ")
        guard request.method == "OPTIONS", request.headers["origin"] != nil else {
            return .error(.methodNotAllowed, "\(request.path) takes \(verbs)", headers: ["Allow": verbs])
        }
        return HTTPResponse(
            .noContent,
            headers: [
                "Access-Control-Allow-Methods": verbs,
                "Access-Control-Allow-Headers": "authorization, content-type", "Access-Control-Max-Age": "600",
            ])
    }

    private static func speaksWebSocketOnly(_ path: String) -> HTTPResponse {
        .error(
            .upgradeRequired, "\(path) speaks WebSocket only",
            headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
    }
}

extension Route {
    fileprivate var session: (@Sendable (Sender) -> any SocketSession)? {
        if case .webSocket(let session) = work { session } else { nil }
    }

    /// 415 for a body without the Content-Type of JSON if the route needs it; nil otherwise. Checked before the sender
    /// is known, because pages of other sites can send the other types without a preflight.
    package func refusalOfType(_ request: HTTPRequest, isLocal: Bool) -> HTTPResponse? {
        takesJSONOnly && !isLocal ? RequestBody.refusalOfType(request)?.response : nil
    }

    /// 413 for a body over the route's limit; nil otherwise.
    package func refusal(of request: HTTPRequest, from sender: Sender) -> HTTPResponse? {
        guard let bodyLimit, !sender.isLocal, request.body.count > bodyLimit else { return nil }
        return .error(.contentTooLarge, "a body has at most \(bodyLimit) bytes here")
    }
}
