package import Wire

/// What is done with one WebSocket connection. The calls come on the loop's thread, one after the other and in the
/// order of the messages: `opened` first, `closed` last, each exactly once. No task is ever cancelled: a message that
/// was read whole counts, though its sender has left.
package protocol WebSocketSession: Sendable {
    func opened(_ socket: WebSocketConnection) async
    func received(_ message: WebSocketMessage) async
    func closed(_ closure: WebSocketClosure) async
}
