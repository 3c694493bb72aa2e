import Core
import Dialects
import OrderedJSON
import Platform
import Wire

/// Nobody waits for an interim answer, and what is delivered is not heard of. Content in pieces is put together.
final class Pending: PendingResponse {
    typealias Content = @Sendable (any ContentStream) async -> Void

    private let content = Locked<Content?>(nil)
    private let hasLeft = Locked(false)
    private let written = CollectedContent()

    /// What was written in pieces so far.
    var text: String { String(decoding: written.pieces.flatMap(\.self), as: UTF8.self) }
    var peerHasLeft: Bool { hasLeft.withLock { $0 } }

    func sendInterim(_ bytes: [UInt8]) {}
    func onDelivered(_ body: @escaping @Sendable (Bool) -> Void) {}
    func stream(_ content: @escaping Content) { self.content.withLock { $0 = content } }
    /// The client leaves; the task of its request has to be cancelled.
    func leave() { hasLeft.withLock { $0 = true } }

    func whole(_ response: HTTPResponse) async -> HTTPResponse {
        guard let content = content.withLock({ $0.take() }) else { return response }
        var response = response
        await content(written)
        response.body = written.pieces.flatMap(\.self)
        return response
    }
}

/// Content that was written in pieces.
final class CollectedContent: ContentStream {
    private let written = Locked<[[UInt8]]>([])

    var pieces: [[UInt8]] { written.withLock { $0 } }

    func write(_ bytes: [UInt8]) async -> Bool {
        written.withLock { $0.append(bytes) }
        return true
    }
}

extension RouteTable {
    /// The answer of a route to an admitted sender.
    func ask(
        _ request: HTTPRequest, from sender: Sender, via pending: Pending = Pending()
    ) async -> HTTPResponse {
        switch route(for: request) {
        case .failure(let refusal): return refusal.response
        case .success(let (route, handler)):
            if let refusal = route.refusalOfType(request, isLocal: sender.isLocal) { return refusal }
            if let refusal = route.refusal(of: request, from: sender) { return refusal }
            switch handler(request, sender, pending) {
            case .now(let response): return await pending.whole(response)
            case .later(let answer): return await pending.whole(await answer())
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
