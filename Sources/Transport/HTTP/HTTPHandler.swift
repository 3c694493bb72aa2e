package import Wire

/// Answers the requests of a server. Both functions are called on the loop's thread, one request of a connection at a
/// time and in its order.
///
/// Every request that was received completely is handed over, even if its sender has left since. Requests over the Unix
/// socket are handed over in the order of their connections if each was written before the next client connected.
///
/// The task is cancelled when the peer leaves: that is how a held call learns that nobody waits for its answer. A peer
/// that closes only its sending side (`shutdown(SHUT_WR)`) after its request counts as having left, since the two
/// cannot be told apart; its answer is still written. A stop of the server cancels held calls too;
/// `Exchange.peerHasLeft` tells the two apart. Work that must be done even if nobody waits has to ignore the
/// cancellation.
package protocol HTTPHandler: Sendable {
    /// - Parameter request: Owned by the handler, which should release it before it holds the call for long.
    func handle(_ request: consuming HTTPRequest, from peer: Peer, via exchange: Exchange) async -> HTTPResponse
    /// Called instead of `handle` for a well-formed WebSocket handshake.
    func upgrade(_ request: HTTPRequest, from peer: Peer) async -> UpgradeDecision
}

/// A handler's answer to a WebSocket handshake.
package enum UpgradeDecision: Sendable {
    case refuse(HTTPResponse)
    /// - Parameter subprotocol: A subprotocol that the client offered; any other counts as none.
    case accept(subprotocol: String?, session: any WebSocketSession)
}
