import Platform
import TestSupport
import Testing
import Transport
import Wire

/// The client's end of a WebSocket on a test's socket.
final class WebSocketClient: @unchecked Sendable {  // guard: one test uses it, one call at a time
    let socket: TestClient
    private var decoder = WebSocketDecoder(role: .client)

    init(_ socket: TestClient, subprotocols: [String] = [], ahead: [UInt8] = []) async throws {
        self.socket = socket
        let key = [UInt8](repeating: 7, count: 16)
        let request = WebSocketHandshake.request(target: "/ws", host: "test", key: key, subprotocols: subprotocols)
        try await socket.send(request.serialized() + ahead)
        response = try await socket.response()
        decoder.receive(try await socket.takeRemaining())
    }

    /// The answer to the handshake.
    let response: HTTPResponse

    func send(text: String) async throws {
        try await socket.send(WebSocketFrame.text(text, mask: 0x1234_5678))
    }

    /// The next event, nil at the end of the stream.
    func next() async throws -> WebSocketEvent? {
        while true {
            if let event = decoder.next() { return event }
            let bytes = try await socket.receive()
            if bytes.isEmpty { return nil }
            decoder.receive(bytes)
        }
    }

    func text() async throws -> String {
        guard case .text(let text)? = try await next() else { throw ClientError(what: "no text", code: 0) }
        return text
    }
}

/// Notes what happens to a connection; answers each message with itself.
final class EchoSession: WebSocketSession {
    enum Event: Sendable, Equatable {
        case opened
        case received(WebSocketMessage)
        case closed(WebSocketClosure)
    }

    let events = Events<Event>()
    let sockets = Events<WebSocketConnection>()
    private let socket = Locked<WebSocketConnection?>(nil)
    private let isEchoing: Bool

    init(isEchoing: Bool = true) {
        self.isEchoing = isEchoing
    }

    func opened(_ socket: WebSocketConnection) async {
        self.socket.withLock { $0 = socket }
        events.add(.opened)
        sockets.add(socket)
    }

    func received(_ message: WebSocketMessage) async {
        // Gives a later message every chance to overtake this one.
        await Task.yield()
        events.add(.received(message))
        guard isEchoing, let socket = socket.withLock({ $0 }) else { return }
        switch message {
        case .text(let text): socket.send(text: text)
        case .binary(let bytes): socket.send(binary: bytes)
        }
    }

    func closed(_ closure: WebSocketClosure) async {
        socket.withLock { $0 = nil }
        events.add(.closed(closure))
    }

    var handler: TestHandler {
        TestHandler(onUpgrade: { request, _ in
            let offered = WebSocketHandshake.subprotocols(of: request)
            return .accept(subprotocol: offered.contains("cdev") ? "cdev" : nil, session: self)
        })
    }
}
