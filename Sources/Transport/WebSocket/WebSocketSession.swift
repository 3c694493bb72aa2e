package import Wire

/// Handles the messages of one WebSocket. The functions are called on the loop's thread, one after another in the order
/// of the messages: `opened` first, `closed` last, each exactly once. No call is ever cancelled: a message that was
/// received completely is handled even if its sender has left.
package protocol WebSocketSession: Sendable {
    func opened(_ socket: WebSocketConnection) async
    func received(_ message: WebSocketMessage) async
    func closed(_ closure: WebSocketClosure) async
}
