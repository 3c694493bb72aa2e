package import Wire

/// A path, the HTTP methods it takes, and its handler. A dialect gives a list of routes. The router refuses by the
/// values of a route, so a handler gets only admitted requests.
package struct Route: Sendable {
    package enum Path: Sendable, Hashable {
        case exact(String)
        /// Exactly one path component after this prefix, which ends with `/`, and then `tail`, which is empty or begins
        /// with `/`.
        case below(String, tail: String = "")

        /// The part of a path that varies, decoded; empty where none does, `nil` if it is not encoded as it should be.
        func name(in path: String) -> String? {
            switch self {
            case .exact: ""
            case .below(let prefix, let tail):
                PercentEncoding.decode(path.dropFirst(prefix.count).dropLast(tail.count))
            }
        }
    }

    /// Not async: a handler reads the request at once and keeps only the values that its answer needs. An async
    /// function would keep the request in memory for as long as it is held.
    package typealias Handler = @Sendable (HTTPRequest, Sender, any PendingResponse) -> Answer

    /// The result of a handler: an answer, or the work that leads to one.
    package enum Answer: Sendable {
        case now(HTTPResponse)
        case later(@Sendable () async -> HTTPResponse)
    }

    package enum Work: Sendable {
        case request(Handler)
        /// Makes the session of a WebSocket. Requests without a handshake are refused.
        case webSocket(@Sendable (Sender) -> any SocketSession)
    }

    package let path: Path
    /// HTTP methods, in the order in which `Allow` lists them.
    package let verbs: [String]
    package let admission: Admission
    /// The most bytes of a body that comes over the network; nil for the server's own limit.
    package let bodyLimit: Int?
    /// True if a body that comes over the network must have the Content-Type of JSON.
    package let takesJSONOnly: Bool
    /// True if answers must not be cached.
    package let holdsSecrets: Bool
    package let work: Work
    /// Spells the refusals of the router and the authenticator as the dialect's clients expect them.
    package private(set) var spelling: @Sendable (HTTPResponse) -> HTTPResponse = { $0 }
    /// The schema of a refusal; nil for that of most routes.
    private(set) var refusalSchema: @Sendable () -> Schema? = { nil }
    /// Made on demand, because a start needs none.
    var makeDescription: @Sendable () -> RouteDescription? = { nil }

    /// `nil` for a route that the document of all routes leaves out, such as a file of a page.
    package var description: RouteDescription? { makeDescription() }

    package init(
        _ verbs: [String], _ path: Path, for admission: Admission, bodyLimit: Int? = nil, takesJSONOnly: Bool = false,
        holdsSecrets: Bool = false, work: Work
    ) {
        self.path = path
        self.verbs = verbs
        self.admission = admission
        self.bodyLimit = bodyLimit
        self.takesJSONOnly = takesJSONOnly
        self.holdsSecrets = holdsSecrets
        self.work = work
    }

    /// A route whose handler is async, for requests that are answered soon.
    package init(
        _ verbs: [String], _ path: String, for admission: Admission, bodyLimit: Int? = nil, takesJSONOnly: Bool = false,
        holdsSecrets: Bool = false,
        answer: @escaping @Sendable (HTTPRequest, Sender) async -> HTTPResponse
    ) {
        self.init(
            verbs, .exact(path), for: admission, bodyLimit: bodyLimit, takesJSONOnly: takesJSONOnly,
            holdsSecrets: holdsSecrets,
            work: .request { request, sender, _ in .later { await answer(request, sender) } })
    }

    /// The same route, with refusals in the form of its dialect.
    func refusing(
        as spelling: @escaping @Sendable (HTTPResponse) -> HTTPResponse,
        _ schema: @autoclosure @escaping @Sendable () -> Schema
    ) -> Route {
        var route = self
        route.spelling = spelling
        route.refusalSchema = schema
        return route
    }

    /// GET, and HEAD with it.
    package static let reading = ["GET", "HEAD"]
}

/// The senders that may use a route. The service that does the work checks the caller's rights again.
package enum Admission: Sendable, Hashable {
    /// Everybody who passes the request guard; the caller has no rights.
    case anyone
    /// Everybody; the caller has rights if it has a token or is on the Unix socket.
    case anyoneKnown
    /// Everybody; the caller has rights if it sent a device's token. The Unix socket alone gives none, so that nothing has
    /// to be found out about the process behind it.
    case anyoneOrDevice
    /// Callers with a token, or on the Unix socket.
    case caller
    /// Senders of hooks: callers that may report, and unverified processes of this machine if the configuration takes
    /// them.
    case hook
    /// Anyone but a process inside an agent.
    case outsideAgents
    /// The user at this machine: on the Unix socket, and not inside an agent.
    case owner
}

/// The answer to a request that goes no further.
package struct RefusedRequest: Error {
    package let response: HTTPResponse

    package init(_ response: HTTPResponse) {
        self.response = response
    }
}
