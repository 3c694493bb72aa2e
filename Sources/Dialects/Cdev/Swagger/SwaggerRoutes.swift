import OrderedJSON
package import Services
import Wire

/// `GET /swagger/openapi.json`: the document of the HTTP side, for tools. It says the same to everybody and nothing of this
/// machine, so it needs no token. The page that shows it is among the page's files.
package struct SwaggerRoutes: Sendable {
    private let document: @Sendable () -> JSON
    private let clock: any TimeSource
    private let perAddress = RateLimiter(perMinute: 60)

    /// - Parameter others: The routes that the document describes, beside these.
    package init(beside others: [Route], clock: any TimeSource) {
        self.clock = clock
        document = {
            let own = Self.described(Route(Route.reading, Self.path, for: .anyone) { _, _ in .json([:]) })
            return OpenAPI.document(of: others + [own], info: Self.info)
        }
    }

    package var routes: [Route] {
        [
            Self.described(
                Route(Route.reading, Self.path, for: .anyone, bodyLimit: 4096) { _, sender in
                    guard sender.isLocal || perAddress.take(1, for: sender.address, at: clock.uptime) else {
                        return .error(
                            .tooManyRequests, "too many documents in a minute", headers: ["Retry-After": "60"])
                    }
                    return .json(document())
                })
        ]
    }

    private static let path = "/swagger/openapi.json"

    /// The version is that of the protocol: strangers need not know which daemon this is.
    private static let info: JSONObject = [
        "title": "cdev", "version": "1.0",
        "description": "What the daemon takes over HTTP. Methods go to /rpc and /ws; /api/rpc/discover describes them.",
    ]

    private static func described(_ route: Route) -> Route {
        route.described("This document.", result: .anyObject.meaning("OpenAPI 3.1"))
    }
}
