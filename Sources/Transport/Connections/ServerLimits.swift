package import Wire

/// The limits of a server. A time is measured from its start: a byte now and then does not extend it.
package struct ServerLimits: Sendable {
    /// Limits of one HTTP request, answered with 431, 414 and 413.
    package var http = HTTPLimits.standard
    /// Limits of one WebSocket message from a client; beyond them the connection is closed with 1009. The largest
    /// message is an answer with a changed input. A card comes in a frame of 1 MiB at most, and twice that leaves room
    /// for another spelling; a client sends a larger answer by `POST`.
    package var webSocket = WebSocketLimits(frame: 2 << 20, message: 2 << 20)
    /// The same on the Unix socket, where an editor sends whole prompts, with their files and pictures.
    package var localWebSocket = WebSocketLimits(frame: 16 << 20, message: 16 << 20)
    /// The time from a request's first byte (or a connection's start) to the request's last byte; then 408.
    package var requestTime = Duration.seconds(10)
    /// The time for which a connection may stay open between two requests.
    package var idleTime = Duration.seconds(75)
    /// The time after which a peer is closed that takes none of the output that waits for it.
    package var writeStallTime = Duration.seconds(30)
    /// The time that a peer has to close its side after we closed ours.
    package var closeTime = Duration.seconds(2)
    /// The time that a WebSocket client which reads too slowly has to read why it is closed.
    package var slowClientTime = Duration.seconds(10)
    /// The time without a byte from a WebSocket peer after which it is sent a ping.
    package var pingInterval = Duration.seconds(45)
    /// The time without a byte after a ping after which a WebSocket peer counts as gone.
    package var pongTime = Duration.seconds(90)
    /// The time between two checks of all other times.
    package var sweepInterval = Duration.seconds(1)
    /// The number of bytes that may wait for one WebSocket client; beyond it the client is closed with 1013. One
    /// message may always wait.
    package var outputBytes = 8 * 1024 * 1024
    /// The number of bytes that are read from a peer ahead of the request or message being handled; the rest stays in
    /// the kernel.
    package var readAheadBytes = 256 * 1024
    /// The number of WebSocket messages that are read from a peer ahead of those being handled.
    package var readAheadMessages = 64
    /// The number of open connections; `nil` for as many as the limit of open files allows (see `FileLimit`). TCP may
    /// use three quarters of them, so that no network client can keep the Unix socket's callers out.
    package var connections: Int?

    /// The number of open TCP connections whose peers have sent no valid token; beyond it the oldest that is at nothing is
    /// closed for a new one, or the new one where there is none. A page opens six of a browser's.
    package var newcomers = 256
    /// The same for one address, which may be that of a proxy.
    package var newcomersOfAddress = 128
    /// The number of such connections that are read, or begin a request, in one turn of the loop: a TLS handshake takes up
    /// to a millisecond or two, and hooks wait meanwhile.
    package var newcomerTurns = 4
    /// The number of connections that a listener accepts in one turn of the loop.
    package var acceptsAtOnce = 32

    /// The clock for all times; tests set their own.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    package init() {}
}
