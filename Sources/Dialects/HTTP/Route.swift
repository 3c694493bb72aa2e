package import Wire

/// A path, the HTTP methods it takes, and what answers them. A dialect gives a list of these; the router refuses by what
/// stands in them, so a handler gets only what was let through.
package struct Route: Sendable {
    package enum Path: Sendable, Hashable {
        case exact(String)
        /// One more part behind this prefix, which ends with `/`.
        case below(String)
    }

    /// A handler reads the request at once and keeps of it what its answer needs: what is async keeps the request for as
    /// long as a call is held.
    package typealias Handler = @Sendable (HTTPRequest, Sender, any PendingResponse) -> Answer

    /// What a handler has after it read the request.
    package enum Answer: Sendable {
        case now(HTTPResponse)
        case later(@Sendable () async -> HTTPResponse)
    }

    package enum Work: Sendable {
        case request(Handler)
        /// Makes the session of a WebSocket; requests without a handshake are refused.
        case webSocket(@Sendable (Sender) -> any SocketSession)
    }

    package let path: Path
    /// HTTP methods, in the order in which a client is told them.
    package let verbs: [String]
    package let admission: Admission
    /// Bytes of a body that comes over the network; nil: as many as the server takes of any.
    package let bodyLimit: Int?
    /// Whether a body that comes over the network must be said to be JSON.
    package let takesJSONOnly: Bool
    /// Whether nothing on the way may keep an answer.
    package let holdsSecrets: Bool
    package let work: Work

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

    /// For what is answered soon.
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

    /// GET, and HEAD with it.
    package static let reading = ["GET", "HEAD"]
}

/// Who may use a route. What a caller may do there is asked again by right, where the work is done.
package enum Admission: Sendable, Hashable {
    /// Whoever passes the guard; its caller has no rights.
    case anyone
    /// Whoever proves to be a caller by a token or the Unix socket; others with no rights.
    case anyoneKnown
    /// Whoever has a token, or is on the Unix socket.
    case caller
    /// The sender of a hook: whoever may report, and unverified processes of this machine where they are taken.
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
