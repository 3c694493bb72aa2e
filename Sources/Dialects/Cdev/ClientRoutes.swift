/// JSON-RPC for our own clients: over single HTTP requests (`POST /rpc`) and over a WebSocket (`/ws`).
package struct ClientRoutes: Sendable {
    private let services: ClientServices
    private let calls: HTTPCalls

    package init(services: ClientServices) {
        self.services = services
        calls = HTTPCalls(services: services)
    }

    package var routes: [Route] {
        [
            Route(["POST"], "/rpc", for: .caller, takesJSONOnly: true) { request, sender in
                await calls.answer(request, from: sender)
            },
            Route(Route.reading, "/api/rpc/discover", for: .caller) { _, sender in
                await calls.describe(to: sender)
            },
            Route(
                ["GET"], .exact("/ws"), for: .caller,
                work: .webSocket { [services] sender in
                    WebSocketClient(caller: sender.caller, number: sender.connection, services: services)
                }),
        ]
    }
}
