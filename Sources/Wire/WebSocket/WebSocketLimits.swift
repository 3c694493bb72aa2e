/// Limits of one message. Beyond either of them the connection ends with close code 1009.
package struct WebSocketLimits: Sendable, Equatable {
    /// The payload of one frame in bytes.
    package var frame = 12_000_000
    /// The payload of one message, all its frames together, in bytes.
    package var message = 12_000_000

    package init() {}

    package init(frame: Int, message: Int) {
        self.frame = frame
        self.message = message
    }

    package static let standard = WebSocketLimits()
}
