/// JSON-RPC for our own clients: over single HTTP requests (`POST /rpc`) and over a WebSocket (`/ws`).
package struct ClientRoutes: Sendable {
    private let services: ClientServices
    private let calls: HTTPCalls

    package init(services: ClientServices) {
        self.services = services
        calls = HTTPCalls(services: services.rpc)
    }

    package var routes: [Route] {
        [
            Route(
                ["POST"], .exact("/rpc"), for: .caller, takesJSONOnly: true,
                work: .request { request, sender, pending in
                    .later { await calls.answer(request, from: sender, via: pending) }
                }
            )
            .described(
                "Calls methods: one, or a batch of them.", body: .rpcCalls,
                replies: [
                    .json(200, .rpcAnswers, "The answers."), .empty(204, "Notifications alone, which have no answer."),
                    .json(400, .rpcAnswers, "It is no JSON."),
                ]),
            Route(Route.reading, "/api/rpc/discover", for: .caller) { _, sender in
                await calls.describe(to: sender)
            }
            .described(
                "Describes every method and event.", result: .anyObject.meaning("an OpenRPC 1.3 document")),
            Route(
                ["GET"], .exact("/ws"), for: .caller,
                work: .webSocket { [services] sender in
                    WebSocketClient(caller: sender.caller, number: sender.connection, services: services)
                }
            )
            .described(
                "A WebSocket: methods in JSON-RPC 2.0 and events as notifications.",
                replies: [.empty(101, "The connection speaks WebSocket.")]),
        ]
    }
}

extension Schema {
    fileprivate static var rpcCalls: Schema {
        let call = object([
            "jsonrpc": Schema(["const": "2.0"]), "method": .string, "params": .anyObject.optional,
            "id": any.optional.meaning("a string or a number; without one nothing is answered"),
        ]).named("Call")
        return Schema(["anyOf": [call.json, list(call).json]], naming: call.named)
    }

    fileprivate static var rpcAnswers: Schema {
        let error = object(["code": .integer, "message": .string, "data": any.optional])
        let answer = object([
            "jsonrpc": Schema(["const": "2.0"]), "id": any, "result": any.optional, "error": error.optional,
        ]).named("Answer")
        return Schema(["anyOf": [answer.json, list(answer).json]], naming: answer.named)
    }
}
