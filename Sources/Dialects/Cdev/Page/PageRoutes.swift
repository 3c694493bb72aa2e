package import Core
package import OrderedJSON
package import Services
import Wire

/// Routes that need no token and answer everybody alike: the page's files, the authority's certificate, and `/health`.
package struct PageRoutes: Sendable {
    private let files: PageFiles
    private let authority: [UInt8]?
    private let clock: any TimeSource
    private let health: @Sendable (Caller) async -> JSONObject

    /// Requests of one address in a minute: fifty loads of the page, which has some sixty files where its modules cannot be
    /// joined, and some fifteen where they are; a reload asks for them again. There is no limit for all addresses
    /// together: a stranger could then keep the page from a phone by asking for it.
    private let perAddress = RateLimiter(perMinute: 3000)

    /// Bytes of a body. No route here reads one.
    private static let body = 4096

    /// - Parameters:
    ///   - authority: The certificate, in DER, that devices install to trust this daemon; nil if it has no authority of
    ///     its own.
    ///   - health: Returns what `/health` says to this caller beside `status` and `time`.
    package init(
        files: PageFiles, authority: [UInt8]?, clock: any TimeSource,
        health: @escaping @Sendable (Caller) async -> JSONObject = { _ in [:] }
    ) {
        self.files = files
        self.authority = authority
        self.clock = clock
        self.health = health
    }

    package var routes: [Route] {
        let life = Route(Route.reading, "/health", for: .anyoneOrDevice, bodyLimit: Self.body) { _, sender in
            var members: JSONObject = ["status": "ok", "ok": true, "time": .time(clock.now().wall)]
            for (name, value) in await health(sender.caller) { members[name] = value }
            return .json(.object(members))
        }
        .described("Says that the daemon works; to a caller with a token also what it does.", result: Self.healthSchema)
        let authority = limited("/ca.crt") { _ in certificate }
            .described(
                "The certificate of the daemon's own authority.",
                replies: [.file("application/x-x509-ca-cert", "In DER.")])
        return files.paths.map(file) + [authority, life]
    }

    private static let healthSchema = Schema.object([
        "status": Schema(["const": "ok"]), "ok": .success, "time": .time, "version": .string.optional,
        "active_sessions": .count.optional, "uptime_seconds": .count.optional,
    ])

    /// Describes the route in the document if the file is a page.
    private func file(_ path: String) -> Route {
        let route = limited(path, files.answer)
        guard let page = Self.pages[path] else { return route }
        return route.described(page, replies: [.file("text/html", "A page.")])
    }

    private static let pages = [
        "/": "The page for people.", "/a": "The page of an answer link.", "/pair": "The page that pairs a device.",
        "/swagger/": "The page that shows this document.",
    ]

    private func limited(_ path: String, _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) -> Route {
        Route(
            Route.reading, .exact(path), for: .anyone, bodyLimit: Self.body,
            work: .request { request, sender, _ in
                guard sender.isLocal || perAddress.take(1, for: sender.address, at: clock.uptime) else {
                    return .now(
                        .error(.tooManyRequests, "too many files in a minute", headers: ["Retry-After": "60"]))
                }
                return .now(answer(request))
            })
    }

    private var certificate: HTTPResponse {
        guard let authority else {
            return .error(.notFound, "this daemon has no authority of its own; \"tls\" would have to be \"local-ca\"")
        }
        return HTTPResponse(
            .ok, headers: ["Content-Type": "application/x-x509-ca-cert", "Cache-Control": "no-store"], body: authority)
    }
}
