/// What the server knows of a connection, whatever is spoken over it.
protocol Connection: ChannelOwner {
    var channel: Channel { get }
    var peer: Peer { get }
    /// Looks at the connection's times.
    func sweep(_ now: ContinuousClock.Instant)
    /// Ends the connection as soon as what is being answered is answered.
    func stop()
}
