import Dialects
import Services
import Transport
import Wire

// The transport fills the ports of the dialects.

extension ContentWriter: ContentStream {}
extension WebSocketConnection: ClientSocket {}

extension Exchange: PendingResponse {
    func stream(_ content: @escaping @Sendable (any ContentStream) async -> Void) {
        stream { (writer: ContentWriter) in await content(writer) }
    }
}

/// Passes the transport's calls to a dialect's session.
struct DialectSession: WebSocketSession {
    let session: any SocketSession
    /// Held as long as the session.
    let place: SocketPlace

    func opened(_ socket: WebSocketConnection) async { await session.opened(socket) }
    func received(_ message: WebSocketMessage) async { await session.received(message) }
    func closed(_ closure: WebSocketClosure) async { await session.closed(closure) }
}
