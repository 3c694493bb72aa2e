import Core
import Platform
package import Services
import Wire

/// The bridge of the OpenAgents app over a WebSocket at the root, where that app looks for it. It is served where the
/// configuration has a port for it.
package struct BridgeRoutes: Sendable {
    private let services: ACPServices

    package init(services: ACPServices) {
        self.services = services
    }

    package var routes: [Route] {
        [
            Route(
                ["GET"], .exact("/"), for: .caller,
                work: .webSocket { [services] sender in ACPClient(caller: sender.caller, services: services) }
            )
            .described(
                "A WebSocket for the OpenAgents app: the Agent Client Protocol, version 0.2.2.",
                replies: [.empty(101, "The connection speaks WebSocket.")])
        ]
    }
}

extension ACPServices {
    /// The same services in the form of the bridge.
    package static func bridge(
        access: any AccessService, parts: Parts, rates: DeviceRates, log: any Log
    ) -> ACPServices {
        ACPServices(
            [BridgeMethods(parts: parts), BridgeHistoryMethods(parts: parts)], BridgeSpelling(), access: access,
            parts: parts, rates: rates, log: log)
    }
}
