import Services

/// The Agent Client Protocol over a WebSocket: one JSON-RPC message in each text frame, `initialize` first. `cdev acp`
/// carries the same frames as lines.
package struct ACPRoutes: Sendable {
    private let services: ACPServices

    package init(services: ACPServices) {
        self.services = services
    }

    package var routes: [Route] {
        [
            Route(
                ["GET"], .exact("/acp"), for: .caller,
                work: .webSocket { [services] sender in ACPClient(caller: sender.caller, services: services) }
            )
            .described(
                "A WebSocket for editors: the Agent Client Protocol, version 1.",
                replies: [.empty(101, "The connection speaks WebSocket.")])
        ]
    }
}
