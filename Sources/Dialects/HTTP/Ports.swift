package import Wire

/// A response that is being prepared, for interim answers, content in pieces, and news of its delivery. Any thread may
/// use it.
package protocol PendingResponse: Sendable {
    /// True once the client is known to have left; false in a task that was cancelled because the server stops.
    var peerHasLeft: Bool { get }
    /// Sends the response that the handler returns without its body, then what `content` writes. `content` runs in the
    /// handler's task, which is cancelled when the client leaves, and when the server stops: it should then write its
    /// last piece and return. It runs once whatever happens, but for HEAD, to which no content is sent.
    func stream(_ content: @escaping @Sendable (any ContentStream) async -> Void)
    /// Sends an interim answer (`102`) at once; `bytes` are the whole of it. The request counts as held from then on: a
    /// server that stops leaves it unanswered, so that the sender asks the next server again.
    func sendInterim(_ bytes: [UInt8])
    /// Calls `body` once on the loop's thread: with true when the response's last byte was handed to the kernel, with
    /// false when that can no longer happen.
    func onDelivered(_ body: @escaping @Sendable (Bool) -> Void)
}

/// The content of a response that is sent in pieces. Any thread may use it.
package protocol ContentStream: Sendable {
    /// Sends a piece, and returns when the client has room for another. Returns false if it takes nothing more.
    func write(_ bytes: [UInt8]) async -> Bool
}

/// An open WebSocket. Any thread may use it; messages of one thread arrive in the order they were sent.
package protocol ClientSocket: Sendable {
    func send(_ message: WebSocketBroadcast)
    /// The same, and calls `left` once the message was handed to the kernel, or can no longer be.
    func send(_ message: WebSocketBroadcast, left: @escaping @Sendable () -> Void)
    /// Closes the connection: messages sent before still arrive; messages that the peer sends from now on are dropped.
    func close(code: UInt16, reason: String)
}

/// The handler of one WebSocket. Its functions are called on the loop's thread, one after the other and in the order of
/// the messages: `opened` first, `closed` last, each exactly once.
package protocol SocketSession: Sendable {
    func opened(_ socket: any ClientSocket) async
    func received(_ message: WebSocketMessage) async
    func closed(_ closure: WebSocketClosure) async
}
