package import Wire

/// Answers the requests of a server. Both functions are called on the loop's thread, one request of a connection at a
/// time and in its order.
///
/// A request that was read whole is always handed over, also if its sender has left since; requests over the Unix
/// socket are handed over in the order of their connections if each was written before the next one connected.
///
/// The task is cancelled when the peer leaves: that is how a held call learns that nobody waits for its answer. A peer
/// that closes only its sending side (`shutdown(SHUT_WR)`) after its request counts as having left, since the two
/// cannot be told apart; its answer is still written. A stop of the server cancels held calls too;
/// `Exchange.peerHasLeft` tells the two apart. What must be done whoever waits has to ignore the cancellation.
package protocol HTTPHandler: Sendable {
    /// - Parameter request: the handler's own, to be given up where its call is held for long.
    func handle(_ request: consuming HTTPRequest, from peer: Peer, via exchange: Exchange) async -> HTTPResponse
    /// Called instead of `handle` for a well-formed WebSocket handshake.
    func upgrade(_ request: HTTPRequest, from peer: Peer) async -> UpgradeDecision
}

/// What becomes of a WebSocket handshake.
package enum UpgradeDecision: Sendable {
    case refuse(HTTPResponse)
    /// - Parameter subprotocol: one the client offered; anything else counts as none.
    case accept(subprotocol: String?, session: any WebSocketSession)
}
