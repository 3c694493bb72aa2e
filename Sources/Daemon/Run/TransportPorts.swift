import Dialects
import Transport
import Wire

// The transport fills the ports of the dialects.

extension Exchange: PendingResponse {}
extension WebSocketConnection: ClientSocket {}

/// Passes the transport's calls to a dialect's session.
struct DialectSession: WebSocketSession {
    let session: any SocketSession

    func opened(_ socket: WebSocketConnection) async { await session.opened(socket) }
    func received(_ message: WebSocketMessage) async { await session.received(message) }
    func closed(_ closure: WebSocketClosure) async { await session.closed(closure) }
}
