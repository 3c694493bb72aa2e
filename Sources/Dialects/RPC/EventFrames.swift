import Platform
import Wire

/// An event as WebSocket frames, each made once for all clients.
package final class EventFrames: Sendable {
    let text: WebSocketBroadcast
    private let notification: [UInt8]
    private let made = Locked<WebSocketBroadcast?>(nil)

    package init(_ notification: [UInt8]) {
        self.notification = notification
        text = WebSocketBroadcast(text: notification)
    }

    /// Made on demand: few clients use binary frames.
    var binary: WebSocketBroadcast {
        made.withLock { made in
            if let made { return made }
            let frame = WebSocketBroadcast(binary: notification)
            made = frame
            return frame
        }
    }
}
