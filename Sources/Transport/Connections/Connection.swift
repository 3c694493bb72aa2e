/// A connection as the server uses it, in either protocol.
protocol Connection: ChannelOwner {
    var channel: Channel { get }
    var peer: Peer { get }
    /// Applies the time limits.
    func sweep(_ now: ContinuousClock.Instant)
    /// Ends the connection once an answer in progress is finished.
    func stop()
}
