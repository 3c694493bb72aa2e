/// A message or control frame from a WebSocket peer.
package enum WebSocketEvent: Sendable, Equatable {
    /// A whole message, joined from its frames. The bytes were valid UTF-8.
    case text(String)
    case binary([UInt8])
    /// Answer with a pong of the same bytes.
    case ping([UInt8])
    case pong([UInt8])
    /// Answer with a close unless one was sent. `code` is nil if the peer gave none. No event follows.
    case close(code: UInt16?, reason: String)
    /// The peer violated the protocol or a limit: send a close with this code and sentence, then end the connection.
    /// No event follows.
    case failure(closeCode: UInt16, String)
}

/// Our side of a connection: clients mask the frames they send, servers do not (RFC 6455 section 5.1).
package enum WebSocketRole: Sendable {
    case client
    case server
}

/// Close codes (RFC 6455 section 7.4.1).
package enum WebSocketCloseCode {
    package static let normal: UInt16 = 1000
    package static let goingAway: UInt16 = 1001
    package static let protocolError: UInt16 = 1002
    package static let invalidText: UInt16 = 1007
    package static let policyViolation: UInt16 = 1008
    package static let messageTooBig: UInt16 = 1009
    package static let internalError: UInt16 = 1011
    /// Registered after RFC 6455: come back later.
    package static let tryAgainLater: UInt16 = 1013

    /// True if a close frame may carry the code. 1004 to 1006 and 1015 must not be sent; 1012 to 1014 were registered
    /// after the RFC.
    static func isSendable(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// The reason why a connection ends: the code to close with and one sentence.
struct WebSocketFault: Error {
    let code: UInt16
    let message: String

    static func protocolError(_ message: String) -> WebSocketFault {
        WebSocketFault(code: WebSocketCloseCode.protocolError, message: message)
    }
}
