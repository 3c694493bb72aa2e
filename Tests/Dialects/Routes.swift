import Core
import Dialects
import OrderedJSON
import Wire

/// Nobody waits for an interim answer, and what is delivered is not heard of.
struct NoPending: PendingResponse {
    func sendInterim(_ bytes: [UInt8]) {}
    func onDelivered(_ body: @escaping @Sendable (Bool) -> Void) {}
}

extension RouteTable {
    /// The answer of a route to an admitted sender.
    func ask(_ request: HTTPRequest, from sender: Sender) async -> HTTPResponse {
        switch route(for: request) {
        case .failure(let refusal): return refusal.response
        case .success(let (route, handler)):
            if let refusal = route.refusalOfType(request, isLocal: sender.isLocal) { return refusal }
            if let refusal = route.refusal(of: request, from: sender) { return refusal }
            switch handler(request, sender, NoPending()) {
            case .now(let response): return response
            case .later(let answer): return await answer()
            }
        }
    }

    func ask(
        _ method: String, _ path: String, _ body: String = "", from sender: Sender = .stranger,
        headers: HTTPHeaders = [:]
    ) async -> HTTPResponse {
        var headers = headers
        if method == "POST", headers["content-type"] == nil { headers.append("Content-Type", "application/json") }
        return await ask(
            HTTPRequest(method: method, target: path, headers: headers, body: Array(body.utf8)), from: sender)
    }
}

extension Sender {
    /// Somebody on the network without a token.
    static var stranger: Sender { at("203.0.113.9") }

    /// The user at this machine.
    static var owner: Sender {
        Sender(caller: Caller(identity: .local(pid: 1), rights: .owner), address: "local", isLocal: true, connection: 1)
    }

    static func at(_ address: String) -> Sender {
        Sender(caller: Caller(identity: .unverified, rights: []), address: address, isLocal: false, connection: 1)
    }
}

extension HTTPResponse {
    var json: JSON? { try? JSON(parsing: body) }
    var text: String { String(decoding: body, as: UTF8.self) }
}
