/// What one message may cost. Past either ceiling the connection ends with 1009.
package struct WebSocketLimits: Sendable, Equatable {
    /// Payload of one frame, in bytes.
    package var frame = 12_000_000
    /// Payload of one message, all its frames together, in bytes.
    package var message = 12_000_000

    package init() {}

    package init(frame: Int, message: Int) {
        self.frame = frame
        self.message = message
    }

    package static let standard = WebSocketLimits()
}
