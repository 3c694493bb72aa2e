/// A whole message; frames are joined.
package enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])

    /// Bytes of the payload.
    package var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}

/// How a WebSocket connection ended.
package struct WebSocketClosure: Sendable, Equatable {
    /// The close code that was sent or received; 1005 if the peer gave none, 1006 if the connection was lost.
    package let code: UInt16
    package let reason: String
    /// Whether the peer ended it.
    package let isByPeer: Bool

    package init(code: UInt16, reason: String, isByPeer: Bool) {
        self.code = code
        self.reason = reason
        self.isByPeer = isByPeer
    }
}

/// A message that is encoded once, for any number of clients.
package struct WebSocketBroadcast: Sendable {
    package let frame: [UInt8]

    /// - Parameter utf8: must be UTF-8, such as written JSON.
    package init(text utf8: [UInt8]) {
        frame = WebSocketFrame.text(utf8: utf8)
    }

    package init(binary bytes: [UInt8]) {
        frame = WebSocketFrame.binary(bytes)
    }

    package var byteCount: Int { frame.count }
}
