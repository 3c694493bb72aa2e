package import Wire

/// A response on its way, for what a returned one cannot say. Any thread may use it.
package protocol PendingResponse: Sendable {
    /// Sends an interim answer (`102`), whole, at once. The call counts as held from then on: a server that stops leaves
    /// it unanswered, so that its caller comes back to the next one.
    func sendInterim(_ bytes: [UInt8])
    /// Calls `body` once on the loop's thread: with true when the response's last byte was handed to the kernel, with
    /// false when that can no longer happen.
    func onDelivered(_ body: @escaping @Sendable (Bool) -> Void)
}

/// An open WebSocket. Any thread may use it; what one thread sends arrives in its order.
package protocol ClientSocket: Sendable {
    func send(_ message: WebSocketBroadcast)
    /// Ends the connection: what was sent before still arrives, what the peer sends from now on is dropped.
    func close(code: UInt16, reason: String)
}

/// What is done with one WebSocket. The calls come on the loop's thread, one after the other and in the order of the
/// messages: `opened` first, `closed` last, each exactly once.
package protocol SocketSession: Sendable {
    func opened(_ socket: any ClientSocket) async
    func received(_ message: WebSocketMessage) async
    func closed(_ closure: WebSocketClosure) async
}
