/// A whole message, joined from its frames.
package enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])

    /// The length of the payload in bytes.
    package var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}

/// The end of a WebSocket connection.
package struct WebSocketClosure: Sendable, Equatable {
    /// The close code that was sent or received; 1005 if the peer gave none, 1006 if the connection was lost.
    package let code: UInt16
    package let reason: String
    /// True if the peer ended the connection.
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

    /// - Parameter utf8: Bytes that are known to be UTF-8, such as serialised JSON.
    package init(text utf8: [UInt8]) {
        frame = WebSocketFrame.text(utf8: utf8)
    }

    package init(binary bytes: [UInt8]) {
        frame = WebSocketFrame.binary(bytes)
    }

    package var byteCount: Int { frame.count }
}
