import Platform
import Wire

/// An event as the frames that WebSocket clients get, each made once for all of them.
package final class EventFrames: Sendable {
    let text: WebSocketBroadcast
    private let notification: [UInt8]
    private let made = Locked<WebSocketBroadcast?>(nil)

    package init(_ notification: [UInt8]) {
        self.notification = notification
        text = WebSocketBroadcast(text: notification)
    }

    /// For clients that speak in binary frames, which are few.
    var binary: WebSocketBroadcast {
        made.withLock { made in
            if let made { return made }
            let frame = WebSocketBroadcast(binary: notification)
            made = frame
            return frame
        }
    }
}
