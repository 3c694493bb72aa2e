/// What a WebSocket peer sent.
package enum WebSocketEvent: Sendable, Equatable {
    /// A whole message, its frames joined; the bytes were UTF-8.
    case text(String)
    case binary([UInt8])
    /// To be answered with a pong of the same bytes.
    case ping([UInt8])
    case pong([UInt8])
    /// To be answered with a close unless one was sent. `code` is nil if the peer gave none. No event follows.
    case close(code: UInt16?, reason: String)
    /// The peer broke the protocol or a ceiling: send a close with this code and sentence, then end the connection.
    /// No event follows.
    case failure(closeCode: UInt16, String)
}

/// Which end of a connection this is: clients mask what they send, servers do not (RFC 6455 section 5.1).
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

    /// Whether a frame may carry it: 1004 to 1006 and 1015 are for local use, 1012 to 1014 were registered later.
    static func isSendable(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// Why a connection ends: the code to close with and one sentence.
struct WebSocketFault: Error {
    let code: UInt16
    let message: String

    static func protocolError(_ message: String) -> WebSocketFault {
        WebSocketFault(code: WebSocketCloseCode.protocolError, message: message)
    }
}
