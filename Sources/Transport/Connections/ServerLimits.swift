package import Wire

/// Every ceiling of a server. Times are absolute from their start: a byte now and then does not win more.
package struct ServerLimits: Sendable {
    /// Ceilings of one HTTP request: 431, 414, 413.
    package var http = HTTPLimits.standard
    /// Ceilings of one WebSocket message from a client: 1009. Its largest is an answer with a changed input, and a card
    /// comes in a frame of 1 MiB at most; twice that leaves room for another spelling. What is larger goes by `POST`.
    package var webSocket = WebSocketLimits(frame: 2 << 20, message: 2 << 20)
    /// From a request's first byte (or a connection's start) to its last: 408.
    package var requestTime = Duration.seconds(10)
    /// How long a connection may stay open between two requests.
    package var idleTime = Duration.seconds(75)
    /// How long a peer may take nothing of what is sent to it.
    package var writeStallTime = Duration.seconds(30)
    /// How long the peer gets to close its side after we closed ours.
    package var closeTime = Duration.seconds(2)
    /// How long a slow WebSocket client gets to read why it is closed.
    package var slowClientTime = Duration.seconds(10)
    /// A WebSocket peer that is silent for this long is sent a ping.
    package var pingInterval = Duration.seconds(45)
    /// A WebSocket peer that sends nothing for this long after a ping is gone.
    package var pongTime = Duration.seconds(90)
    /// How often all of these times are looked at.
    package var sweepInterval = Duration.seconds(1)
    /// Bytes that may wait for one WebSocket client before it counts as too slow (1013). One message may always wait.
    package var outputBytes = 8 * 1024 * 1024
    /// Bytes taken from a peer ahead of what is being handled; past it the rest waits in the kernel.
    package var readAheadBytes = 256 * 1024
    /// WebSocket messages taken from a peer ahead of the one being handled.
    package var readAheadMessages = 64
    /// Connections at once; nil: what the file limit allows (see `FileLimit`). TCP may use three quarters of them, so
    /// that no network client can keep the Unix socket's callers out.
    package var connections: Int?

    /// The clock that all times go by, for tests that cannot hurry.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    package init() {}
}
